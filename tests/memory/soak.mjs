// Millions of events, and what is in use after each tenth of them:
//
//     node --expose-gc soak.mjs [--short]
//
// With `--short` each is a hundredth as long. Prints a table, and ends with 1 if something grows.

import { parseArgs } from "node:util";

import { turnkeeper } from "../node/installed-package.mjs";

const { AgentSession, LoopDetector } = turnkeeper;

export const PROFILES = [
  "standard",
  "adaptive",
  "gemini-cli",
  "deepv",
  "openhands",
  "roo",
  "cline",
  "crush",
  "openhands-sdk",
  "opencode",
  "qwen-code",
  "openclaw",
  "goose",
];

const MB = 1024 * 1024;
/** What may be in use more at the end than after the first tenth, in bytes. */
const MOST_GROWTH = MB;
/** What a session keeps of each turn, beside that: its summary, which can be recalled for ever. */
const KEPT_OF_A_TURN = 256;

/** Bytes in use, Wasm memory included, and everything that keeps a process alive. */
async function inUse() {
  // Finalisers run between two collections.
  globalThis.gc();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return {
    bytes: heapUsed + external + arrayBuffers,
    handles:
      process.getActiveResourcesInfo?.().filter((name) => !/Pipe|TTY|FSReq/.test(name)).length ?? 0,
  };
}

/** Does `count` pieces of work, and looks after each tenth of them. */
async function watched(name, count, work) {
  const looks = [];
  for (let tenth = 0; tenth < 10; tenth++) {
    await work((tenth * count) / 10, ((tenth + 1) * count) / 10);
    looks.push(await inUse());
  }
  const [first, last] = [looks[0], looks.at(-1)];
  return {
    name,
    count,
    first: first.bytes,
    last: last.bytes,
    most: Math.max(...looks.map(({ bytes }) => bytes)),
    handles: Math.max(...looks.map(({ handles }) => handles)),
  };
}

/** Events of a session that goes on and on: words, calls with their results, new turns and prompts. */
export function eventAt(n) {
  switch (n % 10) {
    case 0:
      return { type: "turn_started" };
    case 1:
      return { type: "reasoning", text: `Look at ${(n * 7919) % 1009} now. ` };
    case 2:
    case 3:
    case 4:
    case 5:
      return { type: "text", text: `word${(n * 31) % 997} 思 ` };
    case 6:
    case 8:
      return {
        type: "tool_call",
        id: `c${n}`,
        name: `tool${(n * 13) % 53}`,
        args: { path: `f${n}`, n },
      };
    default:
      return { type: "tool_result", id: `c${n - 1}`, output: `done ${n}`, exitCode: 0 };
  }
}

/** Events through one detector, of whatever profile. */
export function soakProfile(profile, count) {
  const detector = new LoopDetector({ profile });
  const work = (from, to) => {
    for (let n = from; n < to; n++) {
      if (n % 5_000 === 0) detector.startPrompt(`p${n}`, { model: "m" });
      detector.observe(eventAt(n));
    }
  };
  return watched(profile, count, work).finally(() => detector.dispose());
}

const host = {
  readFile: async ({ path }) => ({ content: `text of ${path}`, version: "1" }),
  runTool: async () => "done",
};
const parts = { capability: "C", direction: "D", workspace: "W" };

async function* streamOf(events) {
  yield* events;
}

/** Turns of one session, each saved, and restored now and then. */
export function soakSession(count) {
  let session = new AgentSession({
    assembler: { root: "/work", maxTokens: 2_000 },
    terminals: { platform: "posix" },
    summaries: { maxMessages: 40, maxTokens: 500 },
  });
  session.terminals.register({
    id: 1,
    provider: "vscode",
    shell: "bash",
    workingDirectory: "/work",
  });
  let longest = 0;
  const turn = async (n) => {
    session.beginTurn({ prompt: `Look at @[f${n % 20}.md], ${n}`, task: "task", model: "m" });
    const message = await session.assemble(host, { environment: `# Time\n${n}` });
    session.summaries.addMessage(message);
    session.buildPrompt("action", parts);
    const events = [n * 10 + 1, n * 10 + 2, n * 10 + 6, n * 10 + 7].map(eventAt);
    for await (const event of session.guard(streamOf(events), { adapter: (event) => event })) {
      if (event.type === "loop_detected") throw new Error(`a loop in turn ${n}`);
    }
    session.terminal({ command: "make", workingDirectory: "/work", provider: "vscode" });
    session.endTurn({ summary: `Turn ${n} is done.` });
    const request = session.summaries.takeFoldRequest();
    if (request) session.summaries.answerFoldRequest({ summary: "What came before." });
    const snapshot = session.snapshot();
    longest = Math.max(longest, snapshot.length);
    if (n % 100 === 99) {
      session.dispose();
      session = AgentSession.restore(snapshot);
    }
  };
  const work = async (from, to) => {
    for (let n = from; n < to; n++) await turn(n);
  };
  return watched("AgentSession, turns", count, work)
    .then((row) => ({ ...row, longest, kept: 0.9 * count * KEPT_OF_A_TURN }))
    .finally(() => session.dispose());
}

/** Why a row is not flat, if it is not. */
export function growth({ name, first, last, handles, kept = 0 }) {
  if (last - first > MOST_GROWTH + kept) return `${name} has grown by ${last - first} bytes`;
  return handles > 0 ? `${name} keeps ${handles} handles or timers` : undefined;
}

async function main() {
  const { values } = parseArgs({ options: { short: { type: "boolean" } } });
  const share = values.short ? 100 : 1;
  const problems = [];
  const show = (row) => {
    const mb = (bytes) => (bytes / MB).toFixed(2).padStart(8);
    const { name, count, first, last, most, handles } = row;
    console.log(
      `${name.padEnd(20)} ${String(count).padStart(9)} ${mb(first)} ${mb(last)} ${mb(most)} ${handles}`,
    );
    const problem = growth(row);
    if (problem) problems.push(problem);
  };
  console.log("                       events  first MB  last MB  most MB  handles and timers");
  for (const profile of PROFILES) show(await soakProfile(profile, 10_000_000 / share));
  const session = await soakSession(100_000 / share);
  show(session);
  console.log(`longest snapshot of a session: ${session.longest} bytes`);
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (process.argv[1]?.endsWith("soak.mjs")) await main();
