const CALLS = {
  read: "#4e79a7",
  search: "#76b7b2",
  edit: "#f28e2b",
  run: "#59a14f",
  browse: "#b07aa1",
  ask: "#edc948",
  other: "#9c9c9c",
};
const TOKENS = {
  system: "#8c8c8c",
  environment: "#e15759",
  user: "#edc948",
  text: "#59a14f",
  reasoning: "#b07aa1",
  calls: "#f28e2b",
  results: "#4e79a7",
};
const LOOPS = { stop: "#d62728", nudge: "#ffbf00" };

function colours(prefix: string, of: Record<string, string>): string {
  return Object.entries(of)
    .map(([name, colour]) => `.${prefix}-${name}{fill:${colour};background:${colour}}`)
    .join("");
}

/** The style of the report. */
export const STYLE =
  `:root{color-scheme:light dark;--line:#8884}` +
  `body{margin:0;font:16px/1.5 system-ui,sans-serif}` +
  `main{max-width:60rem;margin:0 auto;padding:1rem}` +
  `h1{font-size:1.6rem}h2{margin-top:2rem}h3{margin:0;font-size:1rem;overflow-wrap:anywhere}` +
  `p{margin:.3rem 0}article{border-top:1px solid var(--line);padding:.8rem 0}` +
  `.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.4rem,1fr));gap:1rem}` +
  `.figures dd{margin:0;font-size:1.2rem}.headline{font-size:1.3rem}.findings li{margin:.5rem 0}` +
  `svg{display:block;width:100%}.timeline{height:2.2rem}.tokens{height:.6rem;margin-top:.3rem}.head{fill:currentColor}` +
  `table{border-collapse:collapse;width:100%;margin:.5rem 0}th{text-align:left;font-weight:normal}` +
  `thead th+th{text-align:right;padding:.1rem .4rem;vertical-align:bottom}` +
  `td{text-align:right;white-space:nowrap;padding:.1rem .4rem;font-variant-numeric:tabular-nums}.scrolled{overflow-x:auto}` +
  `.key{display:inline-block;width:.8em;height:.8em;border-radius:2px}` +
  `ul{padding-left:1.2rem;margin:.4rem 0}li{overflow-wrap:anywhere}` +
  `.stop,.nudge{padding:0 .3em;border-radius:3px;color:#000}.stop{background:#ff9c9c}.nudge{background:#ffd75e}` +
  `.quiet,.legend{opacity:.75;font-size:.9em}` +
  colours("call", CALLS) +
  colours("token", TOKENS) +
  colours("loop", LOOPS);
