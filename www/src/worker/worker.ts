// The worker: the package runs here, and the page only shows. However long a session is judged, the page
// answers; and what a session contains meets no element of the page until it is shown as text.

import { TurnkeeperError } from "turnkeeper";

import { escapeControls } from "../../../js/src/analysis/plain-text.js";
import { InputError } from "../../../js/src/saved/event-lines.js";

import type { Failure, Reply, Request, Task } from "./exchange.js";
import { tasks } from "./tasks.js";

const running = new Map<number, AbortController>();

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if ("cancelled" in data) running.get(data.id)?.abort();
  else void answer(data);
});

async function answer({ id, name, input }: { id: number; name: string; input: unknown }) {
  const controller = new AbortController();
  running.set(id, controller);
  const reply = (value: Reply): void => postMessage(value);
  try {
    const task = (tasks as unknown as Record<string, Task<unknown, unknown>>)[name]!;
    const { signal } = controller;
    reply({ id, answer: await task(input, { signal, tell: (news) => reply({ id, news }) }) });
  } catch (error) {
    reply({ id, failure: failureOf(error) });
  } finally {
    running.delete(id);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof InputError) {
    const { file, line, message } = error;
    const place = line === undefined ? "" : `, line ${line}:`;
    return { message: escapeControls(`${file}${place} ${message}`.slice(0, 2_000)) };
  }
  const message = escapeControls(
    (error instanceof Error ? error.message : String(error)).slice(0, 2_000),
  );
  if (!(error instanceof TurnkeeperError)) return { message };
  const field = (error.detail as { field?: unknown } | undefined)?.field;
  return { message, code: error.code, ...(typeof field === "string" && { field }) };
}
