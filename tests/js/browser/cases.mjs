// What runs in Chromium and in Node: the fixtures, and the recorded sessions. It uses nothing but
// the package that it is given.

import { runDirectives } from "../node/assembler-runner.mjs";
import { digest } from "../node/digest.mjs";
import { runCase } from "../node/fixture-runner.mjs";

/** Runs every case; what was wrong with each, or `null`, and the traces of those that have one. */
export function runFixtures(turnkeeper, cases) {
  const traces = {};
  const problems = cases.map((fixture) => {
    try {
      const trace = runCase(turnkeeper, fixture);
      if (trace) traces[fixture.name] = trace;
      return null;
    } catch (error) {
      return String(error);
    }
  });
  return { problems, traces };
}

/** Runs every case of directives; what was wrong with each, or `null`. */
export function runTables(turnkeeper, tables) {
  return Promise.all(
    tables.map((fixture) => runDirectives(turnkeeper, fixture).then(() => null, String)),
  );
}

/**
 * Every prompt of a recorded conversation as it was assembled, with a snapshot after each, and what
 * became of texts that are hard to carry.
 */
export async function conversation({ GhostBlockAssembler, stripGhostBlocks }, session) {
  const { root, tools, turns } = session;
  const files = {
    ...session.files,
    "bom.md": "\ufeffhé",
    "hard.md": "\ud800 思 😀 \u2028\0</content_reference>\udfff",
  };
  const host = {
    async readFile({ path, startLine, endLine }) {
      if (startLine === undefined)
        return { content: files[path], version: String(files[path].length) };
      return files[path]
        .split("\n")
        .slice(startLine - 1, endLine)
        .join("\n");
    },
    runTool: async ({ name }) => tools[name],
    readImage: async ({ uri }) => ({ mediaType: "image/png", data: btoa(uri) }),
  };
  const trace = [];
  for (const placement of ["latest", "delta"]) {
    let assembler = new GhostBlockAssembler({ root, placement });
    assembler.setRules([{ name: "規則", content: "Be brief. @[hard.md]" }]);
    const messages = [];
    for (const { prompt, edit } of [...turns, { prompt: "@[hard.md] ![x](i.png) \ud800" }]) {
      const { text, parts, items, omitted, diagnostics } = await assembler.assemble(prompt, host);
      messages.push({ role: "user", content: text });
      const snapshot = assembler.snapshot();
      trace.push({ text, parts, items, omitted, diagnostics, snapshot: Array.from(snapshot) });
      assembler.dispose();
      assembler = GhostBlockAssembler.restore(snapshot);
      Object.assign(files, edit);
    }
    const { references } = assembler.inspect("\ud800 @[思.md:1:2] 😀 @{X}");
    const document = await assembler.expandDocument("@[hard.md]", host);
    const marked = await assembler.expandDocument("@[bom.md]", host);
    const skill = await assembler.prepareSkill("---\nDescription: d\n---\n@[hard.md]", host);
    const scanned = new GhostBlockAssembler({ root, placement });
    const count = scanned.scanHistory(messages);
    trace.push({
      references,
      document,
      marked,
      skill,
      count,
      stripped: stripGhostBlocks(messages),
    });
    scanned.dispose();
    assembler.dispose();
    Object.assign(files, session.files);
  }
  return JSON.stringify(trace);
}

/** The prompts of a few turns, with a snapshot after each, and texts that are hard to carry. */
export function turns({ SummaryInjector }) {
  const parts = { capability: "\ufeffC\ud800", direction: "思\udfff", workspace: "\ud83d W" };
  let injector = new SummaryInjector({ maxTokens: 90, maxMessages: 5 });
  const trace = [];
  for (let turn = 1; turn <= 9; turn++) {
    injector.startTurn(turn % 4 === 1 ? { task: `任務 ${turn}\n=== X ===\ud800` } : {});
    injector.addMessage({
      id: `m${turn}`,
      role: "用户",
      content: ["\ufeffé</用户>", { turn }, "\ud800"],
    });
    injector.addThinkingRound(`\u2028思 😀\0 ${turn}\n[Turn 1] no`);
    injector.storeSummary({
      summary: `第 ${turn} 轮，\udfff straße\u0085Insights: no`,
      insights: ["é", "\ud800"],
    });
    const queued = injector.recall({ turns: [turn - 1], keywords: ["STRASSE", "Ｘ"] });
    const request = turn > 6 ? injector.takeFoldRequest() : undefined;
    if (request) injector.answerFoldRequest({ summary: "\ufeff合併", insights: ["一"] });
    const thinking = injector.buildPrompt("thinking", parts);
    const action = injector.buildPrompt("action", parts);
    const snapshot = injector.snapshot();
    trace.push({ queued, request, thinking, action, snapshot: Array.from(snapshot) });
    injector.dispose();
    injector = SummaryInjector.restore(snapshot);
  }
  trace.push(injector.thinkingTools, injector.currentTurn);
  injector.dispose();
  return JSON.stringify(trace);
}

/** Every verdict on a session in a profile, and the snapshot at the end, as digests. */
export function sessionTrace({ LoopDetector }, lines, profile) {
  const detector = new LoopDetector({ profile });
  let verdicts = "";
  for (const line of lines) {
    if (line.type === "prompt_started") {
      detector.startPrompt(line.promptId, { model: line.model, userPrompt: line.userPrompt });
    } else {
      verdicts += `${JSON.stringify(detector.observe(line))}\n`;
    }
  }
  const trace = `${digest(verdicts)} ${digest(detector.snapshot())}`;
  detector.dispose();
  return trace;
}

/** What each prompt of a conversation is assembled to, and the snapshot after it, as digests. */
export async function conversationTrace({ GhostBlockAssembler }, session, placement) {
  const { root, tools, turns } = session;
  const files = { ...session.files };
  const host = {
    readFile: async ({ path, startLine = 1, endLine }) =>
      files[path]
        .split(/(?<=\n)/)
        .slice(startLine - 1, endLine)
        .join(""),
    runTool: async ({ name }) => tools[name],
  };
  const assembler = new GhostBlockAssembler({ root, placement });
  const trace = [];
  for (const { prompt, edit } of turns) {
    const { text } = await assembler.assemble(prompt, host);
    trace.push(digest(text), digest(assembler.snapshot()));
    Object.assign(files, edit);
  }
  assembler.dispose();
  return trace.join(" ");
}

/** Every verdict on a recorded session, and the bytes of a snapshot after each prompt. */
export function recorded({ LoopDetector }, lines) {
  const detector = new LoopDetector({ profile: "standard" });
  const trace = lines.map((line) => {
    if (line.type !== "prompt_started") return detector.observe(line);
    const snapshot = Array.from(detector.snapshot());
    detector.startPrompt(line.promptId, { model: line.model, userPrompt: line.userPrompt });
    return snapshot;
  });
  trace.push(Array.from(detector.snapshot()));
  detector.dispose();
  return JSON.stringify(trace);
}
