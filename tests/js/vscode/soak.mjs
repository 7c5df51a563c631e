// Turns of a session in the Node extension host of a real VS Code, with commands in a real terminal, and what is
// in use after each tenth:
//
//     node soak.mjs [--short | --count TURNS] [--minutes MINUTES]
//
// `--minutes` spreads the turns over that time; without it they run at full speed. Prints a table, and ends with 1
// if something grows.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { KEPT_OF_A_TURN, MB } from "../memory/soaked.mjs";
import { temporaryFolder } from "../packaging/app.mjs";
import { buildExtension } from "./extension-build.mjs";
import { endsWell, observations, withLimit } from "./visit.mjs";
import { VsCodeServer } from "./vscode-server.mjs";
import { Workbench } from "./workbench.mjs";

/** What VS Code allocates by itself meanwhile, in bytes. */
const OWN = 6 * MB;
const LIMIT = 4 * 60 * 60 * 1_000;

const { values } = parseArgs({
  options: {
    short: { type: "boolean" },
    count: { type: "string", default: "100000" },
    minutes: { type: "string", default: "0" },
  },
});
const turns = values.short ? 1_000 : Number(values.count);
const minutes = Number(values.minutes);

const server = await VsCodeServer.start(temporaryFolder());
let workbench, seen;
try {
  writeFileSync(path.join(server.workspace, "given.json"), JSON.stringify({ turns, minutes }));
  workbench = await Workbench.open(server, await buildExtension());
  await withLimit(() => endsWell(workbench.run("node", "tests/soak.js")), LIMIT);
  seen = observations(server.workspace).soak;
} finally {
  await workbench?.close();
  await server.stop();
}
if (!seen?.value) throw new Error(seen?.error ?? "nothing was noted");

const { looks, longest, vscode } = seen.value;
const mb = (bytes) => (bytes / MB).toFixed(2);
console.log(
  `VS Code ${vscode}, ${turns} turns: after each tenth the seconds, MB in use, terminals, how their commands ended, ` +
    "and what keeps the host alive",
);
for (const { seconds, bytes, terminals, commands, kept } of looks) {
  const row = [String(seconds).padStart(6), mb(bytes).padStart(8), terminals];
  console.log(...row, JSON.stringify(commands), JSON.stringify(kept));
}
console.log(`longest snapshot: ${longest} bytes`);

const [first, last] = [looks[0], looks.at(-1)];
const problems = [];
const grown = last.bytes - first.bytes - 0.9 * turns * KEPT_OF_A_TURN;
if (grown > OWN) problems.push(`memory has grown by ${mb(grown)} MB beside the summaries`);
// VS Code starts a process and ends it now and then, so that what counts is the least that there ever was.
const halves = [looks.slice(0, 5), looks.slice(5)];
for (const name of new Set(looks.flatMap(({ kept }) => Object.keys(kept)))) {
  const [before, after] = halves.map((half) => half.map(({ kept }) => kept[name] ?? 0));
  if (Math.min(...after) > Math.max(...before)) problems.push(`${name}: ${before}, then ${after}`);
}
if (last.terminals !== 1) problems.push(`${last.terminals} terminals for one directory`);
const others = Object.keys(last.commands).filter((outcome) => outcome !== "exited");
if (others.length > 0) problems.push(`commands ended with ${others}`);
for (const problem of problems) console.log(`FAILED: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
