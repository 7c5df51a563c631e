import assert from "node:assert/strict";
import { test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { sameCalls, settle, source, text, ending } from "./streams.mjs";

const { LoopDetector, guardStream, handleStream } = turnkeeper;
const gemini = load("turnkeeper/adapters/gemini");

function recording() {
  const seen = [];
  const handlers = {
    onEvent: (event) => void seen.push(event),
    onLoopDetected: (event) => void seen.push(event),
  };
  return { seen, handlers };
}

test("each event goes to onEvent, and a stream without a loop was not stopped", async () => {
  const { seen, handlers } = recording();
  const events = ["a", "b"].map(text);
  assert.deepEqual(
    await handleStream(source(events), new LoopDetector({ profile: "standard" }), { handlers }),
    {
      stopped: false,
    },
  );
  assert.equal(seen[0], events[0]);
  assert.deepEqual(seen, events);
});

test("a stop goes to onLoopDetected, and nothing comes after it", async () => {
  const { seen, handlers } = recording();
  const calls = source(sameCalls(30));
  const abort = new AbortController();
  const result = await handleStream(calls, new LoopDetector({ profile: "standard" }), {
    abort,
    handlers,
  });
  assert.deepEqual(result, { stopped: true });
  assert.equal(seen.length, 10);
  assert.equal(seen[9].verdict.action, "stop");
  assert.deepEqual(calls.log, { opened: 1, reads: 10, returns: 1 });
  assert.equal(abort.signal.aborted, true);
});

test("the verdict of the host's own detector reaches onLoopDetected once, and ends the stream", async () => {
  for (const profile of ["adaptive", "standard"]) {
    const { seen, handlers } = recording();
    const events = [{ type: "content", value: "On it." }, { type: "loop_detected" }];
    const stream = source([...events, { type: "content", value: "Again." }]);
    const result = await handleStream(stream, new LoopDetector({ profile }), {
      adapter: gemini.streamAdapter(),
      handlers,
    });
    assert.deepEqual(result, { stopped: true });
    assert.equal(seen.length, 2, "the event that carries the verdict is held back");
    assert.equal(seen[1].verdict.action, "stop");
    assert.equal(seen[1].verdict.report.type, "host_detected_loop");
    assert.equal(stream.log.returns, 1);
  }
});

test("a nudge goes to onLoopDetected, too, and the stream goes on", async () => {
  const { seen, handlers } = recording();
  const detector = new LoopDetector({ profile: "standard" });
  detector.observe = ({ text: value }) =>
    value === "b" ? { action: "nudge", report: {} } : { action: "ok" };
  const result = await handleStream(source(["a", "b", "c"].map(text)), detector, { handlers });
  assert.deepEqual(result, { stopped: false });
  assert.deepEqual(
    seen.map((event) => event.text ?? event.verdict.action),
    ["a", "b", "nudge", "c"],
  );
});

test("handlers are awaited, one at a time", async () => {
  const order = [];
  const handlers = {
    async onEvent(event) {
      order.push(`${event.name ?? event.type} begins`);
      await settle();
      order.push("ends");
    },
    onLoopDetected: async () => void order.push("loop"),
  };
  await handleStream(source(["a", "b"].map(text)), new LoopDetector({ profile: "standard" }), {
    handlers,
  });
  assert.deepEqual(order, ["text begins", "ends", "text begins", "ends"]);
});

test("handlers keep their this", async () => {
  class Panel {
    lines = [];
    onEvent(event) {
      this.lines.push(event.text);
    }
    onLoopDetected() {}
  }
  const handlers = new Panel();
  await handleStream(source([text("a")]), new LoopDetector({ profile: "standard" }), { handlers });
  assert.deepEqual(handlers.lines, ["a"]);
});

test("a handler that fails closes the source and rejects with its error", async () => {
  const fault = new Error("the panel is gone");
  const fails = async () => {
    throw fault;
  };
  for (const handlers of [
    { onEvent: fails, onLoopDetected: () => {} },
    { onEvent: () => {}, onLoopDetected: fails },
  ]) {
    const calls = source(sameCalls(30));
    await assert.rejects(
      handleStream(calls, new LoopDetector({ profile: "standard" }), { handlers }),
      (error) => error === fault,
    );
    assert.equal(calls.log.returns, 1);
  }
});

test("an error of the source rejects as it is", async () => {
  const fault = new Error("connection reset");
  const { handlers } = recording();
  await assert.rejects(
    handleStream(source([text("a")], { then: fault }), new LoopDetector({ profile: "standard" }), {
      handlers,
    }),
    (error) => error === fault,
  );
});

test("a host that aborts ends it without an error", async () => {
  const { handlers } = recording();
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 10);
  const silent = source([], { then: "silence" });
  const work = handleStream(silent, new LoopDetector({ profile: "standard" }), { abort, handlers });
  assert.deepEqual(await ending(work), { stopped: false });
  assert.equal(silent.log.returns, 1);
});

test("events of the host that look like ours, and undefined ones, are the host's", async () => {
  const { handlers } = recording();
  const kinds = [];
  handlers.onEvent = (event) => void kinds.push(event?.verdict?.action ?? "event");
  handlers.onLoopDetected = () => void kinds.push("ours");
  const adapter = () => undefined;
  const own = [undefined, { type: "loop_detected" }];
  await handleStream(source(own), new LoopDetector({ profile: "standard" }), { adapter, handlers });
  const inner = guardStream(source(sameCalls(30)), new LoopDetector({ profile: "standard" }), {});
  await handleStream(inner, new LoopDetector({ profile: "standard" }), { adapter, handlers });
  assert.deepEqual(kinds, ["event", "event", ...Array(9).fill("event"), "stop"]);
});

test("a missing handler rejects before anything is read", async () => {
  const { handlers } = recording();
  const cases = [
    [{ handlers: { ...handlers, onLoopDetected: undefined } }, "handlers.onLoopDetected"],
    [{ handlers: { ...handlers, onLoopDetected: "log" } }, "handlers.onLoopDetected"],
    [{ handlers: { ...handlers, onEvent: undefined } }, "handlers.onEvent"],
    [{}, "handlers"],
    [undefined, "handlers"],
  ];
  for (const [options, field] of cases) {
    const events = source([text("a")]);
    await assert.rejects(handleStream(events, new LoopDetector({ profile: "standard" }), options), {
      name: "TurnkeeperError",
      code: "invalid_argument",
      detail: { field },
    });
    assert.equal(events.log.opened, 0);
  }
});
