//! A QIP component: the Mandelbrot set, one point after the other.

#![no_std]
#![no_main]

mod component;

use mandelbrot::by_points as steps;
