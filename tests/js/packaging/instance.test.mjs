import assert from "node:assert/strict";
import { test } from "node:test";

import { makeApp, nodes, run, writeFiles } from "./app.mjs";
import { EXPECTED, printing } from "./trace.mjs";

const app = await makeApp({ "esm.mjs": printing.esm, "cjs.cjs": printing.cjs });

// Prints each exported name whose value differs between two ways to load an entry.
const differences = (first, second) => `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const [a, b] = [${first}, ${second}];
const names = new Set([...Object.keys(a), ...Object.keys(b)]);
for (const name of ["default", "__esModule", "module.exports"]) names.delete(name);
const different = [...names].filter((name) => a[name] !== b[name]);
console.log(JSON.stringify({ exported: names.size, different }));`;

test("there are Node versions to test on", () => {
  assert.ok(nodes.length > 0);
});

const ADAPTERS = ["ai-sdk", "anthropic", "gemini", "openai", "vscode"];
const ENTRIES = [
  "turnkeeper",
  "turnkeeper/slim",
  ...ADAPTERS.map((name) => `turnkeeper/adapters/${name}`),
];

for (const [version, node] of nodes) {
  test(`import and require give the trace's verdict on Node ${version}`, async () => {
    for (const file of ["esm.mjs", "cjs.cjs"]) {
      assert.deepEqual(JSON.parse(await run(node, [file], { cwd: app })), EXPECTED);
    }
  });

  for (const entry of ENTRIES) {
    test(`import and require of ${entry} give the same classes on Node ${version}`, async () => {
      const name = JSON.stringify(entry);
      writeFiles(app, { "same.mjs": differences(`await import(${name})`, `require(${name})`) });
      const { exported, different } = JSON.parse(await run(node, ["same.mjs"], { cwd: app }));
      assert.ok(exported > 0);
      assert.deepEqual(different, []);
    });
  }

  test(`the default entry and slim throw the same error class on Node ${version}`, async () => {
    writeFiles(app, {
      "errors.mjs": `
import { TurnkeeperError } from "turnkeeper";
import { TurnkeeperError as Slim } from "turnkeeper/slim";
console.log(TurnkeeperError === Slim);`,
    });
    assert.equal((await run(node, ["errors.mjs"], { cwd: app })).trim(), "true");
  });
}
