//! What the picture looks like: colours for light and dark, and a pattern for each region.

/// The style sheet. Every colour has a counterpart in the dark; viewers that do not know the query keep the light ones.
pub const STYLE: &str = "\
text{font:12px sans-serif;fill:#1f2328}\
.h1{font-size:17px;font-weight:bold}\
.b{font-weight:bold}\
.m{fill:#59636e}\
.s{font-size:11px;fill:#59636e}\
.e{text-anchor:end}\
.c{text-anchor:middle}\
.bg{fill:#fff}\
.line{stroke:#d8dee4;fill:none}\
.page{stroke:#8c959f;fill:none}\
.fold{stroke:#8c959f;fill:none;stroke-dasharray:2 3}\
.range{stroke:#1f2328;fill:none}\
.r{fill:#2a6fb8}\
.w{fill:#c2540a}\
.wl{stroke:#c2540a;fill:none}\
.o{stroke:#c2540a;fill:url(#again)}\
.wa{fill:#c2540a;fill-opacity:.4}\
.frame{stroke:#8c959f;fill:none}\
.n{stroke:#fff;stroke-width:3px;paint-order:stroke}\
.hit{fill-opacity:0}\
.pd{fill:#e9ddf7}.ld{stroke:#7a45b5;fill:none}\
.pi{fill:#d6efdb}.li{fill:#1a7f37}\
.ps{fill:#ffdcdc}.ls{stroke:#c0262d;fill:none}\
.po{fill:#cfe8f5}.lo{stroke:#096a8f;fill:none}\
.pn{fill:#dfe3e8}\
@media (prefers-color-scheme:dark){\
text{fill:#e6edf3}\
.m,.s{fill:#9aa4af}\
.bg{fill:#0d1117}\
.line{stroke:#2b323b}\
.page,.fold{stroke:#7d8794}\
.range{stroke:#e6edf3}\
.r{fill:#6cb0f5}\
.w,.wa{fill:#f0883e}\
.wl,.o{stroke:#f0883e}\
.frame{stroke:#7d8794}\
.n{stroke:#0d1117}\
.pd{fill:#34244d}.ld{stroke:#bd93f0}\
.pi{fill:#143820}.li{fill:#56d364}\
.ps{fill:#4a1b20}.ls{stroke:#ff8b85}\
.po{fill:#0f3445}.lo{stroke:#5cc0ea}\
.pn{fill:#3a414a}\
}";

/// The patterns: `again` for what is written once more, and one for each region, named as the region is.
pub const PATTERNS: &str = "\
<pattern id=\"again\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">\
<path class=\"wl\" d=\"M-1 1l2-2M0 5L5 0M4 6l2-2\"/></pattern>\
<pattern id=\"data\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
<path class=\"pd\" d=\"M0 0h4v4h-4z\"/><path class=\"ld\" d=\"M0 1.5h4\"/></pattern>\
<pattern id=\"input\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
<path class=\"pi\" d=\"M0 0h4v4h-4z\"/><path class=\"li\" d=\"M1 1h2v2h-2z\"/></pattern>\
<pattern id=\"stack\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">\
<path class=\"ps\" d=\"M0 0h5v5h-5z\"/><path class=\"ls\" d=\"M-1 4l2 2M0 0L5 5M4-1l2 2\"/></pattern>\
<pattern id=\"output\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
<path class=\"po\" d=\"M0 0h4v4h-4z\"/><path class=\"lo\" d=\"M1.5 0v4\"/></pattern>\
<pattern id=\"other\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
<path class=\"pn\" d=\"M0 0h4v4h-4z\"/></pattern>";
