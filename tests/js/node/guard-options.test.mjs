// The options of the guards: the user's words reach the detector, and mistakes are named.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { assertTyped } from "./typed-errors.mjs";
import { app, load, turnkeeper } from "./installed-package.mjs";
import { collect, source, text, watched } from "./streams.mjs";

const { LoopDetector, TurnkeeperError, guardStream } = turnkeeper;

describe("onLoopDetected", () => {
  test("is needed: nobody can miss a verdict", () => {
    const detector = new LoopDetector();
    for (const options of [undefined, {}, { onLoopDetected: null }, { adapter: () => undefined }]) {
      const guard = () => guardStream(source([]), detector, options);
      assertTyped(guard, "invalid_argument", "options.onLoopDetected", "guard_stream");
    }
    const guard = () => watched(source([]), detector, { onLoopDetected: "alert" });
    assertTyped(guard, "invalid_argument", "options.onLoopDetected", "guard_stream");
  });
});

describe("an option that does not exist", () => {
  test("is refused by name, at the call", () => {
    const detector = new LoopDetector();
    for (const name of ["promptID", "signal", "handlers", "onStop"]) {
      const guard = () => watched(source([]), detector, { [name]: "p1" });
      assertTyped(guard, "invalid_argument", `options.${name}`, "guard_stream");
    }
    assert.throws(() => watched(source([]), detector, { promptID: "p1" }), {
      message:
        "guard_stream: options.promptID is not an option; it must be adapter, onLoopDetected, abort or " +
        "checkWithModel",
    });
  });

  test("is not there if it is undefined", async () => {
    const guarded = watched(source([]), new LoopDetector(), {
      signal: undefined,
      model: undefined,
    });
    assert.deepEqual(await collect(guarded), []);
  });

  test("of a prompt is refused with the call that begins one", () => {
    for (const name of ["promptId", "userPrompt", "model"]) {
      const guard = () => watched(source([]), new LoopDetector(), { [name]: "p1" });
      assertTyped(guard, "invalid_argument", `options.${name}`, "guard_stream");
      assert.throws(guard, /detector\.startPrompt\(promptId, \{ userPrompt, model \}\)/);
    }
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
      await assert.rejects(collect(watched(events, new LoopDetector(), {})), (error) => {
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
    const events = watched(source([{ type: "ping" }]), new LoopDetector(), {
      adapter: streamAdapter,
    });
    await assert.rejects(collect(events), {
      code: "invalid_argument",
      message: /options\.adapter makes adapters; give the guard what it returns/,
    });
  });

  test("which an adapter has made are the adapter's mistake", async () => {
    const guarded = watched(source([1]), new LoopDetector(), {
      adapter: () => ({ type: "x" }),
    });
    await assert.rejects(collect(guarded), { detail: { field: "event.type" } });
  });

  test("of a known type name the field that is wrong", async () => {
    const guarded = watched(source([{ type: "text" }]), new LoopDetector(), {});
    await assert.rejects(collect(guarded), { detail: { field: "event.text" } });
  });
});
