// The other ways to look at a text: previews, documents, skills, images, old conversations.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { keys, makeHost, read } from "./assembler-host.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler } = turnkeeper;
const make = (options) => new GhostBlockAssembler({ root: "/work", ...options });

describe("inspect", () => {
  test("tells every kind of reference with its place, in order", () => {
    const prompt =
      'See @[a.md:10:20] @[src/] @[ls{"uri": "."}] ![alt](img/x.png) @{define X, "1"} @{X} @{if X IS "1"}y@{else}n@{endif}';
    const { references, diagnostics } = make().inspect(prompt);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(
      references.map(({ start, end, ...rest }) => ({ ...rest, written: prompt.slice(start, end) })),
      [
        { kind: "file", path: "a.md", startLine: 10, endLine: 20, written: "@[a.md:10:20]" },
        { kind: "file", path: "src/", written: "@[src/]" },
        { kind: "tool", name: "ls", written: '@[ls{"uri": "."}]' },
        { kind: "image", path: "img/x.png", written: "![alt](img/x.png)" },
        { kind: "macro", name: "X", written: '@{define X, "1"}' },
        { kind: "macro", name: "X", written: "@{X}" },
        { kind: "macro", name: "X", written: '@{if X IS "1"}' },
        { kind: "macro", written: "@{else}" },
        { kind: "macro", written: "@{endif}" },
      ],
    );
    assert.deepEqual(make().inspect("@[a.md:7]").references, [
      { kind: "file", start: 0, end: 9, path: "a.md", startLine: 7, endLine: 7 },
    ]);
  });

  test("counts UTF-16 units, whatever stands before", () => {
    for (const before of ["", "é ", "思 ", "😀", "\ud800", "\udfff\ud800", "\r\n", "\u2028"]) {
      const prompt = `${before}@[思.md] ${before}@[b.md] @{名}`;
      const { references, diagnostics } = make().inspect(prompt);
      const written = references.map(({ start, end }) => prompt.slice(start, end));
      assert.deepEqual(written, ["@[思.md]", "@[b.md]", "@{名}"], JSON.stringify(before));
      assert.deepEqual([references[0].path, references[2].name], ["思.md", "名"]);
      const [{ code, line, column }] = diagnostics;
      const [last, ...others] = prompt.slice(0, references[2].start).split("\n").reverse();
      assert.deepEqual(
        [code, line, column],
        ["undefined_macro", others.length + 1, last.length + 1],
      );
    }
  });

  test("tells what is wrong, with severity, line and column", () => {
    const { references, diagnostics } = make().inspect("😀 @{X}\n  @[a.md\n@{endif}\n@[ls{]");
    assert.deepEqual(
      diagnostics.map(({ severity, code, line, column }) => [severity, code, line, column]),
      [
        ["warning", "undefined_macro", 1, 4],
        ["error", "unclosed_reference", 2, 3],
        ["error", "stray_endif", 3, 1],
        ["error", "bad_arguments", 4, 1],
      ],
    );
    for (const { message, source } of diagnostics) {
      assert.ok(message.length > 0);
      assert.equal(source, undefined);
    }
    assert.deepEqual(
      references.map(({ kind }) => kind),
      ["macro", "macro"],
    );
  });

  test("asks nobody and changes nothing, but knows the macros of the conversation", async () => {
    const assembler = make();
    await assembler.assemble('@{define X, "1"}', makeHost());
    const before = assembler.snapshot();
    const { references, diagnostics } = assembler.inspect('@{X} @{define Y, "2"}@{Y} @[a.md]');
    assert.deepEqual([references.length, diagnostics], [4, []]);
    assert.deepEqual(assembler.snapshot(), before);
    assert.equal(assembler.inspect("@{Y}").diagnostics.length, 1);
    assert.deepEqual(assembler.inspect(""), { references: [], diagnostics: [] });
  });
});

