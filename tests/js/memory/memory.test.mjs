// Memory does not grow with the number of events, nor with the number of objects that came and
// went. Wasm memory never shrinks, so what it has grown to is what was ever needed at once.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { app } from "../node/installed-package.mjs";

/** Runs a script with a garbage collector at hand and returns what it prints as JSON. */
function measure(script) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "--eval", script],
    { cwd: app, encoding: "utf8", timeout: 300_000 },
  );
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const MB = 1024 * 1024;
const usage = `
  const used = () => { gc(); const { heapUsed, arrayBuffers, external } = process.memoryUsage();
    return heapUsed + arrayBuffers + external; };
`;

test("two million events run in flat memory", () => {
  const { before, after, action } = measure(`
    import { LoopDetector } from "turnkeeper";
    ${usage}
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("p1", { model: "x" });
    const words = Array.from({ length: 997 }, (_, n) => "word" + n * 7919 % 1009 + " ");
    let action = "ok";
    const run = (events) => {
      for (let n = 0; n < events; n++) {
        const kind = n % 10;
        const event =
          kind < 6 ? { type: "text", text: words[n * n % 997] }
          : kind < 7 ? { type: "reasoning", text: words[n * 31 % 997] }
          : kind < 8 ? { type: "tool_call", name: "tool" + n % 50, args: { n } }
          : kind < 9 ? { type: "tool_result", output: "done" }
          : { type: "turn_started" };
        action = detector.observe(event).action;
        if (action !== "ok") throw new Error("event " + n + ": " + JSON.stringify(detector.verdict));
      }
    };
    run(100_000);
    const before = used();
    run(1_900_000);
    console.log(JSON.stringify({ before, after: used(), action }));
  `);
  assert.equal(action, "ok");
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("forty thousand detectors that come and go leave memory where it was", () => {
  const { before, after } = measure(`
    import { LoopDetector } from "turnkeeper";
    ${usage}
    const run = (rounds) => {
      for (let n = 0; n < rounds; n++) {
        const detector = new LoopDetector({ identicalCalls: 3 });
        detector.startPrompt("p" + n, { model: "x-preview" });
        detector.observe({ type: "text", text: "Some words to be kept for a while. " });
        detector.observe({ type: "tool_call", name: "ls", args: { n } });
        detector.dispose();
      }
    };
    run(5_000);
    const before = used();
    run(35_000);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("large arguments give their memory back", () => {
  const { before, after } = measure(`
    import { LoopDetector } from "turnkeeper";
    ${usage}
    const detector = new LoopDetector({ profile: "standard" });
    const run = (from, to) => {
      for (let n = from; n < to; n++) {
        detector.observe({ type: "tool_call", name: "write", args: { n, text: "中".repeat(2_000_000) } });
      }
    };
    run(0, 5);
    const before = used();
    run(5, 25);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("histories, messages and contents that come and go leave memory where it was", () => {
  const { before, after } = measure(`
    import { HistoryDeduper, dedupeHistory, withEnvironment } from "turnkeeper";
    ${usage}
    const env = (n) => ({ type: "text", text: "<environment_details>\\n" + n + "</environment_details>" });
    const run = (rounds) => {
      for (let n = 0; n < rounds; n++) {
        const message = { role: "user", content: [env(n), { type: "text", text: "x" }, env(n + 1)] };
        const deduper = new HistoryDeduper({ sections: "changed" });
        const { content } = deduper.push(message);
        deduper.dispose();
        if (dedupeHistory([message, message]).report.blocksRemoved !== 2) throw new Error("kept");
        withEnvironment(content, "x", { tags: ["t" + n % 3] });
      }
    };
    run(5_000);
    const before = used();
    run(20_000);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("large texts of a history give their memory back", () => {
  const { before, after } = measure(`
    import { HistoryDeduper } from "turnkeeper";
    ${usage}
    const env = "<environment_details>x</environment_details>";
    const run = (rounds) => {
      for (let n = 0; n < rounds; n++) {
        const deduper = new HistoryDeduper();
        deduper.push({ role: "user", content: "中".repeat(2_000_000) + n + "\\n" + env + env });
        if (deduper.report.blocksRemoved !== 1) throw new Error("kept");
        if (n % 2 === 0) deduper.dispose();
        else kept.push(deduper);
      }
    };
    const kept = [];
    run(5);
    const before = used();
    run(20);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  // Two such texts; twenty of them are held by none of the dedupers that stay.
  assert.ok(after - before < 8 * MB, `grew by ${after - before} bytes`);
});

test("assemblers that come and go, ended well or not, leave memory where it was", () => {
  const { before, after } = measure(`
    import { GhostBlockAssembler, stripGhostBlocks } from "turnkeeper";
    ${usage}
    const host = {
      readFile: async ({ path }) => ({ content: "text of " + path, version: path }),
      runTool: async ({ args }) => JSON.stringify(args),
    };
    const silent = { readFile: () => new Promise(() => {}) };
    const run = async (rounds) => {
      for (let n = 0; n < rounds; n++) {
        const assembler = new GhostBlockAssembler({ root: "/work", maxTokens: 50, countTokens: (text) => text.length });
        assembler.setRules([{ name: "r" + n % 7, content: "see @[a.md]" }]);
        assembler.inspect("@[a.md:1:2] @{X} @{else}");
        const { text, items } = await assembler.assemble('@[b.md] @[t{"n": ' + n + '}] 思', host);
        if (items.length !== 3) throw new Error("lost");
        stripGhostBlocks([{ role: "user", content: text }]);
        const abort = new AbortController();
        const work = assembler.assemble("@[c.md]", silent, { signal: abort.signal });
        const copy = GhostBlockAssembler.restore(assembler.snapshot());
        copy.scanHistory([{ role: "user", content: text }]);
        await null;
        if (n % 2) abort.abort("enough");
        else assembler.dispose();
        await work.catch(() => {});
        assembler.dispose();
        copy.dispose();
      }
    };
    await run(500);
    const before = used();
    await run(2_000);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("a long conversation keeps no more than its items", () => {
  const { before, after } = measure(`
    import { GhostBlockAssembler } from "turnkeeper";
    ${usage}
    const assembler = new GhostBlockAssembler({ root: "/work", placement: "delta" });
    let turn = 0;
    const host = {
      readFile: async ({ path }) => ({ content: (path + turn).repeat(2_000), version: "v" + turn }),
    };
    const run = async (turns) => {
      for (const end = turn + turns; turn < end; turn++) {
        const { text } = await assembler.assemble("@[a" + turn % 20 + ".md] 思", host);
        if (!text.includes("<content_reference>")) throw new Error("no block");
      }
    };
    await run(100);
    const before = used();
    await run(500);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("large files of a conversation give their memory back", () => {
  const { before, after } = measure(`
    import { GhostBlockAssembler } from "turnkeeper";
    ${usage}
    const run = async (rounds) => {
      for (let n = 0; n < rounds; n++) {
        const assembler = new GhostBlockAssembler({ root: "/work", maxItemBytes: 2 ** 30, maxTotalBytes: 2 ** 30 });
        const { block } = await assembler.assemble("@[a.md]", { readFile: async () => "中".repeat(2_000_000) + n });
        if (block.length < 2_000_000) throw new Error("cut");
        assembler.dispose();
      }
    };
    await run(4);
    const before = used();
    await run(12);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < 4 * MB, `grew by ${after - before} bytes`);
});

test("injectors that come and go leave memory where it was", () => {
  const { before, after } = measure(`
    import { SummaryInjector } from "turnkeeper";
    ${usage}
    const parts = { capability: "C", direction: "D", workspace: "W" };
    const run = (rounds) => {
      for (let n = 0; n < rounds; n++) {
        const injector = new SummaryInjector({ maxTokens: 50 });
        for (let turn = 1; turn <= 6; turn++) {
          injector.startTurn({ task: "task " + n });
          injector.addMessage({ id: "m" + turn, role: "user", content: [{ type: "text", text: "思" + n }] });
          injector.addThinkingRound("Look.");
          injector.storeSummary({ summary: "Some words of turn " + turn, insights: ["x"] });
        }
        injector.recall({ keywords: ["思"] });
        if (injector.takeFoldRequest()) injector.answerFoldRequest({ summary: "folded" });
        const copy = SummaryInjector.restore(injector.snapshot());
        injector.dispose();
        copy.buildPrompt("thinking", parts);
        if (copy.buildPrompt("action", parts).conversationHistory.length !== 12) throw new Error("lost");
        copy.dispose();
      }
    };
    run(500);
    const before = used();
    run(2_000);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});

test("a long conversation with a limit of messages keeps no more than those and its summaries", () => {
  const { before, after } = measure(`
    import { SummaryInjector } from "turnkeeper";
    ${usage}
    const injector = new SummaryInjector({ maxTokens: 500, maxMessages: 20 });
    const parts = { capability: "C", direction: "D", workspace: "W" };
    const run = (turns) => {
      for (let n = 0; n < turns; n++) {
        const turn = injector.startTurn();
        injector.addMessage({ role: "user", content: ("words " + turn + " ").repeat(2_000) });
        injector.storeSummary({ summary: "Turn " + turn, insights: ["x"] });
        if (injector.takeFoldRequest()) injector.answerFoldRequest({ summary: "folded" });
        if (injector.buildPrompt("thinking", parts).conversationHistory.length > 20) throw new Error("kept");
      }
    };
    run(200);
    const before = used();
    run(800);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  // The summaries that were folded are kept for recall.
  assert.ok(after - before < 2 * MB, `grew by ${after - before} bytes`);
});

test("selectors that come and go, and requests that name ever new things, leave memory where it was", () => {
  const { before, after } = measure(`
    import { TerminalSelector } from "turnkeeper";
    ${usage}
    const last = new TerminalSelector({ platform: "posix" });
    const run = (from, to) => {
      for (let n = from; n < to; n++) {
        const selector = new TerminalSelector({ platform: "posix" });
        const terminal = { id: n, provider: "vscode", taskId: "t" + n, workingDirectory: "/p/" + n };
        for (const each of [selector, last]) {
          each.register(terminal);
          const choice = each.select({ ...terminal, command: "make " + n, workingDirectory: "/p" });
          if (choice.action !== "reuse_with_cd") throw new Error(choice.reason);
          each.update(n, { environment: ["E" + n], workingDirectory: "/q/" + n, busy: false });
        }
        last.update(n, { closed: true });
        selector.dispose();
      }
    };
    run(0, 10_000);
    const before = used();
    run(10_000, 50_000);
    console.log(JSON.stringify({ before, after: used() }));
  `);
  assert.ok(after - before < MB, `grew by ${after - before} bytes`);
});
