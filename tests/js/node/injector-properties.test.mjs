// Random conversations: what must hold for every one. A failure prints the seed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { SummaryInjector, TurnkeeperError } = turnkeeper;
const one = (list) => list[random(list.length)];
const several = (most, make) => Array.from({ length: random(most + 1) }, make);

const PIECES = [
  "Found it. ",
  "思考",
  "😀",
  "\ud800",
  " ",
  "\n",
  "\n\n",
  "\r",
  "\u2028",
  "\u200b",
  "=== TASK CONTEXT ===",
  "=== accumulated memory summaries ===",
  "===",
  "[Turn 2] ",
  "Insights: ",
  "Round 1: ",
  "User's Goal: ",
  "</user>",
  '"\\',
];
const text = () => several(6, () => one(PIECES)).join("");

function json(depth = 0) {
  const kind = random(depth < 3 ? 7 : 5);
  if (kind < 2) return text();
  if (kind === 2) return random(1_000) / 8;
  if (kind === 3) return one([true, false, null]);
  if (kind === 4) return { type: one(["text", "tool_use"]), text: text() };
  if (kind === 5) return several(3, () => json(depth + 1));
  return Object.fromEntries(several(3, () => [text(), json(depth + 1)]));
}

/** One call, the same for every injector that it is given. */
function step() {
  switch (random(14)) {
    case 0:
    case 1: {
      const turn = random(2) ? {} : { task: text(), workspace: text() };
      return (injector) => injector.startTurn(turn);
    }
    case 2:
    case 3: {
      const message = { role: one(["user", "assistant", "工具"]), content: json(), ts: random(9) };
      if (random(2)) message.id = one(["a", "b"]);
      return (injector) => injector.addMessage(message);
    }
    case 4: {
      const round = text();
      return (injector) => injector.addThinkingRound(round);
    }
    case 5:
    case 6:
    case 7: {
      const summary = { summary: text(), insights: several(3, text) };
      if (random(4) === 0) summary.turn = 1 + random(9);
      return (injector) => injector.storeSummary(summary);
    }
    case 8:
      return one([
        (injector) => injector.completeTurn(),
        (injector) => injector.dropFoldRequest(),
        (injector) => injector.currentTurn,
      ]);
    case 9:
      return (injector) => injector.takeFoldRequest();
    case 10: {
      const answer = { summary: text(), insights: several(2, text) };
      return (injector) => injector.answerFoldRequest(answer);
    }
    case 11: {
      const what = {
        turns: several(2, () => random(9)),
        ids: several(1, () => one(["a", "c"])),
        keywords: several(1, () => one(["found", "思", "TOOL", text()])),
      };
      return (injector) => injector.recall(what);
    }
    default: {
      const parts = { capability: text(), direction: text(), workspace: text() };
      const phase = one(["thinking", "action"]);
      return (injector) => injector.buildPrompt(phase, parts);
    }
  }
}

/** What a call gives, or the code of what it throws. */
function outcome(work, injector) {
  try {
    return { gave: work(injector) };
  } catch (error) {
    if (!(error instanceof TurnkeeperError)) throw error;
    return { threw: error.code, message: error.message };
  }
}

test("one that is restored goes on as if it had never stopped", () => {
  for (let round = 0; round < 150; round++) {
    const options = one([
      {},
      { maxTokens: 20 + random(100) },
      { maxRecalledMessages: 2, maxMessages: 4 },
    ]);
    const straight = new SummaryInjector(options);
    let saving = new SummaryInjector(options);
    for (let at = 0; at < 40; at++) {
      const work = step();
      assert.deepEqual(outcome(work, saving), outcome(work, straight), `seed ${seed}`);
      assert.equal(saving.accumulatedSummaries(), straight.accumulatedSummaries(), `seed ${seed}`);
      assert.deepEqual(saving.snapshot(), straight.snapshot(), `seed ${seed}`);
      if (random(3) === 0) {
        const snapshot = saving.snapshot();
        saving.dispose();
        saving = SummaryInjector.restore(snapshot);
      }
    }
    straight.dispose();
    saving.dispose();
  }
});

test("messages come back as JSON has them", () => {
  for (let round = 0; round < 200; round++) {
    const injector = new SummaryInjector();
    injector.startTurn();
    const messages = several(5, () => ({ role: "user", content: json(), [text()]: json() })).map(
      (message) => ({ ...message, role: "user" }),
    );
    for (const message of messages) if ("content" in message) injector.addMessage(message);
    injector.recall({ turns: [1] });
    const parts = { capability: "", direction: "", workspace: "" };
    const expected = JSON.parse(JSON.stringify(messages));
    const { conversationHistory } = injector.buildPrompt("action", parts);
    assert.deepEqual(conversationHistory, expected, `seed ${seed}`);
    injector.dispose();
  }
});

const HEADINGS =
  /^=== (TASK|WORKSPACE|CURRENT WORKSPACE) CONTEXT ===$|^=== (ACCUMULATED MEMORY SUMMARIES|PREVIOUS THINKING ROUNDS) ===$/i;
/** What a reader takes for the beginnings of sections and entries, in order. */
const beginnings = (prompt) =>
  prompt
    .split(/[\n\r\u2028]/)
    .map((line) => line.replaceAll("\u200b", "").trim())
    .flatMap((line) => {
      if (HEADINGS.test(line)) return [line];
      const label = /^(\[Turns? [\d-]+\]|Insights:|Round \d+:|User's Goal:)/i.exec(line);
      return label ? [label[0]] : [];
    });

test("sections and entries that are found are those that were put in", () => {
  for (let round = 0; round < 300; round++) {
    const injector = new SummaryInjector();
    const expected = [];
    const task = text();
    if (task.trim()) expected.push("=== TASK CONTEXT ===", "User's Goal:");
    expected.push("=== WORKSPACE CONTEXT ===");
    const entries = [];
    for (let turn = 1; turn <= 4; turn++) {
      injector.startTurn(turn === 1 ? { task } : {});
      const summary = text();
      const insights = several(2, text);
      injector.storeSummary({ summary, insights });
      const hasInsights = insights.some((insight) => insight.trim());
      if (summary.trim() || hasInsights) entries.push(`[Turn ${turn}]`);
      if (hasInsights) entries.push("Insights:");
    }
    if (entries.length) expected.push("=== ACCUMULATED MEMORY SUMMARIES ===", ...entries);
    const rounds = several(3, text).filter((thought) => thought.trim());
    rounds.forEach((thought) => injector.addThinkingRound(thought));
    if (rounds.length) expected.push("=== PREVIOUS THINKING ROUNDS ===");
    rounds.forEach((_, at) => expected.push(`Round ${at + 1}:`));
    assert.deepEqual(beginnings(injector.thinkingContext("W")), expected, `seed ${seed}`);
    injector.dispose();
  }
});

test("a turn's summary is added behind those before it, until the budget is full", () => {
  for (let round = 0; round < 100; round++) {
    const injector = new SummaryInjector({ maxTokens: 50 + random(300) });
    let before = "";
    for (let turn = 1; turn <= 15; turn++) {
      injector.startTurn();
      injector.storeSummary({ summary: text(), insights: several(2, text) });
      const now = injector.accumulatedSummaries();
      const isFull = injector.log.some(({ what }) => what !== "turn_completed");
      if (isFull || injector.takeFoldRequest()) break;
      assert.ok(now.startsWith(before), `seed ${seed}`);
      before = now;
    }
    injector.dispose();
  }
});
