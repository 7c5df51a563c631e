// A picture among the parts of a result is compared by its bytes, whatever holds them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { LoopDetector } = turnkeeper;

/** The verdicts on five looks with these pictures. */
function look(pictureOf) {
  const detector = new LoopDetector();
  const actions = [];
  for (let n = 0; n < 5; n++) {
    detector.observe({ type: "tool_call", id: `${n}`, name: "look", args: {} });
    const output = [{ type: "text", text: "The garden." }, pictureOf(n)];
    actions.push(detector.observe({ type: "tool_result", id: `${n}`, output }).action);
  }
  return actions.join(" ");
}

const bytes = (n) => Uint8Array.from({ length: 64 }, (_, at) => (at * 7 + n) % 256);
const shared = (n) => {
  const view = new Uint8Array(new SharedArrayBuffer(64));
  view.set(bytes(n));
  return view.buffer;
};
const HOLDERS = {
  Uint8Array: bytes,
  ArrayBuffer: (n) => bytes(n).buffer,
  SharedArrayBuffer: shared,
  DataView: (n) => new DataView(bytes(n).buffer),
  Uint8ClampedArray: (n) => new Uint8ClampedArray(bytes(n)),
  Float64Array: (n) => new Float64Array(bytes(n).buffer),
  Buffer: (n) => Buffer.from(bytes(n)),
  "a view of a part": (n) => new DataView(bytes(n).buffer, 8, 16),
  Blob: (n) => new Blob([bytes(0), "x".repeat(n)], { type: "image/png" }),
};
const PLACES = {
  "the AI SDK's": (image) => ({ type: "image", image, mediaType: "image/png" }),
  "a file": (data) => ({ type: "file", data, mediaType: "image/png" }),
  "VS Code's": (data) => ({ data, mimeType: "image/png" }),
  "Anthropic's": (data) => ({ type: "image", source: { type: "base64", data } }),
  "Gemini's": (data) => ({ inlineData: { mimeType: "image/png", data } }),
  "a tool's own": (frame) => ({ frame, at: "the gate" }),
};

for (const [holder, make] of Object.entries(HOLDERS)) {
  for (const [place, part] of Object.entries(PLACES)) {
    test(`${holder} in a part like ${place}`, () => {
      assert.equal(
        look((n) => part(make(n))),
        "ok ok ok ok ok",
        "other bytes",
      );
      assert.equal(
        look(() => part(make(1))),
        "ok ok nudge ok stop",
        "the same bytes",
      );
    });
  }
}

test("a buffer that was handed over is no error", () => {
  const { buffer } = bytes(1);
  structuredClone(buffer, { transfer: [buffer] });
  assert.equal(
    look(() => PLACES["a file"](buffer)),
    "ok ok nudge ok stop",
  );
});
