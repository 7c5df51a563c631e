// Every option that a machine reads stands on its page, as code.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (file) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
const shapes = read("js/src/boundary/generated/shapes.ts");

/** The names of a shape's own fields. */
function fieldsOf(shape) {
  const [, body] = shapes.match(new RegExp(`^export type ${shape} = \\{\n(.*?)^\\};?$`, "ms"));
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
}

const OWN = {
  "loop-detector": ["LoopDetectorOptions", "ModelCheckOptions"],
  "history-deduper": ["DedupeOptions"],
  "ghost-block": ["AssemblerOptions"],
  "summary-injector": ["SummaryInjectorOptions"],
  "terminal-selector": ["TerminalSelectorOptions", "PathOptions"],
};
const all = [...shapes.matchAll(/^export type (\w+Options) = \{$/gm)].map(([, shape]) => shape);
const peers = all.filter((shape) => !Object.values(OWN).flat().includes(shape));

for (const [page, names] of Object.entries({ ...OWN, peers })) {
  test(`docs/${page}.md has every option`, () => {
    const fields = new Set(names.flatMap(fieldsOf));
    assert.ok(fields.size > 1);
    const code = read(`docs/${page}.md`)
      .match(/`[^`\n]+`/g)
      .join(" ");
    const words = new Set(code.match(/\w+/g));
    assert.deepEqual(
      [...fields].filter((name) => !words.has(name)),
      [],
    );
  });
}
