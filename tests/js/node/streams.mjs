// Sources of events that note what is done to them.

import assert from "node:assert/strict";

import { turnkeeper } from "./installed-package.mjs";

/** A delta of prose. */
export const text = (value) => ({ type: "text", text: value });

/** Events that loop from the tenth on: the same call again and again. */
export const sameCall = (index = 0) => ({
  type: "tool_call",
  id: `call_${index}`,
  name: "run_command",
  args: { command: "npm test" },
});

/** `count` times the same call; the tenth stops a detector. */
export const sameCalls = (count) => Array.from({ length: count }, (_, index) => sameCall(index));

/**
 * An async iterable over `events`, with counters. `then` says what comes after the last one: "end",
 * "silence" (a read that is never answered) or an error to throw.
 */
export function source(events, { then = "end", onReturn } = {}) {
  const log = { opened: 0, reads: 0, returns: 0 };
  const rest = [...events];
  return {
    log,
    [Symbol.asyncIterator]() {
      log.opened += 1;
      return {
        async next() {
          log.reads += 1;
          if (rest.length > 0) return { done: false, value: rest.shift() };
          if (then === "silence") return new Promise(() => {});
          if (then instanceof Error) throw then;
          return { done: true, value: undefined };
        },
        return() {
          log.returns += 1;
          return onReturn ? onReturn() : Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

/** Everything that comes out of a stream. */
export async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** An abort controller that counts the listeners on its signal. */
export function countedAbort() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (type, listener, options) => {
    listeners.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type, listener) => {
    listeners.delete(listener);
    remove(type, listener);
  };
  return { controller, listeners };
}

/** Milliseconds after which something hangs: far more than a busy machine needs. */
const HANGS = 120_000;

/** Fails if `work` hangs. */
export async function ending(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: "it hangs" })), HANGS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets everything run that is due: microtasks, timers of 0 ms, and reports of rejections. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A guarded stream, and the nudges and stops of which its host was told. */
export function watched(events, detector, options = {}) {
  const told = [];
  const onLoopDetected = (event) => told.push(event);
  const guarded = turnkeeper.guardStream(events, detector, { onLoopDetected, ...options });
  return Object.assign(guarded, { told });
}

/** A detector whose verdicts are prescribed: one for each event, "ok" when they run out. */
export function scripted(...actions) {
  const detector = new turnkeeper.LoopDetector();
  const observed = [];
  detector.observe = (event) => {
    observed.push(event);
    const action = actions.shift() ?? "ok";
    return action === "ok" ? { action } : { action, report: { count: observed.length } };
  };
  return { detector, observed };
}
