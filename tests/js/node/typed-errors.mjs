// An object without an end, and the errors that wrong calls must give.

import assert from "node:assert/strict";

import { turnkeeper } from "./installed-package.mjs";

const { TurnkeeperError } = turnkeeper;

/** An object that contains itself. */
export const cyclic = {};
cyclic.self = cyclic;

/** `call` throws the typed error that `code` and `field` say. */
export function assertTyped(call, code, field, machine = "loop_detector") {
  assert.throws(call, (error) => {
    assert.ok(error instanceof TurnkeeperError, `${error?.stack}`);
    assert.ok(error instanceof Error);
    assert.equal(error.name, "TurnkeeperError");
    assert.equal(error.machine, machine);
    assert.equal(error.code, code, error.message);
    if (field !== undefined) assert.equal(error.detail?.field, field, error.message);
    return true;
  });
}
