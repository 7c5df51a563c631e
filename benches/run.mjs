// The speed table: this package beside the libraries that it stands in for.
//   node benches/run.mjs [--json] [--only WORD] [--rounds N]
// `cargo xtask bench` builds the package, installs the peers and runs this.

import { cpus } from "node:os";
import { parseArgs } from "node:util";

import { measure } from "./measure.mjs";
import { rows } from "./rows.mjs";
import { table } from "./table.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "11" },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a whole number");

const lines = [];
for (const row of rows.filter(({ work }) => work.includes(values.only))) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${row.work} …`);
  lines.push(...(await measure[row.kind](row, rounds)));
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");

if (values.json) {
  console.log(JSON.stringify(lines, undefined, 2));
} else {
  const missed = lines.filter(({ isMet }) => !isMet).length;
  console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}\n`);
  console.log(`${table(lines)}\n`);
  console.log(`${lines.length - missed} of ${lines.length} targets met, ${missed} missed`);
}
// gemini-cli leaves timers behind.
process.exit(0);
