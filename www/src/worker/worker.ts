// The worker: the package and the analysis run here, and the page only shows. However long a session is judged, the
// page answers; and what a session contains meets no element of the page until it is shown as text.

import { TurnkeeperError } from "turnkeeper";

import { escapeControls } from "../words/plain-text.js";

import { failureInside, takeModule } from "./analysis.js";
import type { Failure, Reply, Request, Task } from "./exchange.js";
import { InputProblem } from "./input-problem.js";
import { tasks } from "./tasks.js";

const running = new Map<number, AbortController>();

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if ("module" in data) takeModule(data.module);
  else if ("cancelled" in data) running.get(data.id)?.abort();
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
  if (error instanceof InputProblem) {
    const { file, line, message } = error;
    const place = line === undefined ? "" : `, line ${line}:`;
    return { message: plain(`${file}${place} ${message}`) };
  }
  if (error instanceof TurnkeeperError) {
    const { message, code, detail } = error;
    return { message: plain(message), code, ...(detail?.field && { field: detail.field }) };
  }
  const inside = failureInside(error);
  if (inside !== undefined) return { message: plain(inside) };
  if (error instanceof Error) return { message: plain(error.message) };
  // The analysis throws what it refuses as a plain object.
  const { message = String(error), code, field } = error as Partial<Failure>;
  if (field === undefined) return { message: plain(message), ...(code && { code }) };
  return { message: plain(`${field} ${message}`), ...(code && { code }), field };
}

function plain(message: string): string {
  return escapeControls(message.slice(0, 2_000));
}
