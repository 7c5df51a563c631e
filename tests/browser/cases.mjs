// What runs in Chromium and in Node: the fixtures, and the recorded sessions. It uses nothing but
// the package that it is given.

import { runDirectives } from "../node/assembler-runner.mjs";
import { runCase } from "../node/fixture-runner.mjs";

/** Runs every case; what was wrong with each, or `null`. */
export function runFixtures(turnkeeper, cases) {
  return cases.map((fixture) => {
    try {
      runCase(turnkeeper, fixture);
      return null;
    } catch (error) {
      return String(error);
    }
  });
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

/** Every verdict on a recorded session, and the bytes of a snapshot after each prompt. */
export function recorded({ LoopDetector }, lines) {
  const detector = new LoopDetector();
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
