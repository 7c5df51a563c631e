// The options of the guards: the user's words reach the detector, and mistakes are named.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { assertTyped } from "./typed-errors.mjs";
import { app, load, turnkeeper } from "./installed-package.mjs";
import { collect, source, text } from "./streams.mjs";

const { AgentSession, LoopDetector, TurnkeeperError, guardStream, isLoopDetected } = turnkeeper;

const chant = "I will water the tomatoes again. ";

describe("userPrompt", () => {
  const events = () => source([text(chant.repeat(40)), text("Done.")]);
  const asked = `Write ten times: ${chant}`;
  const stops = async (guarded) => isLoopDetected((await collect(guarded)).at(-1));

  test("is what the model may repeat", async () => {
    const guard = (userPrompt) =>
      guardStream(events(), new LoopDetector(), {
        promptId: "p1",
        ...(userPrompt && { userPrompt }),
      });
    assert.equal(await stops(guard(undefined)), true);
    assert.equal(await stops(guard(asked)), false);
  });

  test("may be of a prompt that a session's guard starts", async () => {
    const session = new AgentSession({
      assembler: { root: "/work" },
      terminals: { platform: "posix" },
    });
    session.beginTurn({ prompt: "Water them." });
    assert.equal(await stops(session.guard(events(), {})), true);
    const named = { promptId: "p2", userPrompt: asked };
    assert.equal(await stops(session.guard(events(), named)), false);
    session.dispose();
  });
});

describe("an option that does not exist", () => {
  test("is refused by name, at the call", () => {
    const detector = new LoopDetector();
    for (const name of ["promptID", "signal", "handlers", "onLoopDetected"]) {
      const options = { [name]: "p1" };
      const field = `options.${name}`;
      const guard = () => guardStream(source([]), detector, options);
      assertTyped(guard, "invalid_argument", field, "guard_stream");
    }
    assert.throws(() => guardStream(source([]), detector, { promptID: "p1" }), {
      message:
        "guard_stream: options.promptID is not an option; it must be adapter, promptId, model, " +
        "userPrompt, abort or checkWithModel",
    });
  });

  test("is not there if it is undefined", async () => {
    const guarded = guardStream(source([]), new LoopDetector(), { signal: undefined });
    assert.deepEqual(await collect(guarded), []);
  });
});

describe("events of another shape without an adapter", () => {
  test("are refused with the names of the adapters", async () => {
    const entries = readdirSync(path.join(app, "node_modules/turnkeeper/dist/adapters"))
      .filter((file) => file.endsWith(".mjs"))
      .map((file) => `turnkeeper/adapters/${path.parse(file).name}`)
      .filter((entry) => "streamAdapter" in load(entry));
    assert.ok(entries.length >= 5);
    const foreign = [{ candidates: [] }, { type: "content_block_delta" }, "data", 7];
    for (const event of foreign) {
      const events = source([event]);
      await assert.rejects(collect(guardStream(events, new LoopDetector(), {})), (error) => {
        assert.ok(error instanceof TurnkeeperError);
        assert.deepEqual([error.code, error.machine], ["invalid_argument", "guard_stream"]);
        assert.equal(error.detail.field, "options.adapter");
        for (const entry of entries) {
          assert.ok(error.message.includes(entry), error.message);
        }
        assert.equal(error.message.match(/turnkeeper\/adapters\//g).length, entries.length);
        return true;
      });
      assert.equal(events.log.returns, 1);
    }
  });

  test("or with the function that makes adapters", async () => {
    const { streamAdapter } = load("turnkeeper/adapters/anthropic");
    const events = guardStream(source([{ type: "ping" }]), new LoopDetector(), {
      adapter: streamAdapter,
    });
    await assert.rejects(collect(events), {
      code: "invalid_argument",
      message: /options\.adapter makes adapters; give the guard what it returns/,
    });
  });

  test("which an adapter has made are the adapter's mistake", async () => {
    const guarded = guardStream(source([1]), new LoopDetector(), {
      adapter: () => ({ type: "x" }),
    });
    await assert.rejects(collect(guarded), { detail: { field: "event.type" } });
  });

  test("of a known type name the field that is wrong", async () => {
    const guarded = guardStream(source([{ type: "text" }]), new LoopDetector(), {});
    await assert.rejects(collect(guarded), { detail: { field: "event.text" } });
  });
});

test("isLoopDetected tells the guard's events from the host's", async () => {
  const own = { type: "loop_detected" };
  const calls = [own, { type: "c" }, { type: "c" }];
  const adapter = ({ type }) => (type === "c" ? { type: "tool_call", name: "ls" } : undefined);
  const detector = new LoopDetector({ identicalCalls: 2 });
  const out = await collect(guardStream(source(calls), detector, { adapter }));
  assert.deepEqual(out.map(isLoopDetected), [false, false, true]);
  const odd = { type: "loop_detected", verdict: { action: "ok" } };
  for (const value of [undefined, null, 7, "loop_detected", {}, own, odd]) {
    assert.equal(isLoopDetected(value), false);
  }
});
