// What hosts rely on beside the rules, each with the words that the documents have for it. The cases that
// both languages run are in the fixtures of the loop detector.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { PEERS, PROFILES } from "../profiles.mjs";
import { load, turnkeeper } from "./installed-package.mjs";
import { collect, sameCalls, source, watched } from "./streams.mjs";

const { LoopDetector } = turnkeeper;
const { eventsOf, readSession } = load("turnkeeper/sessions");
const gemini = load("turnkeeper/adapters/gemini");
const peers = load("turnkeeper/peers");

const ALL_PROFILES = [...PROFILES, ...PEERS];

/** A detector with the package's own rules, or with another agent's. */
const detectorOf = (profile) =>
  PEERS.includes(profile) ? new peers.LoopDetector({ profile }) : new LoopDetector({ profile });

const call = (args, id) => ({ type: "tool_call", name: "look", args, ...(id && { id }) });
const result = (output) => ({ type: "tool_result", output });

/** The events that the guard lets through of a stream, and what its host is told. */
async function told(events, detector, adapter) {
  const guarded = watched(source(events), detector, { adapter });
  const seen = await collect(guarded);
  return { seen, announced: guarded.told, stopped: detector.stopped };
}

describe("the host's own verdict is heard", () => {
  const ofGeminiCli = { type: "loop_detected", value: { prompt_id: "p1" } };
  const ofQwenCode = { type: "loop_detected", value: { loopType: "global_tool_call_repetition" } };
  const printed = {
    type: "error",
    timestamp: "2026-01-01T00:00:00.000Z",
    severity: "warning",
    message: "Loop detected, stopping execution",
  };
  for (const [name, verdict] of Object.entries({ ofGeminiCli, ofQwenCode, printed })) {
    test(`${name}: announced once, held back, and the end of the stream, in every profile`, async () => {
      for (const profile of ALL_PROFILES) {
        const events = [{ type: "content", value: "I look." }, verdict];
        const after = { type: "content", value: "Again." };
        const detector = detectorOf(profile);
        const all = await told([...events, after, verdict], detector, gemini.streamAdapter());
        assert.deepEqual(all.seen, events.slice(0, 1), profile);
        assert.equal(all.announced.length, 1, profile);
        const { action, report } = all.announced[0].verdict;
        assert.equal(action, "stop");
        assert.equal(report.type, "host_detected_loop");
        assert.equal(report.rule, "host_report");
        assert.equal(all.stopped, true);
      }
    });
  }

  test("an error that is no loop passes", async () => {
    const error = { ...printed, message: "Maximum session turns exceeded" };
    const all = await told([error], new LoopDetector(), gemini.streamAdapter());
    assert.deepEqual([all.seen.length, all.announced.length, all.stopped], [1, 0, false]);
  });

  const state = (agent_state, reason) => ({
    id: 9,
    source: "environment",
    observation: "agent_state_changed",
    content: "",
    extras: { agent_state, reason },
  });
  const update = (key, value) => ({
    kind: "ConversationStateUpdateEvent",
    source: "environment",
    key,
    value,
  });
  const openHands = [
    [state("error", "AgentStuckInLoopError: Agent got stuck in a loop"), true],
    [state("error", "RuntimeError: no disk"), false],
    [state("running", ""), false],
    [{ id: 9, source: "agent", observation: "error", content: "Agent got stuck in a loop" }, true],
    [{ id: 9, source: "agent", observation: "error", content: "No such file" }, false],
    [update("execution_status", "stuck"), true],
    [update("full_state", { execution_status: "stuck" }), true],
    [update("execution_status", "finished"), false],
    [update("stats", "stuck"), false],
  ];

  test("an event stream of OpenHands, of the application and of the SDK", async () => {
    for (const [event, isVerdict] of openHands) {
      const adapter = (given) => eventsOf([given], "openhands");
      const all = await told([event, event], new LoopDetector(), adapter);
      assert.equal(all.announced.length, isVerdict ? 1 : 0, JSON.stringify(event));
      assert.equal(all.seen.length, isVerdict ? 0 : 2, JSON.stringify(event));
    }
  });

  const sessions = {
    "a saved session of OpenHands": [
      { id: 1, source: "user", action: "message", args: { content: "Dig." } },
      state("error", "AgentStuckInLoopError: Agent got stuck in a loop"),
    ],
    "a run of OpenHands' evaluation": [
      {
        instance_id: "garden-1",
        history: [{ id: 1, source: "user", action: "message", args: { content: "Dig." } }],
        test_result: {},
        error: "AgentStuckInLoopError: Agent got stuck in a loop",
      },
    ],
    "a session of gemini-cli": {
      sessionId: "s",
      projectHash: "h",
      messages: [
        { id: "1", timestamp: "2026-01-01T00:00:00.000Z", type: "user", content: "Dig." },
        {
          id: "2",
          timestamp: "2026-01-01T00:00:00.000Z",
          type: "info",
          content: "A potential loop was detected. This can happen due to repetitive tool calls.",
        },
      ],
    },
    "a panel of Roo Code": [
      { ts: 1, type: "say", say: "task", text: "Dig." },
      {
        ts: 2,
        type: "ask",
        ask: "mistake_limit_reached",
        text: "Roo appears to be stuck in a loop, attempting the same action (read_file) repeatedly.",
      },
      { ts: 3, type: "ask", ask: "mistake_limit_reached", text: "The model failed to use a tool." },
    ],
    "what gemini-cli prints": [
      { type: "init", timestamp: "t", session_id: "s", model: "m" },
      { type: "message", timestamp: "t", role: "user", content: "Dig." },
      printed,
    ],
  };
  for (const [name, content] of Object.entries(sessions)) {
    test(`${name} has one verdict`, async () => {
      const lines = (Array.isArray(content) ? content : [content]).map((line) =>
        JSON.stringify(line),
      );
      const { events } = await readSession(`${lines.join("\n")}\n`);
      const verdicts = events.filter(({ type }) => type === "loop_reported");
      assert.equal(verdicts.length, 1);
      assert.equal(new LoopDetector().observeAll(events).report.type, "host_detected_loop");
    });
  }
});

