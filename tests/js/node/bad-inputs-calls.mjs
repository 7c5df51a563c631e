// A valid call of everything that the main entry and `turnkeeper/sessions` export, into which bad values
// are put. A row is a list of arguments, made anew for each call, or what to do instead.

import { load, turnkeeper } from "./installed-package.mjs";

const sessions = load("turnkeeper/sessions");

const assembler = () => ({
  root: "/work",
  allowedRoots: ["/lib"],
  maxTokens: 900,
  countTokens: (t) => t.length,
});
const TERMINALS = { platform: "posix", maxDirectoryChanges: 2 };
const EVENT = { type: "text", text: "x" };
const CALL = { type: "tool_call", id: "1", name: "ls", args: { path: ["a"] } };
const RESULT = { type: "tool_result", id: "1", output: "x", isError: false, exitCode: 0 };
const block = "<environment_details>\nx\n</environment_details>";
const part = (text) => ({ type: "text", text });
const message = () => ({ role: "user", content: [part(block), part("x"), part(block)] });
const host = () => ({
  readFile: async () => ({ content: "x", version: "1" }),
  runTool: async () => "x",
});
const terminal = () => ({
  id: 2,
  provider: "p",
  shell: "bash",
  workingDirectory: "/a",
  taskId: "t",
  busy: false,
});
const request = () => ({ command: "ls", workingDirectory: "/a", provider: "p", taskId: "t" });
const parts = () => ({ capability: "c", direction: "d", workspace: "w" });
const guarded = () => ({ adapter: (event) => event, onLoopDetected: () => {} });
async function* stream() {
  yield* [EVENT, CALL];
}
const drained = async (events) => {
  for await (const _ of events);
};

/** An object of each class, with something in it. */
export const MAKE = {
  LoopDetector: () => {
    const detector = new turnkeeper.LoopDetector();
    detector.startPrompt("p");
    return detector;
  },
  GhostBlockAssembler: () => new turnkeeper.GhostBlockAssembler(assembler()),
  HistoryDeduper: () => new turnkeeper.HistoryDeduper({ embedded: true, files: "newest" }),
  SummaryInjector: () => {
    const injector = new turnkeeper.SummaryInjector();
    injector.startTurn({ task: "t" });
    return injector;
  },
  TerminalSelector: () => {
    const selector = new turnkeeper.TerminalSelector(TERMINALS);
    selector.register({ id: 1, provider: "p", shell: "bash", workingDirectory: "/a" });
    return selector;
  },
  WorkLedger: () => {
    const ledger = new turnkeeper.WorkLedger();
    ledger.prompt("p");
    return ledger;
  },
  AgentSession: () => {
    const session = new turnkeeper.AgentSession({ assembler: assembler(), terminals: TERMINALS });
    session.beginTurn({ prompt: "@[a.md]" });
    return session;
  },
};

const snapshotOf = (name) => () => [MAKE[name]().snapshot()];
/** Calls that take nothing: that they answer is all there is to see. */
const nothing = (...names) => Object.fromEntries(names.map((name) => [name, { args: () => [] }]));
const row = (args, more) => ({ args, ...more });
/** A call that hands on what the host's own code throws. */
const handsOn = (args, more) => row(args, { ...more, handsOn: true });

/** A history that was repaired, and the report that undoes it. */
function restorable() {
  const { messages, report } = turnkeeper.dedupeHistory([message(), message()]);
  return [messages, report];
}

/** The turns of an injector, and its options. */
function exportedTurns() {
  const injector = MAKE.SummaryInjector();
  injector.addMessage({ id: "1", ...message() });
  injector.addThinkingRound("x");
  injector.addToolCall({ name: "ls", args: {} });
  injector.storeSummary({ summary: "s", insights: ["i"] });
  injector.setNotes({ status: "done" });
  return [injector.exportTurns(), { maxTokens: 900 }];
}

