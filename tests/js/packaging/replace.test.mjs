// The drop-ins and the package itself are one module wherever they run: a class of its own in each
// would compile the Wasm twice, and carry it twice.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { makeApp, nodes, packedModule, run } from "./app.mjs";

const USE = `
const call = { name: "read_file", params: { path: "a.ts" } };
const repetition = new ToolRepetitionDetector(1);
repetition.check(call);
const tracker = new LoopDetectionTracker({ softThreshold: 1 });
const service = new LoopDetectionService({ config: { getDisableLoopDetection: () => false } });
const deepv = new Deepv({ getModel: () => "m" });
deepv.reset("p");
const verdicts = [
  repetition.check(call).allowExecution,
  tracker.inspect({ name: "t", input: {} }).kind,
  service.addAndCheck({ type: "content", value: "x" }).count,
  deepv.addAndCheck({ type: "content", value: "x" }),
  new LoopDetector().verdict.action,
];
console.log(JSON.stringify(verdicts));
`;

const ANSWER = '[false,"soft",0,false,"ok"]\n';

const APPS = {
  "app.mjs": `import { LoopDetector } from "turnkeeper";
import { LoopDetectionTracker } from "turnkeeper/replace/cline";
import { LoopDetectionService as Deepv } from "turnkeeper/replace/deepv";
import { LoopDetectionService } from "turnkeeper/replace/gemini-cli";
import { ToolRepetitionDetector } from "turnkeeper/replace/roo";
${USE}`,
  "app.cjs": `const { LoopDetector } = require("turnkeeper");
const { LoopDetectionTracker } = require("turnkeeper/replace/cline");
const { LoopDetectionService: Deepv } = require("turnkeeper/replace/deepv");
const { LoopDetectionService } = require("turnkeeper/replace/gemini-cli");
const { ToolRepetitionDetector } = require("turnkeeper/replace/roo");
${USE}`,
};

for (const file of Object.keys(APPS)) {
  test(`${file} has all drop-ins without a bundler`, async () => {
    const app = await makeApp(APPS);
    for (const [, node] of [["here", process.execPath], ...nodes]) {
      assert.equal(await run(node, [file], { cwd: app }), ANSWER);
    }
  });

  for (const platform of ["node", "browser"]) {
    test(`a bundle of ${file} for ${platform} has each module once`, async () => {
      const app = await makeApp(APPS);
      const outfile = path.join(app, "bundle.cjs");
      await build({
        entryPoints: [path.join(app, file)],
        outfile,
        bundle: true,
        platform,
        format: "cjs",
        logLevel: "silent",
      });
      assert.equal(await run("node", [outfile]), ANSWER);
      const code = readFileSync(outfile, "utf8");
      for (const name of ["index.mjs", "loop-detector.mjs", "peers.mjs"]) {
        const packed = packedModule(app, name);
        assert.equal(code.split(packed).length - 1, 1, name);
      }
    });
  }
}

test("a drop-in brings no more along than itself", async () => {
  const app = await makeApp();
  for (const name of ["cline", "deepv", "gemini-cli", "roo"]) {
    const file = path.join(app, `node_modules/turnkeeper/dist/replace/${name}.mjs`);
    const code = readFileSync(file, "utf8");
    assert.ok(code.length < 16_384, `${file} has ${code.length} characters`);
  }
});
