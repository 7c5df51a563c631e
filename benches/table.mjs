// The table and the chart, as text of at most 100 columns.

const COLUMNS = [
  ["work", 28],
  ["peer", 16],
  ["ours", -10],
  ["peer's", -10],
  ["ratio", -9],
  ["target", -10],
];

export function table(lines) {
  const head = COLUMNS.map(([title, width]) => pad(title, width)).join("  ");
  return [head, "-".repeat(100), ...lines.map(tableLine)].join("\n");
}

function tableLine(line) {
  const cells = [
    line.work,
    line.peer,
    duration(line.ours),
    duration(line.theirs),
    times(line.theirs / line.ours),
    aim(line),
  ];
  const text = COLUMNS.map(([, width], place) => pad(cells[place], width)).join("  ");
  const result = line.isMet ? "met" : "MISSED";
  return `${text}  ${line.isMet === undefined ? "reported" : result}`;
}

function aim({ atMost, target }) {
  if (atMost !== undefined) return `< ${duration(atMost)}`;
  return target === undefined ? "" : times(target);
}

const DECADES = 4;
const DECADE_WIDTH = 12;

/** How many times faster, on a logarithmic scale, with the target as a mark. */
export function chart(lines) {
  const place = (ratio) =>
    Math.max(0, Math.min(DECADES * DECADE_WIDTH, Math.round(Math.log10(ratio) * DECADE_WIDTH)));
  const bars = lines.map((line) => {
    const ratio = line.theirs / line.ours;
    const bar = [..."█".repeat(place(ratio)).padEnd(DECADES * DECADE_WIDTH + 1)];
    if (line.target !== undefined) bar[place(line.target)] = "|";
    return `${pad(`${line.work}, ${line.peer}`, 44)} ${bar.join("").trimEnd()}`;
  });
  const scale = Array.from({ length: DECADES }, (_, decade) =>
    pad(`${(10 ** decade).toLocaleString("en")}x`, DECADE_WIDTH),
  ).join("");
  return [
    "Times faster than the peer; | is the target",
    ...bars,
    `${" ".repeat(45)}${scale}${(10 ** DECADES).toLocaleString("en")}x`,
  ].join("\n");
}

function pad(text, width) {
  return width < 0 ? text.padStart(-width) : text.padEnd(width);
}

function times(ratio) {
  return `${digits(ratio)}x`;
}

function duration(nanoseconds) {
  const units = ["ns", "µs", "ms", "s"];
  let value = nanoseconds;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${digits(value)} ${units[unit]}`;
}

/** Three significant digits, or all those before the point. */
function digits(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}
