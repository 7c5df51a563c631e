// Random sessions through gemini-cli's own service and the one that takes its place: the same counts,
// the same kinds, and the same questions to the same models.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LoopDetectionService as Original } from "@google/gemini-cli-core/dist/src/services/loopDetectionService.js";

import { load } from "../node/installed-package.mjs";
import { random, seed } from "../node/random.mjs";

const { LoopDetectionService } = load("turnkeeper/replace/gemini-cli");

const ROUNDS = 60;
const STEPS = 400;
const KINDS = [
  "consecutive_identical_tool_calls",
  "chanting_identical_sentences",
  "llm_detected_loop",
];
const { signal } = new AbortController();
const pick = (items) => items[random(items.length)];

/** A host with one service; `answers` are what its models will say, and `asked` what they were. */
class Host {
  asked = [];
  answers = [];

  constructor(Service) {
    const config = {
      getDisableLoopDetection: () => false,
      getDebugMode: () => false,
      getTelemetryEnabled: () => false,
      getUsageStatisticsEnabled: () => false,
      isInteractive: () => false,
      getBaseLlmClient: () => ({
        generateJson: async ({ modelConfigKey, contents }) => {
          this.asked.push([modelConfigKey.model, contents.length]);
          return this.answers[this.asked.length % this.answers.length];
        },
      }),
      getModelAvailabilityService: () => ({ snapshot: () => ({ available: true }) }),
      modelConfigService: { getResolvedConfig: ({ model }) => ({ model }) },
    };
    const geminiClient = { getHistory: () => this.history };
    this.service = new Service({ config, geminiClient });
  }

  async play({ what, event, promptId, userPrompt, answers, history }) {
    this.answers = answers ?? this.answers;
    this.history = history ?? this.history;
    switch (what) {
      case "event":
        return this.service.addAndCheck(event);
      case "turn":
        return this.service.turnStarted(signal);
      case "clear":
        return this.service.clearDetection();
      default:
        return this.service.reset(promptId, userPrompt);
    }
  }
}

const TOOLS = ["read_file", "shell"];
const ARGS = [{ path: "a" }, { path: "b" }, { b: 1, a: 2 }, { a: 2, b: 1 }, {}];
const WORDS = [
  "again and again it tries ",
  "the same thing ",
  "```\n",
  "\n- item ",
  "# Title\n",
  ".",
  "12",
];
const HISTORIES = [
  [],
  [
    { role: "model", parts: [{ functionCall: { name: "t" } }] },
    { role: "model", parts: [{ text: "x" }] },
  ],
  [
    { role: "user", parts: [{ functionResponse: { name: "t" } }] },
    { role: "user", parts: [{ text: "x" }] },
  ],
];

/**
 * A step of a session. It leans towards repetition, and in some sessions towards turns, or else nothing
 * would be found and no model asked.
 */
function step(before, isOfTurns) {
  if (random(200) === 0) {
    return { what: "reset", promptId: pick(["p1", "p2"]), userPrompt: pick([undefined, "Do it."]) };
  }
  if (random(20) === 0) return { what: "clear" };
  if (before?.what === "event" && !isOfTurns && random(10) < 7) return before;
  if (random(10) < (isOfTurns ? 9 : 3)) {
    const confidences = [pick([0, 0.5, 0.85, 0.9, 1]), pick([0, 0.5, 0.9, 1])];
    const answers = confidences.map((value) => ({ unproductive_state_confidence: value }));
    return { what: "turn", history: pick(HISTORIES), answers };
  }
  return { what: "event", event: pick([toolCall, toolCall, content, content, other])() };
}

function toolCall() {
  return {
    type: "tool_call_request",
    value: { callId: "c", name: pick(TOOLS), args: pick(ARGS) },
  };
}

const content = () => ({ type: "content", value: pick(WORDS).repeat(1 + random(3)) });
const other = () => ({ type: pick(["finished", "thought", "citation"]), value: {} });

test(`random sessions are judged as by gemini-cli itself (seed ${seed})`, async () => {
  const found = new Map();
  let questions = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [original, ours] = [new Host(Original), new Host(LoopDetectionService)];
    let last;
    for (let at = 0; at < STEPS; at++) {
      last = step(last, round % 3 === 0);
      const message = `seed ${seed}, round ${round}, step ${at}: ${JSON.stringify(last)}`;
      const [expected, given] = [await original.play(last), await ours.play(last)];
      assert.deepEqual(verdict(given), verdict(expected), message);
      assert.deepEqual(ours.asked, original.asked, message);
      found.set(given?.type, (found.get(given?.type) ?? 0) + 1);
    }
    questions += ours.asked.length;
    ours.service.dispose();
  }
  // Equal silence would prove nothing.
  for (const type of KINDS) assert.ok(found.get(type) >= 10, `${found.get(type)} of ${type}`);
  assert.ok(questions >= 10, `${questions} questions`);
});

/** What must be equal; the words are each service's own. */
function verdict(result) {
  return result && { count: result.count, type: result.type, by: result.confirmedByModel };
}
