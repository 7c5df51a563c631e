// The block that `withEnvironment` makes of details.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { stripEnvironment, stripGhostBlocks, withEnvironment } = turnkeeper;

test("quoted tags stay text, and unpaired surrogates and long texts stay what they are", () => {
  const open = "<environment_details>";
  const close = "</environment_details>";
  const half = "\ud83d";
  for (const [details, inside] of [
    ["10:05", "\n10:05\n"],
    [` \ufeff${half}\u3000 `, `\n${half}\n`],
    [`a ${open} b ${close} c`, `\na &lt;environment_details> b &lt;/environment_details> c\n`],
    [`${open}a${close}b${close}`, "a&lt;/environment_details>b"],
    ["思".repeat(100_000), `\n${"思".repeat(100_000)}\n`],
  ]) {
    const block = `${open}${inside}${close}`;
    assert.equal(withEnvironment("", details), block);
    assert.deepEqual(withEnvironment([], details), [{ type: "text", text: `\n\n${block}` }]);
    assert.equal(stripEnvironment(block), "");
  }
});

test("a ghost block is told from a text that only ends with a bracket", () => {
  const block = '<content_reference>\n{\n  "files": {}\n}\n</content_reference>';
  for (const [content, left] of [
    [`Look.\n\n${block}`, "Look."],
    [`Look.\n\n${block} \r\n\t`, "Look."],
    [`\ud83d\n\n${block}`, "\ud83d"],
    [`Look.\n${block}`, "Look."],
    [`Look. ${block}`, `Look. ${block}`],
    ["a -> b <b>c</b>", "a -> b <b>c</b>"],
    [`Look.\n\n${block}\u00a0`, `Look.\n\n${block}\u00a0`],
  ]) {
    const [message] = stripGhostBlocks([{ role: "user", content }]);
    assert.equal(message.content, left);
  }
});
