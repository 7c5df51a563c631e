// The package that is measured: the one that `cargo xtask build` made, or TURNKEEPER_PACKAGE.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = path.resolve(
  process.env.TURNKEEPER_PACKAGE ?? fileURLToPath(new URL("../../pkg", import.meta.url)),
);
const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));

/** The file that an import of a subpath gives in Node. */
export const addressOf = (subpath) =>
  pathToFileURL(path.join(folder, manifest.exports[subpath].default)).href;

const {
  GhostBlockAssembler,
  HistoryDeduper,
  LoopDetector,
  SummaryInjector,
  TerminalSelector,
  dedupeHistory,
  withEnvironment,
} = await import(addressOf("."));

export function contender(profile) {
  const detector = new LoopDetector({ profile });
  detector.startPrompt("bench", { model: "gemini-2.5-pro" });
  return {
    name: "turnkeeper",
    proseEvent: (text) => ({ type: "text", text }),
    callEvent: (name, args) => ({ type: "tool_call", name, args }),
    take: (event) => detector.observe(event),
    /** A turn of a session: prose, a call and its result. */
    takeTurn: (events) => detector.observeAll(events),
    hasFired: () => detector.verdict.action !== "ok",
  };
}

/** What the rows of histories do, by name. */
export function historyContender(what) {
  const deduper = new HistoryDeduper();
  const takes = {
    message: (message) => deduper.push(message),
    stale: (message) => deduper.push(message),
    whole: (messages) => dedupeHistory(messages),
    shortened: (messages) => dedupeHistory(messages, { economy: "resume" }),
    turn: ({ content, details }) => withEnvironment(content, details),
  };
  return { name: "turnkeeper", take: takes[what], end: () => deduper.dispose() };
}

export function assembleContender() {
  const assembler = new GhostBlockAssembler({ root: "/work" });
  return {
    name: "turnkeeper",
    take: async ({ prompt, host }) => (await assembler.assemble(prompt, host)).text,
  };
}

export function turnContender() {
  return Object.assign(new SummaryInjector(), { name: "turnkeeper" });
}

/** The prompt's macros are defined, as they are when somebody types on. */
export async function inspectContender(definitions) {
  const assembler = new GhostBlockAssembler({ root: "/work" });
  await assembler.assemble(definitions, { readFile: async () => "" });
  return { name: "turnkeeper", take: (prompt) => assembler.inspect(prompt) };
}

/** A choice reserves its terminal, so it is taken back each time, which is timed, too. */
export function terminalsContender(terminals) {
  const selector = new TerminalSelector({ platform: "posix" });
  for (const terminal of terminals) selector.register(terminal);
  return {
    name: "turnkeeper",
    take: (request) => {
      const choice = selector.select(request);
      selector.cancel(choice.terminalId);
      return choice;
    },
  };
}
