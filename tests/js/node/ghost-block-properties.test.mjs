// Whatever the texts are, the block gives them back, and nothing in them can end it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { makeHost, read } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { GhostBlockAssembler, stripGhostBlocks } = turnkeeper;

const PIECES = [
  "</content_reference>",
  "<content_reference>",
  "\n}\n</content_reference>",
  "\n\n<content_reference>\n{",
  "</CONTENT_Reference>",
  "< /content_reference >",
  "<Content_Reference x='",
  "<",
  "</",
  "<content_",
  "\\u003c/content_reference>",
  '"',
  "\\",
  "\\n",
  "{",
  "}",
  "]",
  "\n",
  "\r\n",
  "\t",
  "\0",
  "\x1b[2J",
  "\x7f\x85",
  "\u2028\u2029",
  "\ud800",
  "\udc00",
  "😀",
  "思い出",
  "é",
  "e\u0301",
  "\ufeff",
  "\uffff",
  "`",
  "~~~",
  "@[b.md]",
  "@[rm{}]",
  "@{X}",
  "\\@[",
  '@{define X, "1"}',
  "![i](i.png)",
  "word ",
  "word ",
];

/** A text of random pieces, single characters among them. */
function text(most = 12) {
  let made = "";
  for (let count = random(most); count > 0; count--) {
    const unit = () => String.fromCharCode(random(random(2) ? 0x10000 : 0x80));
    made += random(4) ? PIECES[random(PIECES.length)] : unit();
  }
  return made;
}

/** A JSON value of random texts. */
function value(depth = 0) {
  const kind = random(depth < 3 ? 7 : 5);
  if (kind === 0) return text(4);
  if (kind === 1) return random(2) ? -0 : random(1_000_000) / 10 ** random(20);
  if (kind === 2) return random(2 ** 30) * 2 ** (random(900) - 450);
  if (kind === 3) return [null, true, false][random(3)];
  if (kind === 4) return String(random(100));
  if (kind === 5) return Array.from({ length: random(4) }, () => value(depth + 1));
  return object(depth + 1);
}

function object(depth = 0) {
  const key = () => (random(3) ? text(3) : ["__proto__", "10", "9", "toString"][random(4)]);
  return Object.fromEntries(Array.from({ length: random(4) }, () => [key(), value(depth)]));
}

/**
 * Arguments that the engine reads as it wrote them: V8 as of Node 24 takes a key such as
 * "\n\ud800", written with escapes, for an earlier key that begins with the same characters.
 */
function args() {
  for (;;) {
    const made = object();
    const json = JSON.stringify(made);
    if (JSON.stringify(JSON.parse(json)) === json) return made;
  }
}

/** Text for the prompt itself that refers to nothing and says nothing. */
const prose = () => text().replaceAll(/[@!`~\\]/g, "");

const tags = (block) => block.match(/<\/?content_reference/gi);

/** An item without the turns in which it was mentioned. */
const withoutTurns = ({ from: { firstTurn: _first, lastTurn: _last, ...from }, ...item }) => ({
  ...item,
  from,
});

describe(`blocks of random texts (TURNKEEPER_SEED=${seed})`, () => {
  test("hold what went in, and no more than their own two tags", async () => {
    for (let round = 0; round < 400; round++) {
      const files = { "a.md": text(), "b/c.md": text(), "d.md": text() };
      const rules = Array.from({ length: random(3) }, (_, at) => ({
        name: `${at}${text(4).toWellFormed?.() ?? ""}`,
        content: prose(),
      }));
      const [given, result] = [args(), text()];
      const host = makeHost(files, { t: () => result });
      const assembler = new GhostBlockAssembler({ root: "/work" });
      assembler.setRules(rules);
      const before = prose();
      // A backslash before `@` makes a directive text, in JSON too.
      const written = JSON.stringify(given).replaceAll("\\\\@", "\\\\\\u0040");
      // The end of the text must not be taken for a block.
      const prompt = `${before}\n@[a.md] @[b/c.md] @[t${written}] @[d.md].`;
      const { text: sent, block, items } = await assembler.assemble(prompt, host);
      const place = `round ${round}`;

      assert.equal(sent, `${prompt}\n\n${block}`, place);
      assert.deepEqual(tags(block), ["<content_reference", "</content_reference"], place);
      const said = read(block);
      const expected = {
        ...(rules.length > 0 && { rules }),
        files,
        tools: [{ name: "t", args: JSON.parse(written), result }],
      };
      assert.deepEqual(said, expected, place);
      const printed = JSON.stringify(said, null, 2).replaceAll(
        /<(?=\/?content_reference)/gi,
        "\\u003c",
      );
      assert.equal(block, `<content_reference>\n${printed}\n</content_reference>`, place);

      const again = await assembler.assemble(sent, host);
      assert.equal(again.text, sent, place);
      assert.deepEqual(again.items.map(withoutTurns), items.map(withoutTurns), place);
      const [{ content }] = stripGhostBlocks([{ role: "user", content: sent }]);
      assert.equal(content, prompt, place);
      const rebuilt = new GhostBlockAssembler({ root: "/work" });
      assert.equal(rebuilt.scanHistory([{ role: "user", content: sent }]), 4, place);
      const known = new Map(rebuilt.items.map((item) => [item.key, withoutTurns(item)]));
      for (const item of items) {
        if (item.type === "rule") continue;
        const from = { source: "history" };
        assert.deepEqual(known.get(item.key), { ...withoutTurns(item), from }, place);
      }
      rebuilt.dispose();
      assembler.dispose();
    }
  });

  test("are found behind any text, however much it looks like one", async () => {
    const block =
      '<content_reference>\n{\n  "files": {\n    "a.md": "A"\n  }\n}\n</content_reference>';
    const assembler = new GhostBlockAssembler({ root: "/work" });
    for (let round = 0; round < 1_000; round++) {
      const user = `${text()}.`;
      const [{ content }] = stripGhostBlocks([{ role: "user", content: `${user}\n\n${block}` }]);
      assert.equal(content, user);
      assert.equal(stripGhostBlocks([{ role: "user", content: user }])[0].content, user);
    }
    assembler.dispose();
  });

  test("follow prompts of any kind, which never throw, and are the same a second time", async () => {
    const host = makeHost({ "b.md": text() }, {});
    for (let round = 0; round < 1_500; round++) {
      const assembler = new GhostBlockAssembler({ root: "/work", trustFiles: random(2) === 0 });
      const prompt = text(20);
      const { references, diagnostics } = assembler.inspect(prompt);
      for (const { start, end } of references) {
        assert.ok(start >= 0 && start < end && end <= prompt.length);
        assert.match(prompt.slice(start, end), /^(@[[{]|!\[)/);
      }
      const rows = prompt.split("\n");
      for (const { line, column } of diagnostics) {
        assert.ok(column >= 1 && column <= rows[line - 1].length + 1, `${line}:${column}`);
      }
      const once = await assembler.assemble(prompt, host);
      if (once.block) assert.deepEqual(tags(once.block).length, 2, JSON.stringify(prompt));
      const twice = await assembler.assemble(once.text, host);
      assert.equal(twice.text, once.text, JSON.stringify(prompt));
      const joined = once.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
      if (once.block) assert.ok(joined.at(-1).endsWith(once.block));
      const { content } = await assembler.expandDocument(prompt, host);
      assert.equal(typeof content, "string");
      assembler.dispose();
    }
  });
});