describe("prompts that only look new", () => {
  test("an id for each batch of results, a model that shows late: one prompt, to log and to show", () => {
    const detector = new LoopDetector();
    detector.startPrompt("p-0", { userPrompt: "How many beds are there?" });
    let stop;
    for (let batch = 1; stop === undefined && batch < 10; batch++) {
      const { action } = detector.observeAll([
        { type: "turn_started" },
        call({ at: "garden" }),
        result("Twelve beds."),
      ]);
      if (action === "stop") stop = batch;
      detector.startPrompt(`p-${batch}`, { model: "gemini-3-pro-preview" });
    }
    assert.equal(stop, 5);
    const fresh = new LoopDetector();
    fresh.startPrompt("p-0", { userPrompt: "How many beds are there?" });
    fresh.observeAll([call({}), result("a")]);
    fresh.startPrompt("p-1", { model: "gemini-3-pro-preview" });
    assert.deepEqual(fresh.prompt, {
      id: "p-1",
      ids: ["p-0", "p-1"],
      model: "gemini-3-pro-preview",
      isPreview: true,
      calls: 1,
    });
  });

  test("the running id supplies what was not known, in every profile but standard", () => {
    for (const profile of ALL_PROFILES) {
      const detector = detectorOf(profile);
      detector.startPrompt("p1");
      detector.observe(call({}));
      detector.startPrompt("p1", { model: "gemini-3-pro-preview" });
      const { model, isPreview, calls } = detector.prompt;
      const isKnown = profile !== "standard";
      assert.deepEqual([model !== undefined, isPreview, calls], [isKnown, isKnown, 1], profile);
      detector.startPrompt("p1", { model: "another" });
      assert.equal(detector.prompt.model, isKnown ? "gemini-3-pro-preview" : undefined, profile);
    }
  });
});

