// What both languages run of the assembler: directives, paths that are denied, a conversation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { lines, makeHost, read } from "./assembler-host.mjs";
import { runConversation, runDirectives } from "./assembler-runner.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { GhostBlockAssembler, stripGhostBlocks } = turnkeeper;
const file = (name) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const fixture = (name) => JSON.parse(file(`tests/data/ghost-block/${name}.json`));

describe("directives", () => {
  for (const each of fixture("directives")) {
    test(each.name, () => runDirectives(turnkeeper, each));
  }
});

describe("conversations", () => {
  for (const each of fixture("conversations")) {
    test(each.name, () => runConversation(turnkeeper, each));
  }
});

describe("hostile paths", () => {
  const options = {
    posix: { root: "/work/app", allowedRoots: ["/work/shared"], platform: "posix" },
    win32: {
      root: "C:\\Work\\App",
      allowedRoots: ["D:\\Shared", "\\\\server\\share\\repo"],
      platform: "win32",
    },
  };
  // What cannot stand between brackets on one line cannot be referred to.
  const isReference = (path) => !/[[\]\n\u2028\u2029]/.test(path) && path === path.trim() && path;
  const table = fixture("hostile-paths").filter(({ path }) => isReference(path));
  const host = makeHost({}, {});

  for (const platform of ["posix", "win32"]) {
    const paths = table.filter((each) => each.platform === platform);

    test(`none of ${paths.length} on ${platform} reaches the host, and the block says why`, async () => {
      assert.ok(paths.length >= 60);
      for (const { path, why } of paths) {
        const assembler = new GhostBlockAssembler(options[platform]);
        const { block, items } = await assembler.assemble(`@[${path}]`, host);
        assert.deepEqual(host.news(), [], path);
        // A path that ends in a range is told without it.
        const [[key, said]] = Object.entries(read(block).files);
        assert.ok(path.startsWith(key), `${path}: ${key}`);
        assert.deepEqual(said, { error: `denied: ${why}` }, path);
        const from = { source: "prompt", firstTurn: 1, lastTurn: 1 };
        assert.deepEqual(items, [{ type: "file", key, error: `denied: ${why}`, from }]);
        assembler.dispose();
      }
    });

    test(`nor does one of them as an image on ${platform}`, async () => {
      for (const { path } of paths) {
        const assembler = new GhostBlockAssembler(options[platform]);
        const prompt = `![x](${path})`;
        const { text, parts, diagnostics } = await assembler.assemble(prompt, host);
        assert.deepEqual(host.news(), [], path);
        assert.equal(text, prompt);
        assert.deepEqual(parts, [{ type: "text", text: prompt }]);
        for (const { severity, code } of diagnostics) {
          assert.deepEqual([severity, code], ["warning", "image"]);
        }
        assembler.dispose();
      }
    });

    test(`nor does one of them in a rule, a document or an old conversation on ${platform}`, async () => {
      for (const { path, why } of paths) {
        const assembler = new GhostBlockAssembler(options[platform]);
        const reference = `@[${path}]`;
        const { content, diagnostics } = await assembler.expandDocument(reference, host);
        assert.equal(content, reference);
        assert.deepEqual(
          diagnostics.map(({ code, message }) => [code, message]),
          [["denied", why]],
          path,
        );
        assert.equal(assembler.scanHistory([{ role: "user", content: reference }]), 0, path);
        assembler.setRules([{ name: "r", content: reference }]);
        const { block } = await assembler.assemble("", host);
        assert.deepEqual(read(block), { rules: [{ name: "r", content: reference }] });
        assert.deepEqual(host.news(), [], path);
        assembler.dispose();
      }
    });
  }
});

describe("ten turns", () => {
  /** The requests of the conversation, each the JSON of its messages. */
  async function requests(placement) {
    const { root, files, tools, turns } = fixture("ten-turns");
    const assembler = new GhostBlockAssembler({ root, placement });
    const host = makeHost(files, { run_tests: () => tools.run_tests });
    // The line end behind a line is part of it here.
    host.readFile = async ({ path, startLine, endLine }) =>
      startLine === undefined ? files[path] : `${lines(files[path], startLine, endLine)}\n`;
    const sent = [];
    let history = [];
    for (const { prompt, answer, edit } of turns) {
      const { text } = await assembler.assemble(prompt, host);
      if (placement === "latest") history = stripGhostBlocks(history);
      history.push({ content: text, role: "user" });
      sent.push(JSON.stringify(history));
      history.push({ content: answer, role: "assistant" });
      Object.assign(files, edit);
    }
    assembler.dispose();
    return sent;
  }

  /** For each request but the first: what stays of the one before, and how long that is. */
  const kept = (sent) =>
    sent.slice(1).map((request, index) => {
      const last = sent[index];
      let same = 0;
      while (same < last.length && last[same] === request[same]) same++;
      return [same, last.length];
    });

  test("cost what docs/ghost-block.md says, in both placements", async () => {
    const page = file("docs/ghost-block.md").replace(/\s+/g, " ");
    for (const placement of ["latest", "delta"]) {
      const all = kept(await requests(placement));
      const [same, length] = [0, 1].map((at) => all.reduce((sum, request) => sum + request[at], 0));
      const served = [same, length].map((n) => n.toLocaleString("en")).join(" of ");
      const share = `(${Math.floor((same * 100) / length)} %) with \`${placement}\``;
      assert.match(page, new RegExp(`${served} (characters )?${share.replace(/[()]/g, "\\$&")}`));
      const paid = Math.round(length - same * 0.9).toLocaleString("en");
      assert.ok(page.includes(paid), paid);
    }
  });
});
