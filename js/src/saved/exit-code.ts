// How a command ended, where an agent says so in words or beside its output.

import { textOf } from "../messages/events.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

import { fields, parsed, text, type Fields } from "../messages/fields.js";

/** The exit code in the first lines of a command's output, as Codex and mini-swe-agent write it. */
export function exitCodeIn(output: string): number | undefined {
  const head = output.slice(0, 400);
  const found =
    /^(?:Exit code|Process exited with code):? (-?\d{1,10})\b/m.exec(head) ??
    /^<returncode>(-?\d{1,10})<\/returncode>/.exec(head);
  return found ? Number(found[1]) : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * The result that an item of OpenAI's Responses is, read as Codex has written it: as text, as JSON in
 * text, or as an object, `{ output, metadata: { exit_code } }` or `{ content, success }`.
 */
export function commandResult(result: AgentEvent, { output: value }: Fields): AgentEvent {
  if (result.type !== "tool_result") return result;
  const object = fields(typeof value === "string" && value.startsWith("{") ? parsed(value) : value);
  const output = text(object.output) ?? text(object.content) ?? textOf(result.output);
  const exitCode = number(fields(object.metadata).exit_code) ?? exitCodeIn(output);
  return {
    ...result,
    output,
    ...(object.success === false && { isError: true }),
    ...(exitCode !== undefined && { exitCode }),
  };
}
