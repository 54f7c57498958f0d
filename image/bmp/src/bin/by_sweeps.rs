//! A QIP component: the Mandelbrot set, all points one step further at a time. `mandelbrot.md` starts from it.

#![no_std]
#![no_main]

mod component;

use mandelbrot::by_sweeps as steps;
