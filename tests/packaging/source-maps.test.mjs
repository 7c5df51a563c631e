import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { makeApp, run, writeFiles } from "./app.mjs";

const app = await makeApp();
const dist = path.join(app, "node_modules/turnkeeper/dist");
const scripts = readdirSync(dist, { recursive: true }).filter((file) => /\.[cm]js$/.test(file));

test("each bundle for Node has its source map, which names its sources and leaves out their text", () => {
  let mapped = 0;
  for (const file of scripts) {
    const code = readFileSync(path.join(dist, file), "utf8");
    const address = /\n\/\/# sourceMappingURL=(\S+)\n$/.exec(code)?.[1];
    if (address === undefined) {
      // It only names what is in the file beside it, or is for browsers, or the command.
      const isSmall = code.length < 2_000;
      assert.ok(isSmall || file.endsWith(".mjs"), `${file} has no source map`);
      continue;
    }
    assert.match(file, /\.cjs$/);
    mapped += 1;
    assert.equal(address, `${path.basename(file)}.map`);
    const map = JSON.parse(readFileSync(path.join(dist, `${file}.map`), "utf8"));
    assert.ok(map.sources.length > 0);
    assert.equal(map.sourcesContent, undefined, file);
    for (const source of map.sources) {
      const place = path.resolve(dist, path.dirname(file), source);
      const inPackage = path.relative(path.dirname(dist), place);
      assert.match(inPackage, /^(src|glue|node_modules)\//);
    }
  }
  assert.ok(mapped > 10, `${mapped} source maps`);
});

test("a stack trace with source maps names our TypeScript", async () => {
  writeFiles(app, {
    "trace.cjs": `const { LoopDetector } = require("turnkeeper");
try {
  new LoopDetector().observe(null);
} catch (error) {
  console.log(error.stack);
}`,
  });
  const stack = await run("node", ["--enable-source-maps", "trace.cjs"], { cwd: app });
  assert.match(stack, /src\/loop\/loop-detector\.ts:\d+:\d+/);
});
