//! Writes SVG elements. All that an element says is escaped, and every class gets the picture's prefix.

use alloc::string::String;
use core::fmt::{self, Display, Write};

use crate::regions::Regions;
use crate::style::{PREFIX, Style};

/// Elements as text.
#[derive(Default)]
pub struct Svg(pub String);

impl Svg {
    /// A whole picture of this size that holds `elements`: as wide as where it is shown, in colours for light and dark. Readers of
    /// screens hear the title and the description.
    pub fn picture(width: u32, height: u32, title: &str, description: &str, elements: &Svg) -> String {
        let mut svg = Svg::default();
        svg.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{PREFIX}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
        ));
        svg.element("title", title);
        svg.element("desc", description);
        svg.put(format_args!("{Style}\n"));
        // For what does not know the style's background.
        svg.bar("bg", 0.0, 0, f64::from(width), height);
        svg.0.push_str(&elements.0);
        svg.0.push_str("</svg>\n");
        svg.0
    }

    /// Appends formatted text as it is.
    pub fn put(&mut self, text: fmt::Arguments) {
        // Writing to a `String` does not fail.
        let _ = self.0.write_fmt(text);
    }

    /// A group of this class, with a tooltip.
    pub fn group(&mut self, class: &str, tooltip: impl Display, content: impl FnOnce(&mut Svg)) {
        self.put(format_args!("<g{}>", Classes(class)));
        self.element("title", tooltip);
        content(self);
        self.0.push_str("</g>\n");
    }

    /// A line of text of these classes, its baseline at `y`.
    pub fn text(&mut self, class: &str, x: u32, y: u32, text: impl Display) {
        self.put(format_args!("<text{} x=\"{x}\" y=\"{y}\">{}</text>\n", Classes(class), Escaped(text)));
    }

    /// A line of text of these classes, and a note after it.
    pub fn noted(&mut self, class: &str, x: u32, y: u32, text: impl Display, note: impl Display) {
        let (class, text, note) = (Classes(class), Escaped(text), Escaped(note));
        self.put(format_args!(
            "<text{class} x=\"{x}\" y=\"{y}\">{text} <tspan class=\"{PREFIX}-note\">{note}</tspan></text>\n"
        ));
    }

    /// A line of text that is squeezed into this width.
    pub fn squeezed(&mut self, class: &str, x: u32, y: u32, width: u32, text: impl Display) {
        self.put(format_args!(
            "<text{} x=\"{x}\" y=\"{y}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
            Classes(class),
            Escaped(text)
        ));
    }

    /// A path of this class.
    pub fn path(&mut self, class: &str, path: impl Display) {
        self.put(format_args!("<path{} d=\"{path}\"/>\n", Classes(class)));
    }

    /// A filled box of this class.
    pub fn bar(&mut self, class: &str, x: f64, y: u32, width: f64, height: u32) {
        let width = Pixels(width);
        self.path(class, format_args!("M{} {y}h{width}v{height}h-{width}z", Pixels(x)));
    }

    /// A disc with a number in it.
    pub fn badge(&mut self, x: u32, y: u32, number: usize) {
        self.path("badge", format_args!("M{} {y}a8 8 0 1 0 16 0a8 8 0 1 0-16 0z", x - 8));
        self.text("number", x, y + 4, number);
    }

    /// A framed box with the patterns of the regions side by side.
    pub fn swatch(&mut self, regions: Regions, x: u32, y: u32, width: u32, height: u32) {
        self.strip(regions, x, y, width, height);
        self.path("frame", format_args!("M{x}.5 {y}.5h{0}v{1}h-{0}z", width - 1, height - 1));
    }

    /// The patterns of the regions side by side.
    pub fn strip(&mut self, regions: Regions, x: u32, y: u32, width: u32, height: u32) {
        let parts = regions.names().count() as u32;
        for (part, name) in (0..).zip(regions.names()) {
            let (left, right) = (x + width * part / parts, x + width * (part + 1) / parts);
            self.bar(name, f64::from(left), y, f64::from(right - left), height);
        }
    }

    fn element(&mut self, name: &str, text: impl Display) {
        self.put(format_args!("<{name}>{}</{name}>\n", Escaped(text)));
    }
}

/// An attribute with these class names and the prefix, if there are any.
struct Classes<'a>(&'a str);

impl Display for Classes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, class) in self.0.split_whitespace().enumerate() {
            write!(f, "{}{PREFIX}-{class}", if index == 0 { " class=\"" } else { " " })?;
        }
        if self.0.is_empty() { Ok(()) } else { f.write_str("\"") }
    }
}

/// A length in pixels, to the tenth.
pub struct Pixels(pub f64);

impl Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tenths = (self.0 * 10.0 + 0.5) as u32;
        match tenths % 10 {
            0 => write!(f, "{}", tenths / 10),
            tenth => write!(f, "{}.{tenth}", tenths / 10),
        }
    }
}

/// Text in which nothing is markup.
struct Escaped<T>(T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        struct Escape<'a, 'f>(&'a mut fmt::Formatter<'f>);
        impl Write for Escape<'_, '_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                text.split_inclusive(['&', '<', '>']).try_for_each(|part| {
                    let (plain, escape) = match part.as_bytes().last() {
                        Some(b'&') => (&part[..part.len() - 1], "&amp;"),
                        Some(b'<') => (&part[..part.len() - 1], "&lt;"),
                        Some(b'>') => (&part[..part.len() - 1], "&gt;"),
                        _ => (part, ""),
                    };
                    self.0.write_str(plain)?;
                    self.0.write_str(escape)
                })
            }
        }
        write!(Escape(f), "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_element_says_is_never_markup() {
        let mut svg = Svg::default();
        svg.text("a b", 1, 2, "</text><script>&amp;");
        assert_eq!(svg.0, "<text class=\"qp-a qp-b\" x=\"1\" y=\"2\">&lt;/text&gt;&lt;script&gt;&amp;amp;</text>\n");
        let picture = Svg::picture(3, 4, "a<b", "c&d", &Svg::default());
        assert!(picture.contains("<title>a&lt;b</title>\n<desc>c&amp;d</desc>"), "{picture}");
        let mut group = Svg::default();
        group.group("row", "1 < 2", |_| ());
        assert_eq!(group.0, "<g class=\"qp-row\"><title>1 &lt; 2</title>\n</g>\n");
    }

    #[test]
    fn pixels_are_written_to_the_tenth() {
        use alloc::string::ToString;
        for (pixels, text) in [(0.0, "0"), (1.04, "1"), (1.05, "1.1"), (12.96, "13")] {
            assert_eq!(Pixels(pixels).to_string(), text);
        }
    }
}
