// The table as text of at most 100 columns.

const COLUMNS = [
  ["work", 28],
  ["beside", 16],
  ["ours", -10],
  ["other's", -10],
  ["ratio", -9],
  ["target", -10],
];

/** A line of the table, for nanoseconds of both sides, and megabytes of ours. */
export function line({ work, target, atMost, mostMegabytes }, peer, ours, theirs, megabytes) {
  const isQuick = atMost === undefined ? theirs / ours >= target : ours <= atMost * 1e6;
  const isMet = isQuick && !(megabytes > mostMegabytes);
  return { work, peer, ours, theirs, megabytes, target, atMost, mostMegabytes, isMet };
}

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
  return `${text}  ${line.isMet ? "met" : "MISSED"}${memory(line)}`;
}

function aim({ atMost, target }) {
  return atMost === undefined ? times(target) : `< ${duration(atMost * 1e6)}`;
}

function memory({ megabytes, mostMegabytes }) {
  if (mostMegabytes === undefined) return "";
  return `, ${Math.round(megabytes)} of ${mostMegabytes} MB`;
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
