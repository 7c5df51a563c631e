// A host's loop: an environment is added before each request, and taken off before the content goes back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { stripEnvironment, withEnvironment } = turnkeeper;

test("ten rounds leave a text as it was, whatever white space it ends with", () => {
  for (const text of ["Go on.", "Go on.\n", "Go on.\n\n", " \n", "", "a\n\n\n\n\t"]) {
    for (const separator of ["\n\n", "\n", " ", ""]) {
      let content = text;
      for (let round = 0; round < 10; round++) {
        const sent = withEnvironment(content, `# Time\n10:0${round}`, { separator });
        assert.match(sent, /<environment_details>/);
        content = stripEnvironment(sent, { separator });
      }
      assert.equal(content, text, JSON.stringify({ text, separator }));
    }
  }
});

test("blank details add nothing", () => {
  const parts = [{ type: "text", text: "x" }];
  for (const details of ["", " \n"]) {
    assert.equal(withEnvironment(parts, details), parts);
    assert.equal(withEnvironment("x", details), "x");
  }
});