describe("images", () => {
  test("take the places of their references, and the block stands behind the last text", async () => {
    const assembler = make();
    const host = makeHost({ "a.md": "A" });
    const prompt = "@[a.md] ![思](img/1.png) and ![](data:image/gif;base64,AAAA)";
    const { parts, text, block } = await assembler.assemble(prompt, host);
    const data = Buffer.from("img/1.png").toString("base64");
    assert.deepEqual(parts, [
      { type: "text", text: "@[a.md] " },
      { type: "image", alt: "思", mediaType: "image/png", data },
      { type: "text", text: " and " },
      { type: "image", alt: "", mediaType: "image/gif", data: "AAAA" },
      { type: "text", text: block },
    ]);
    assert.equal(text, `${prompt}\n\n${block}`);
    assert.deepEqual(keys(assembler.items), ["a.md"], "an image is no item");
    const { parts: behind } = await assembler.assemble("![x](i.png) there", host);
    assert.equal(behind[1].text, ` there\n\n${block}`);
    const alone = await make().assemble("![x](i.png)", host);
    assert.deepEqual(
      alone.parts.map(({ type }) => type),
      ["image"],
    );
  });

  test("of other hosts stay text, unless `remoteImages` is set", async () => {
    const prompt = "![x](https://example.com/x.png)";
    const host = makeHost();
    const { parts, diagnostics } = await make().assemble(prompt, host);
    assert.deepEqual([parts, host.news()], [[{ type: "text", text: prompt }], []]);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ["image"],
    );
    const remote = await make({ remoteImages: true }).assemble(prompt, host);
    assert.equal(remote.parts[0].type, "image");
    assert.deepEqual(host.news(), ["image https://example.com/x.png"]);
  });

  test("that are not there stay text with a warning", async () => {
    const host = { ...makeHost(), readImage: async () => ({ missing: true }) };
    const { parts, diagnostics } = await make().assemble("a ![x](i.png)", host);
    assert.deepEqual(parts, [{ type: "text", text: "a ![x](i.png)" }]);
    const [{ severity, code, line, column, message }] = diagnostics;
    assert.deepEqual([severity, code, line, column], ["warning", "image", 1, 3]);
    assert.match(message, /not found/);
  });
});

describe("expandDocument", () => {
  test("puts content in the places of references", async () => {
    const assembler = make();
    const host = makeHost({ "a.md": "A\nB", "src/x": "" }, { ls: () => "L" });
    const document = '@{define X, "x"}\n@[a.md:2] @[ls{}] @[src/] @{X} \\@[a.md] ![i](i.png)';
    const { content, diagnostics } = await assembler.expandDocument(document, host);
    assert.equal(content, "B L src/x x @[a.md] ![i](i.png)");
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(assembler.items, [], "a document adds nothing to the conversation");
    assert.equal((await assembler.assemble("@{X}", host)).text, "x", "but its macros");
  });

  test("keeps what it cannot replace, with diagnostics", async () => {
    const document = "a\n @[no.md] @[../up] @[ls{}]";
    const { content, diagnostics } = await make({ tools: [] }).expandDocument(document, makeHost());
    assert.equal(content, document);
    assert.deepEqual(
      diagnostics.map(({ severity, code, line, column }) => [severity, code, line, column]),
      [
        ["error", "unreadable", 2, 2],
        ["error", "denied", 2, 11],
        ["error", "tool_failed", 2, 20],
      ],
    );
  });

  test("does not run a tool again that a prompt ran, nor the other way round", async () => {
    const assembler = make({ rememberTools: "always" });
    const host = makeHost({}, { ls: () => "L" });
    assert.equal((await assembler.expandDocument("@[ls{}]", host)).content, "L");
    const { block } = await assembler.assemble("@[ls{ }]", host);
    assert.equal(read(block).tools[0].result, "L");
    assert.deepEqual(host.asked, ["ls{}"]);
  });
});

describe("prepareSkill", () => {
  test("reads the front matter and expands the body", async () => {
    const skill =
      "---\nDescription: 'Reviews: code'\nParams:\n  - a\n  - b\n  - a\nOther: {x: 1}\n---\n# Do @[a.md]\n";
    const prepared = await make().prepareSkill(skill, makeHost({ "a.md": "it" }));
    assert.deepEqual(prepared, {
      content: "# Do it\n",
      description: "Reviews: code",
      params: ["a", "b"],
      diagnostics: [],
    });
  });

  test("merges the parameters of the documents that it reads", async () => {
    const host = makeHost({ "b.md": "---\nDescription: other\nParams: [b, c]\n---\nMore." });
    const skill = "---\nDescription: First\nParams: [a, b]\n---\n@[b.md]";
    const prepared = await make({ trustFiles: true }).prepareSkill(skill, host);
    assert.deepEqual([prepared.content, prepared.description], ["More.", "First"]);
    assert.deepEqual(prepared.params, ["a", "b", "c"]);
  });

  test("tells of front matter that is wrong, and goes on without", async () => {
    const wrong = [
      "Description: [a]",
      "Params: a",
      "Params: [a, [b]]",
      "- a",
      "a: b: c",
      "a: [",
      "Description: 7",
      "Params:",
      "Description: &a [*a]",
    ];
    for (const yaml of wrong) {
      const { diagnostics, ...rest } = await make().prepareSkill(
        `---\n${yaml}\n---\nBody`,
        makeHost(),
      );
      assert.deepEqual(rest, { content: "Body", description: "", params: [] }, yaml);
      const [{ severity, code, line, column }] = diagnostics;
      assert.deepEqual([severity, code, line, column], ["error", "bad_front_matter", 1, 1], yaml);
    }
    const plain = await make().prepareSkill("No front matter.", makeHost());
    assert.deepEqual(
      [plain.content, plain.description, plain.params],
      ["No front matter.", "", []],
    );
  });
});

