// What the adapters' tests have in common: a real client's stream, guarded and looked at.

import assert from "node:assert/strict";

import { load, turnkeeper } from "../node/installed-package.mjs";
import { serveProvider } from "./provider-server.mjs";

const { LoopDetector, guardStream } = turnkeeper;

export const adapterOf = (name) => load(`turnkeeper/adapters/${name}`);

/** What an adapter makes of a stream: its events, neighbouring deltas of a channel joined. */
export async function observed(stream, adapter) {
  const events = [];
  for await (const event of stream) note(events, adapter(event));
  return events;
}

export function note(events, given) {
  for (const event of given === undefined ? [] : [given].flat()) {
    const last = events.at(-1);
    const isProse = event.type === "text" || event.type === "reasoning";
    if (isProse && last?.type === event.type) last.text += event.text;
    else events.push({ ...event });
  }
}

/**
 * Has a provider answer with `body`, opens the stream with `open(url, abort)`, and gives what the
 * consumer of the guarded stream sees and how the request ended, seen from the server.
 */
export async function guarded(body, open, adapter, options = {}) {
  const server = await serveProvider(() => body, options);
  const abort = new AbortController();
  const events = [];
  const told = [];
  let error;
  try {
    const stream = await open(server.url, abort);
    const detector = new LoopDetector({ profile: "standard" });
    detector.startPrompt("prompt-1", { model: options.model ?? "model-1" });
    const guard = guardStream(stream, detector, {
      adapter,
      abort,
      onLoopDetected: ({ verdict }) => told.push(verdict),
    });
    for await (const event of guard) {
      events.push(event);
      options.onEvent?.(event, abort);
    }
  } catch (caught) {
    error = caught;
  }
  const ending = await server.ending();
  await server.stop();
  const aborted = abort.signal.aborted;
  return { events, told, error, ending, aborted, sent: server.requests[0].sent };
}

/** An endless stream was stopped by its loop: the client has closed the connection. */
export function assertStopped({ told, error, ending, aborted }, type) {
  assert.equal(error, undefined);
  assert.deepEqual(
    told.map(({ action, report }) => [action, report.type]),
    [["stop", type]],
  );
  assert.equal(ending, "aborted");
  assert.ok(aborted);
}

/** The whole body at once, then byte by byte: the adapter must see the same. */
export async function assertCutsDoNotMatter(texts, open, makeAdapter) {
  const seen = [];
  for (const pieces of [Infinity, 1, 2, 3, 7, 31]) {
    const server = await serveProvider(() => texts, { pieces });
    const stream = await open(server.url, new AbortController());
    seen.push(await observed(stream, makeAdapter()));
    assert.equal(await server.ending(), "finished");
    await server.stop();
  }
  for (const again of seen.slice(1)) assert.deepEqual(again, seen[0]);
  return seen[0];
}
