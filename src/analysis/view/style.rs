//! The style of the report.

const CALLS: [(&str, &str); 7] = [
    ("read", "#4e79a7"),
    ("search", "#76b7b2"),
    ("edit", "#f28e2b"),
    ("run", "#59a14f"),
    ("browse", "#b07aa1"),
    ("ask", "#edc948"),
    ("other", "#9c9c9c"),
];
const TOKENS: [(&str, &str); 7] = [
    ("system", "#8c8c8c"),
    ("environment", "#e15759"),
    ("user", "#edc948"),
    ("text", "#59a14f"),
    ("reasoning", "#b07aa1"),
    ("calls", "#f28e2b"),
    ("results", "#4e79a7"),
];
const LOOPS: [(&str, &str); 2] = [("stop", "#d62728"), ("nudge", "#ffbf00")];

/// The style, whose hash the page allows.
pub(super) fn style() -> String {
    let colours = [("call", &CALLS[..]), ("token", &TOKENS), ("loop", &LOOPS)];
    let rules = colours.iter().flat_map(|(prefix, colours)| {
        colours.iter().map(move |(name, colour)| {
            format!(".{prefix}-{name}{{fill:{colour};background:{colour}}}")
        })
    });
    [BASE, TABLES].concat() + &rules.collect::<String>()
}

const BASE: &str = concat!(
    ":root{color-scheme:light dark;--line:#8884}",
    "body{margin:0;font:16px/1.5 system-ui,sans-serif}",
    "main{max-width:72rem;margin:0 auto;padding:1rem}",
    "h1{font-size:1.3rem;margin:.3rem 0}h2{margin:2rem 0 .5rem;font-size:1.3rem}",
    "h3{margin:0;font-size:1rem;overflow-wrap:anywhere}",
    "p{margin:.3rem 0}p,li{max-width:56rem;overflow-wrap:anywhere}code{overflow-wrap:anywhere}",
    "article{border-top:1px solid var(--line);padding:.8rem 0}",
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.4rem,1fr));",
    "gap:.8rem 1rem;margin:.8rem 0}",
    ".figures dt{font-size:.9em;opacity:.75}",
    ".figures dd{margin:0;font-size:1.2rem;overflow-wrap:anywhere}",
    ".figure-to-save{grid-column:span 2}.headline{font-size:1.5rem}.findings li{margin:.5rem 0}",
    "svg{display:block;width:100%}.timeline{height:2.2rem}.tokens{height:.6rem;margin-top:.7rem}",
    ".head{fill:currentColor}",
    ".legend span{white-space:nowrap;margin-right:.8em}",
    ".key{display:inline-block;width:.8em;height:.8em;border-radius:2px}",
    "ul{padding-left:1.2rem;margin:.4rem 0}",
    ".stop,.nudge{padding:0 .3em;border-radius:3px;color:#000}",
    ".stop{background:#ff9c9c}.nudge{background:#ffd75e}",
    ".quiet{opacity:.75}.quiet,.legend{font-size:.9em}",
);

/// Tables are never wider than their room: the first column takes what the others leave, and on a small screen those go
/// that say least.
const TABLES: &str = concat!(
    "table{border-collapse:collapse;width:100%;margin:.5rem 0;table-layout:fixed}",
    "th,td{padding:.2rem .4rem;text-align:left;font-weight:normal;vertical-align:top;",
    "overflow-wrap:anywhere}",
    "thead th{vertical-align:bottom;border-bottom:1px solid var(--line);opacity:.75;",
    "font-size:.9em;overflow-wrap:normal}",
    "tr>:first-child{padding-left:0}",
    ".number{text-align:right;font-variant-numeric:tabular-nums}",
    "tbody a{color:inherit;text-decoration-color:var(--line);overflow:hidden;",
    "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}",
    ".column-cost{width:7.6rem}.column-to-save{width:6.6rem}.column-loops{width:3.4rem}",
    ".column-outdated{width:5.6rem}.column-calls{width:4.4rem}.column-when{width:7rem;padding-left:1.2rem}",
    ".column-agent{width:7.4rem}.column-project{width:9rem}",
    ".column-sessions,.column-requests{width:5.4rem}.column-tokens{width:5rem}",
    "@media(max-width:70rem){.column-project{display:none}}",
    "@media(max-width:56rem){.column-agent,.column-requests{display:none}}",
    "@media(max-width:44rem){.column-when,.column-calls,.column-outdated,.column-sessions{display:none}",
    ".column-cost{width:5.2rem}.column-to-save{width:4rem}.column-loops{width:2.9rem}",
    ".column-tokens{width:4rem}.headline{font-size:1.3rem}}",
);