describe("the output of a result", () => {
  test("the verdict on parts is that on their texts", () => {
    const parts = [
      { type: "text", text: "Twelve beds." },
      { functionResponse: { response: { output: "Two sheds." } } },
    ];
    for (const profile of ALL_PROFILES) {
      const verdicts = [parts, "Twelve beds.\nTwo sheds."].map((output) => {
        const detector = detectorOf(profile);
        const steps = Array.from({ length: 12 }, () => [
          { type: "turn_started" },
          call({ at: 1n }),
          result(output),
        ]);
        return steps.flat().map((event) => detector.observe(event));
      });
      assert.deepEqual(verdicts[0], verdicts[1], profile);
    }
  });
});

describe("what a loop has wasted, and a count on request", () => {
  test("report.wasted counts the loop's first call, too", () => {
    const detector = new LoopDetector();
    detector.observeAll([call({ at: "shed" }), result("Two sheds.")]);
    const verdict = detector.observeAll(
      [1, 2, 3].flatMap(() => [call({ at: "garden" }), result("x")]),
    );
    assert.equal(verdict.report.count, 3);
    assert.deepEqual([verdict.report.firstIndex, verdict.report.wasted.calls], [1, 3]);
  });

  test("report.wasted counts results in every profile, whether a rule looks at them or not", () => {
    const told = ALL_PROFILES.filter((profile) => {
      const detector = detectorOf(profile);
      const answer = result([{ type: "text", text: "x".repeat(1_000) }]);
      for (let calls = 1; calls <= 12; calls++) {
        const { report } = detector.observe(call({ at: "garden" }));
        const { wasted } = report ?? detector.observe(answer).report ?? {};
        if (!wasted) continue;
        const answers = report ? wasted.calls - 1 : wasted.calls;
        const ofCalls = wasted.characters - answers * 1_000;
        assert.ok(ofCalls > 0 && ofCalls < 1_000, `${profile}: ${wasted.characters}`);
        return true;
      }
      return false;
    });
    assert.deepEqual(told, ALL_PROFILES);
  });

  test('detector.counts is "3 of 5" for a status line', () => {
    const detector = new peers.LoopDetector({ profile: "cline", softThreshold: false });
    assert.deepEqual(detector.counts, { run: 0, threshold: 0 });
    detector.observeAll(sameCalls(3));
    assert.deepEqual(detector.counts, { tool: "run_command", run: 3, threshold: 5 });
  });
});

describe("how much of the recent calls and answers was new", () => {
  test("detector.progress falls while a call comes back with its answer", () => {
    const detector = new LoopDetector();
    assert.equal(detector.progress, 1);
    const seen = [];
    for (let time = 0; time < 4; time++) {
      detector.observeAll([call({ at: "garden" }), result("Twelve beds.")]);
      seen.push(detector.progress);
    }
    assert.deepEqual(seen, [1, 1 / 2, 1 / 3, 1 / 4]);
    const restored = LoopDetector.restore(detector.snapshot());
    assert.equal(restored.progress, 1 / 4);
    restored.observeAll([call({ at: "shed" }), result("Two sheds.")]);
    assert.equal(restored.progress, 2 / 5);
    detector.clear();
    assert.equal(detector.progress, 1);
  });
});

describe("a retried attempt takes back what the last turn counted", () => {
  test("one retry, and a second one with no turn between takes back nothing more", () => {
    for (const retries of [1, 2, 3]) {
      const detector = new LoopDetector({ profile: "standard" });
      const turn = [{ type: "turn_started" }, call({ at: "garden" })];
      detector.observeAll([...turn, ...turn, ...turn]);
      detector.observeAll(Array.from({ length: retries }, () => ({ type: "retry" })));
      assert.equal(detector.counts.run, 2, `${retries} retries`);
    }
  });
});

test("a nudge ends with the next event, and a detector that was restored says the same", () => {
  const detector = new peers.LoopDetector({ profile: "cline", softThreshold: 1 });
  assert.equal(detector.observe(call({})).action, "nudge");
  for (const type of ["condensation", "finished", "other"]) {
    detector.observe({ type });
    assert.deepEqual(
      peers.LoopDetector.restore(detector.snapshot()).verdict,
      detector.verdict,
      type,
    );
    assert.equal(detector.verdict.action, "ok");
    detector.observe(call({ type }));
  }
});