const rows = {
  "new LoopDetector": row(() => [
    { profile: "standard", previewModel: /x/, thresholds: undefined },
  ]),
  "LoopDetector.startPrompt": row(() => ["q", { model: "m", userPrompt: "u" }]),
  "LoopDetector.observe": [
    row(() => [{ ...EVENT }]),
    row(() => [structuredClone(CALL)]),
    row(() => [{ ...RESULT }]),
    row(() => [{ type: "loop_reported", by: "x", detail: "y" }]),
  ],
  "LoopDetector.observeAll": row(() => [structuredClone([EVENT, CALL, RESULT])]),
  "LoopDetector.answerModelCheck": row(() => [{ confidence: 0.9, reasoning: "r" }]),
  "LoopDetector.restore": row(snapshotOf("LoopDetector")),
  "new GhostBlockAssembler": row(() => [assembler()]),
  "GhostBlockAssembler.setRules": row(() => [[{ name: "r", content: "R" }]]),
  "GhostBlockAssembler.inspect": row(() => ["@[a.md]"]),
  "GhostBlockAssembler.assemble": handsOn(() => ["@[a.md]", host(), {}]),
  "GhostBlockAssembler.resolve": handsOn(() => ["@[a.md]", host(), {}]),
  "GhostBlockAssembler.preprocess": row(() => ["@{A}", { A: "x" }]),
  "GhostBlockAssembler.expandDocument": handsOn(() => ["@[a.md]", host(), {}]),
  "GhostBlockAssembler.prepareSkill": handsOn(() => ["# S\n@[a.md]", host(), {}]),
  "GhostBlockAssembler.scanHistory": row(() => [[message()]]),
  "GhostBlockAssembler.forget": row(() => ["a.md"]),
  "GhostBlockAssembler.restore": row(() => [MAKE.GhostBlockAssembler().snapshot(), {}]),
  "new HistoryDeduper": row(() => [{ tags: ["a"], keep: "last", recent: 2, cache: { idleMs: 1 } }]),
  "HistoryDeduper.push": row(() => [message()]),
  dedupeHistory: row(() => [[message(), { role: "assistant", content: "x" }], { tags: ["a"] }]),
  restoreHistory: row(restorable),
  withEnvironment: row(() => [[part("x")], "details", { tags: ["a"], onExisting: "keep" }]),
  stripEnvironment: row(() => [[part(block)], { tags: ["environment_details"] }]),
  stripGhostBlocks: row(() => [[message()]]),
  "new SummaryInjector": row(() => [{ maxTokens: 900, maxMessages: 9 }]),
  "SummaryInjector.startTurn": row(() => [{ task: "t", workspace: "w" }]),
  "SummaryInjector.addMessage": row(() => [{ id: "1", ...message() }]),
  "SummaryInjector.addThinkingRound": row(() => ["x"]),
  "SummaryInjector.addToolCall": row(() => [{ name: "ls", args: { path: "a" }, result: "x" }]),
  "SummaryInjector.setNotes": row(() => [{ status: "done" }, 1]),
  "SummaryInjector.turns": row(() => [{ from: 1, to: 2, last: 1 }]),
  "SummaryInjector.search": row(() => [["t"]]),
  "SummaryInjector.importTurns": row(exportedTurns),
  "SummaryInjector.storeSummary": row(() => [{ summary: "s", insights: ["i"], turn: 1 }]),
  "SummaryInjector.actionContext": row(() => ["w"]),
  "SummaryInjector.thinkingContext": row(() => ["w"]),
  "SummaryInjector.systemPrompt": row(() => [{ capability: "c", direction: "d" }]),
  "SummaryInjector.recall": row(() => [{ turns: [1], ids: ["1"], keywords: ["k"] }]),
  "SummaryInjector.buildPrompt": row(() => ["action", parts()]),
  "SummaryInjector.answerFoldRequest": row(() => [{ summary: "s", insights: ["i"] }], {
    refuses: "wrong_order",
  }),
  "SummaryInjector.answerSummaryRequest": row(
    () => [
      {
        goal: "g",
        done: "d",
        decisions: ["x"],
        files: ["a.ts"],
        openPoints: ["o"],
        insights: ["i"],
      },
      { finished: true },
    ],
    { refuses: "wrong_order" },
  ),
  "SummaryInjector.restore": row(snapshotOf("SummaryInjector")),
  "new WorkLedger": row(() => []),
  "WorkLedger.observe": [row(() => [structuredClone(CALL)]), row(() => [{ ...RESULT }])],
  "WorkLedger.prompt": row(() => ["p"]),
  "WorkLedger.text": row(() => [{ maxCharacters: 900 }]),
  "WorkLedger.restore": row(snapshotOf("WorkLedger")),
  "new TerminalSelector": row(() => [{ ...TERMINALS }]),
  "TerminalSelector.register": row(() => [terminal()]),
  "TerminalSelector.update": row(() => [1, { workingDirectory: "/b", busy: true }]),
  "TerminalSelector.sync": row(() => [[terminal()]]),
  "TerminalSelector.releaseTask": row(() => ["t"]),
  "TerminalSelector.cancel": row(() => [1], { refuses: "wrong_order" }),
  "TerminalSelector.select": row(() => [request()]),
  "TerminalSelector.restore": row(snapshotOf("TerminalSelector")),
  pathRelation: row(() => ["/a", "/b", { platform: "posix" }]),
  "new AgentSession": row(() => [
    {
      assembler: assembler(),
      terminals: { ...TERMINALS },
      loop: {},
      environmentTags: ["a"],
      environmentSeparator: "\n",
    },
  ]),
  "AgentSession.beginTurn": row(() => [{ prompt: "p", promptId: "i", task: "t", model: "m" }]),
  "AgentSession.assemble": handsOn(() => [host(), { environment: "e" }]),
  "AgentSession.buildPrompt": row(() => ["action", parts()]),
  "AgentSession.guard": handsOn(() => [stream(), guarded()], { then: drained }),
  "AgentSession.selectTerminal": row(() => [request()]),
  "AgentSession.endTurn": row(() => [{ summary: "s", insights: ["i"] }]),
  "AgentSession.restore": row(() => [MAKE.AgentSession().snapshot(), {}]),
  guardStream: handsOn(() => [stream(), MAKE.LoopDetector(), guarded()], { then: drained }),
  ...nothing(
    "LoopDetector.blind",
    "LoopDetector.clear",
    "LoopDetector.counts",
    "LoopDetector.disable",
    "LoopDetector.dispose",
    "LoopDetector.enable",
    "LoopDetector.progress",
    "LoopDetector.prompt",
    "LoopDetector.snapshot",
    "LoopDetector.stopped",
    "LoopDetector.takeFeedback",
    "LoopDetector.takeModelCheck",
    "LoopDetector.verdict",
    "GhostBlockAssembler.dispose",
    "GhostBlockAssembler.historyDiagnostics",
    "GhostBlockAssembler.items",
    "GhostBlockAssembler.macros",
    "GhostBlockAssembler.snapshot",
    "HistoryDeduper.dispose",
    "HistoryDeduper.report",
    "SummaryInjector.accumulatedSummaries",
    "SummaryInjector.completeTurn",
    "SummaryInjector.currentTurn",
    "SummaryInjector.dispose",
    "SummaryInjector.dropFoldRequest",
    "SummaryInjector.dropSummaryRequest",
    "SummaryInjector.exportTurns",
    "SummaryInjector.log",
    "SummaryInjector.requestSucceeded",
    "SummaryInjector.snapshot",
    "SummaryInjector.takeFoldRequest",
    "SummaryInjector.takeSummaryRequest",
    "SummaryInjector.thinkingMessage",
    "SummaryInjector.thinkingTools",
    "TerminalSelector.dispose",
    "TerminalSelector.log",
    "TerminalSelector.snapshot",
    "TerminalSelector.terminals",
    "WorkLedger.dispose",
    "WorkLedger.snapshot",
    "AgentSession.assembler",
    "AgentSession.dispose",
    "AgentSession.log",
    "AgentSession.loop",
    "AgentSession.snapshot",
    "AgentSession.summaries",
    "AgentSession.terminals",
    "preload",
  ),
  // It is exported to be told by, and takes what the package gives it.
  "new TurnkeeperError": row(() => [], { isOwn: true }),
};

const session = () => JSON.stringify([message()]);
const sessionRows = {
  detectFormat: row(() => [session(), "a.json"]),
  eventsOf: row(() => [[message()], "anthropic"]),
  readSession: row(() => [session(), { name: "a.json" }]),
};

/** The rows of each entry, and what the entry exports. */
export const CALLS = new Map([
  ["turnkeeper", { rows, entry: turnkeeper }],
  ["turnkeeper/sessions", { rows: sessionRows, entry: sessions }],
]);
