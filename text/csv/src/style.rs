//! What pictures look like: colours for light and dark, and a pattern for each region.
//!
//! A picture may stand within a page. So every name begins with the prefix, every rule holds within the picture only, and elements
//! get all their colours from rules, which a page's own rules for `path`, `text` or `.content svg path` do not override.

use core::fmt::{self, Display};

/// What classes and ids begin with. The picture's own class is the prefix alone.
pub const PREFIX: &str = "qp";

/// The picture as wide as where it stands, up to what is legible, and the bare elements.
const BASE: &str = "\
.qp.qp{display:block;width:100%;max-width:1000px;height:auto;margin:0 auto;padding:0;\
border:0;float:none;opacity:1}\
.qp.qp g{opacity:1}\
.qp.qp path{fill:none;stroke:none;stroke-width:1px;stroke-dasharray:none;fill-opacity:1;opacity:1}\
.qp.qp text,.qp.qp tspan{font:12px Arial,Helvetica,sans-serif;font-variant-numeric:tabular-nums;stroke:none;\
text-anchor:start;letter-spacing:0;word-spacing:0;text-transform:none;opacity:1}\
.qp.qp .qp-h1{font-size:17px;font-weight:bold}\
.qp.qp .qp-b{font-weight:bold}\
.qp.qp .qp-s{font-size:11px}\
.qp.qp .qp-e{text-anchor:end}\
.qp.qp .qp-c{text-anchor:middle}\
.qp.qp .qp-number{font-size:11px;font-weight:bold;text-anchor:middle}\
.qp.qp .qp-note{font-size:11px;font-weight:normal}\
.qp.qp .qp-hit{fill-opacity:0}\
.qp.qp .qp-fold{stroke-dasharray:2 3}\
.qp.qp .qp-mark{stroke-width:2px}\
.qp.qp .qp-halo{stroke-width:5px}\
.qp.qp .qp-busy{fill-opacity:.4}\
@media (max-width:520px){\
.qp.qp .qp-h1{font-size:19px}\
.qp.qp .qp-lead{font-size:14px}\
.qp.qp .qp-key{font-size:15px}\
}";

/// A selector within the picture, a property, and its colour in the light and in the dark.
const COLOURS: [(&str, &str, &str, &str); 42] = [
    ("", "background", "#fff", "#0d1117"),
    (" .qp-bg", "fill", "#fff", "#0d1117"),
    (" text", "fill", "#1f2328", "#e6edf3"),
    (" .qp-m", "fill", "#59636e", "#9aa4af"),
    (" .qp-lead", "fill", "#59636e", "#9aa4af"),
    (" .qp-s", "fill", "#59636e", "#9aa4af"),
    (" .qp-note", "fill", "#59636e", "#9aa4af"),
    (" .qp-number", "fill", "#fff", "#0d1117"),
    (" .qp-badge", "fill", "#1f2328", "#f0f3f6"),
    // A row of one of the busiest pages.
    (" .qp-busy", "fill", "#ffdf80", "#614a00"),
    (" .qp-track", "fill", "#e9edf1", "#1c232c"),
    (" .qp-line", "stroke", "#d8dee4", "#2b323b"),
    (" .qp-page", "stroke", "#8c959f", "#7d8794"),
    (" .qp-fold", "stroke", "#8c959f", "#7d8794"),
    (" .qp-frame", "stroke", "#8c959f", "#7d8794"),
    (" .qp-mark", "stroke", "#1f2328", "#e6edf3"),
    (" .qp-halo", "stroke", "#fff", "#0d1117"),
    (" .qp-range", "stroke", "#1f2328", "#e6edf3"),
    // Bytes initialized, read and written.
    (" .qp-i", "fill", "#818b95", "#8b95a1"),
    (" .qp-r", "fill", "#2a6fb8", "#6cb0f5"),
    (" .qp-w", "fill", "#c2540a", "#f0883e"),
    // Heat: few bytes read or written are near the background, many far from it.
    (" .qp-r1", "fill", "#cfe0f3", "#12304d"),
    (" .qp-r2", "fill", "#a3c6ea", "#174a7a"),
    (" .qp-r3", "fill", "#70a5da", "#1f69ad"),
    (" .qp-r4", "fill", "#3b7fc4", "#3f8fdb"),
    (" .qp-r5", "fill", "#17569b", "#84bdf5"),
    (" .qp-r6", "fill", "#082f66", "#dcedff"),
    (" .qp-w1", "fill", "#fbdcc2", "#3d2210"),
    (" .qp-w2", "fill", "#f8b888", "#66350f"),
    (" .qp-w3", "fill", "#f08b45", "#9c5010"),
    (" .qp-w4", "fill", "#de5d0c", "#d8761c"),
    (" .qp-w5", "fill", "#b93206", "#fdae5c"),
    (" .qp-w6", "fill", "#7a0c0c", "#ffeec4"),
    // The regions: what their patterns are made of.
    (" .qp-data0", "fill", "#e9ddf7", "#34244d"),
    (" .qp-data1", "stroke", "#7a45b5", "#bd93f0"),
    (" .qp-input0", "fill", "#d6efdb", "#143820"),
    (" .qp-input1", "fill", "#1a7f37", "#56d364"),
    (" .qp-stack0", "fill", "#ffdcdc", "#4a1b20"),
    (" .qp-stack1", "stroke", "#c0262d", "#ff8b85"),
    (" .qp-output0", "fill", "#cfe8f5", "#0f3445"),
    (" .qp-output1", "stroke", "#096a8f", "#5cc0ea"),
    (" .qp-other", "fill", "#c9d0d8", "#3f4751"),
];

/// For each region the size of its pattern, and what is drawn on its ground.
const PATTERNS: [(&str, u32, &str); 4] = [
    ("data", 4, "M0 1.5h4"),
    ("input", 4, "M1 1h2v2h-2z"),
    ("stack", 5, "M-1 4l2 2M0 0L5 5M4-1l2 2"),
    ("output", 4, "M1.5 0v4"),
];

/// The style sheet and the patterns. What does not know the query for dark keeps the light colours.
pub struct Style;

impl Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "<style>{BASE}")?;
        for (name, _, _) in PATTERNS {
            write!(f, ".qp.qp .qp-{name}{{fill:url(#qp-{name})}}")?;
        }
        for (selector, property, light, _) in COLOURS {
            write!(f, ".qp.qp{selector}{{{property}:{light}}}")?;
        }
        write!(f, "@media (prefers-color-scheme:dark){{")?;
        for (selector, property, _, dark) in COLOURS {
            write!(f, ".qp.qp{selector}{{{property}:{dark}}}")?;
        }
        write!(f, "}}</style>\n<defs>")?;
        for (name, size, drawn) in PATTERNS {
            write!(
                f,
                "<pattern id=\"qp-{name}\" width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\">\
                 <path class=\"qp-{name}0\" d=\"M0 0h{size}v{size}h-{size}z\"/><path class=\"qp-{name}1\" d=\"{drawn}\"/></pattern>"
            )?;
        }
        write!(f, "</defs>")
    }
}
