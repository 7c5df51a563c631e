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

test("blank details take away the block that they would replace, and nothing else", () => {
  const block = (text) => `<environment_details>\n${text}\n</environment_details>`;
  const text = (words) => ({ type: "text", text: words });
  const say = text("Rename the flag.");
  const image = { type: "image", source: {} };
  const quoted = text(`See <environment_details>a</environment_details> there.`);
  for (const blank of ["", " \n", "\ufeff"]) {
    for (const [content, left] of [
      [[say, text(block("a.py"))], [say]],
      [
        [say, text(`\n\n${block("a.py")}`), image],
        [say, image],
      ],
      [[text(block("old")), say, text(`${block("a")}\n${block("b")}`)], [say]],
      [[{ text: "Hi." }, { text: block("a") }], [{ text: "Hi." }]],
      [`Rename it.\n\n${block("a.py")}`, "Rename it."],
      [`Rename it.\n\n${block("a.py")}\n`, "Rename it.\n"],
    ]) {
      const told = [];
      const made = withEnvironment(content, blank, { onChange: (change) => told.push(change) });
      assert.deepEqual(made, left);
      assert.equal(told.length, 1);
      assert.ok(told[0].blocks >= 1 && told[0].characters > 0);
      assert.equal(withEnvironment(made, blank), made);
      assert.equal(withEnvironment(content, blank, { onExisting: "keep" }), content);
    }
    for (const content of [
      [say],
      [say, quoted],
      "Rename it.",
      [],
      "",
      [text(block("a"))],
      block("a"),
    ]) {
      assert.equal(withEnvironment(content, blank), content);
    }
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