describe("scanHistory", () => {
  const user = (content) => ({ role: "user", content });

  test("finds the items of saved blocks with their content, and runs no tool", async () => {
    const [first, host] = [make(), makeHost({ "a.md": "A", "b.md": "B" }, { ls: () => "L" })];
    const { text } = await first.assemble('@[a.md] @[b.md:1] @[ls{"x": 1}] @[no.md]', host);
    host.news();
    const second = make({ rememberTools: "always" });
    assert.equal(second.scanHistory([user(text), { role: "assistant", content: "@[c.md]" }]), 4);
    // Where tools stood among the files is not in a block.
    const known = ["a.md", "b.md:1", "no.md", 'ls{"x":1}'];
    assert.deepEqual(keys(second.items), known);
    const from = { source: "history", firstTurn: 0, lastTurn: 0 };
    for (const item of first.items) {
      assert.deepEqual(second.items[known.indexOf(item.key)], { ...item, from });
    }
    const { block } = await second.assemble('go on @[ls{"x": 1}]', host);
    assert.deepEqual(host.asked.sort(), ["a.md", "b.md:1", "no.md"]);
    assert.deepEqual(read(block).tools, [{ name: "ls", args: { x: 1 }, result: "L" }]);
  });

  test("tells of what looks like a block and cannot be read", () => {
    const assembler = make();
    const broken = "x\n<content_reference>\nmine\n</content_reference>";
    assembler.scanHistory([user("x"), user(broken)]);
    const told = assembler.historyDiagnostics.map(({ code, line }) => [code, line]);
    assert.deepEqual(told, [["unreadable_block", 2]]);
    assembler.scanHistory([]);
    assert.deepEqual(assembler.historyDiagnostics, []);
  });

  test("finds the files that old messages refer to, to be read with the next prompt", async () => {
    const assembler = make();
    const messages = [
      user("@[a.md] @[rm{}] @[../up] `@[code.md]` \\@[not.md]"),
      user([
        { type: "text", text: "@[b.md:2:3]" },
        { type: "image" },
        { type: "text", text: "@[a.md]" },
      ]),
      user(undefined),
      user(7),
      { role: "system", content: "@[c.md]" },
    ];
    assert.equal(assembler.scanHistory(messages), 2);
    const from = { source: "history", firstTurn: 0, lastTurn: 0 };
    assert.deepEqual(assembler.items, [
      { type: "file", key: "a.md", from },
      { type: "file", key: "b.md:2:3", from },
    ]);
    const host = makeHost({ "a.md": "A", "b.md": "1\n2\n3" });
    const { block } = await assembler.assemble("go on", host);
    assert.deepEqual(read(block), { files: { "a.md": "A", "b.md:2:3": "2\n3" } });
  });

  test("adds to what is there, and counts it", async () => {
    const assembler = make();
    assembler.setRules([{ name: "r", content: "R" }]);
    await assembler.assemble("@[a.md]", makeHost({ "a.md": "A" }));
    assert.equal(assembler.scanHistory([]), 1);
    assert.equal(assembler.scanHistory([user("@[a.md] @[b.md]")]), 2);
  });

  test("believes no block that is not one", () => {
    const open = "<content_reference>\n{";
    const close = "\n}\n</content_reference>";
    const bad = [
      `${open}"files": ${close}`,
      `${open}\n  "files": {"../up": "x", "/etc/passwd": "y", "a.md": 7}${close}`,
      `${open}\n  "files": ["a.md"], "tools": {"a": 1}, "rules": 7${close}`,
      `${open}\n  "tools": [{"name": 7}, null, {"name": "x", "args": {}}]${close}`,
    ];
    for (const text of bad) {
      const assembler = make();
      assert.equal(assembler.scanHistory([user(`x\n\n${text}`)]), 0, text);
      assert.deepEqual(assembler.items, []);
    }
  });
});
