// The bytes of a saved session belong to the host, who may use their buffer for something else.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load } from "./installed-package.mjs";

const { readSession } = load("turnkeeper/sessions");

const message = (text) => ({ role: "user", content: text });
const messages = [
  message("Fix it."),
  { role: "assistant", content: "é".repeat(40) },
  message("Go on."),
];
const FORMS = {
  lines: messages.map((one) => JSON.stringify(one)).join("\n"),
  "an array": JSON.stringify(messages),
  "an array on lines": JSON.stringify(messages, null, 2),
};
const encode = (text) => new TextEncoder().encode(text);
const transferred = (bytes) => {
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};

for (const [form, text] of Object.entries(FORMS)) {
  describe(form, () => {
    for (const size of [1, 7, 64]) {
      test(`may come through one buffer of ${size} bytes`, async () => {
        const { events } = await readSession(text);
        const bytes = encode(text);
        const buffer = new Uint8Array(size);
        async function* reads() {
          for (let at = 0; at < bytes.length; at += size) {
            const piece = bytes.subarray(at, at + size);
            buffer.set(piece);
            yield buffer.subarray(0, piece.length);
          }
        }
        assert.deepEqual((await readSession(reads())).events, events);
      });
    }

    test("may be transferred once the next piece is asked for", async () => {
      const { events } = await readSession(text);
      async function* reads() {
        const bytes = encode(text);
        yield bytes;
        transferred(bytes);
      }
      assert.deepEqual((await readSession(reads())).events, events);
    });
  });
}
