//! Writes SVG elements, and numbers as people read them.

use alloc::string::String;
use core::fmt::{self, Display, Write};

use crate::regions::Regions;

/// Elements as text. All text is the program's own, so nothing needs escaping.
#[derive(Default)]
pub struct Svg(pub String);

impl Svg {
    /// Appends formatted text.
    pub fn put(&mut self, text: fmt::Arguments) {
        // Writing to a `String` does not fail.
        let _ = self.0.write_fmt(text);
    }

    /// A line of text of these classes, its baseline at `y`.
    pub fn text(&mut self, class: &str, x: u32, y: u32, text: impl Display) {
        self.put(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>\n"));
    }

    /// A path of this class.
    pub fn path(&mut self, class: &str, path: impl Display) {
        self.put(format_args!("<path class=\"{class}\" d=\"{path}\"/>\n"));
    }

    /// A filled box of this class, `width` in pixels.
    pub fn bar(&mut self, class: &str, x: f64, y: u32, width: f64, height: u32) {
        self.path(class, format_args!("M{x:.1} {y}h{width:.1}v{height}h-{width:.1}z"));
    }

    /// The outline of a box.
    pub fn frame(&mut self, x: u32, y: u32, width: u32, height: u32) {
        let (width, height) = (width - 1, height - 1);
        self.path("frame", format_args!("M{x}.5 {y}.5h{width}v{height}h-{width}z"));
    }

    /// A box with the patterns of the regions side by side.
    pub fn swatch(&mut self, regions: Regions, x: u32, y: u32, width: u32, height: u32) {
        let parts = regions.names().count() as u32;
        for (part, name) in (0..).zip(regions.names()) {
            let (left, right) = (x + width * part / parts, x + width * (part + 1) / parts);
            let width = right - left;
            self.put(format_args!(
                "<rect fill=\"url(#{name})\" x=\"{left}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n"
            ));
        }
    }
}

/// A number with a comma between each three digits, in billions (G) where it would be too long.
pub struct Grouped(pub u128);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 >= 1_000_000_000_000 {
            return write!(f, "{} G", Grouped(self.0 / 1_000_000_000));
        }
        if self.0 < 1000 {
            return write!(f, "{}", self.0);
        }
        write!(f, "{},{:03}", Grouped(self.0 / 1000), self.0 % 1000)
    }
}

/// A number and its noun, which gets an `s` unless there is one.
pub struct Count<'a>(pub u128, pub &'a str);

impl Display for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}{}", Grouped(self.0), self.1, if self.0 == 1 { "" } else { "s" })
    }
}

/// A range of pages: one number, or the first and the last.
pub struct Span(pub u32, pub u32);

impl Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 == self.1 { write!(f, "{}", self.0) } else { write!(f, "{}–{}", self.0, self.1) }
    }
}

/// A range of pages with its noun.
pub struct Pages(pub u32, pub u32);

impl Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "page{} {}", if self.0 == self.1 { "" } else { "s" }, Span(self.0, self.1))
    }
}

/// A rewrite ratio from hundredths; empty where nothing was written. From 100 on, decimals say nothing.
pub struct Ratio(pub Option<u128>);

impl Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(hundredths) if hundredths < 10_000 => write!(f, "{}.{:02}×", hundredths / 100, hundredths % 100),
            Some(hundredths) => write!(f, "{}×", Grouped((hundredths + 50) / 100)),
        }
    }
}
