// Makes agent-is-told.svg: what a terminal shows when opencode reads the same log again and again. The agent
// is the real one, its model a script. Run `cargo xtask test agents` before, and
//   TURNKEEPER_APP=target/app node docs/images/agent-is-told.mjs

import { writeFileSync } from "node:fs";

import { Place } from "../../tests/js/agents/real-agents.mjs";
import { ScriptedModel, times } from "../../tests/js/agents/scripted-model.mjs";

const WIDTH = 100;
const LINE = 19;

const look = {
  text: "I will look whether the build is done.",
  calls: [{ shell: "cat build.log" }],
};
const steps = [
  ...times(3, look),
  {
    text: "The log has not changed. I will look at the process.",
    calls: [{ shell: "pgrep -l make || echo no make is running" }],
  },
];
const model = await new ScriptedModel(steps).listen();
const place = new Place("opencode", model);
place.turnkeeper("install", "opencode", "--yes");
const { output } = await place.prompt("Tell me when the build is done.");
await model.close();
place.remove();

const shown = [
  "$ npx turnkeeper install opencode",
  "$ opencode run 'Tell me when the build is done.'",
  "",
];
// eslint-disable-next-line no-control-regex
const plain = output.replace(/\u001b\[[0-9;]*m/g, "").split("\n");
const lines = [...shown, ...plain].flatMap(wrapped).filter((line, at, all) => line || all[at - 1]);

function wrapped(line) {
  const pieces = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const at = rest.lastIndexOf(" ", WIDTH);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...pieces, rest];
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
let isNote = false;
const texts = lines.map((line, at) => {
  if (line.startsWith("Note by Turnkeeper")) isNote = true;
  else if (line === "") isNote = false;
  const colour = isNote ? "#e5c07b" : line.startsWith("$") ? "#98c379" : "#d7dae0";
  return `<text x="18" y="${52 + at * LINE}" fill="${colour}" xml:space="preserve">${escaped(line)}</text>`;
});
const height = 64 + lines.length * LINE;
const dots = ["#ff5f56", "#ffbd2e", "#27c93f"].map(
  (fill, at) => `<circle cx="${20 + at * 20}" cy="18" r="6" fill="${fill}"/>`,
);
writeFileSync(
  new URL("agent-is-told.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="880" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<rect width="880" height="${height}" rx="8" fill="#1e2127"/>
${[...dots, ...texts].join("\n")}
</svg>
`,
);
process.exit();
