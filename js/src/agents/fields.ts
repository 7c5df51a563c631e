/** Lenient reading of payloads whose fields change with the agents' releases. */

import { fields as fieldsOf, list, parsed as argumentsOf } from "../messages/fields.js";
import type { FinishedCall } from "./hook-event.js";

export { argumentsOf, fieldsOf, list };

/** The first of these that is a string with something in it. */
export function firstText(...values: unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return undefined;
}

const MOST_PARTS = 1_000;

/**
 * The text of a result in any of the shapes that agents use: a string, parts, streams of a command, or an
 * object with the text for the model. Anything else counts as its JSON.
 */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.slice(0, MOST_PARTS).map(resultText).join("\n");
  const fields = fieldsOf(value);
  if (typeof fields.stdout === "string") {
    return [fields.stdout, fields.stderr].filter((text) => firstText(text)).join("\n");
  }
  for (const name of ["llmContent", "textResultForLlm", "text_result_for_llm", "response_parts"]) {
    if (fields[name] !== undefined) return resultText(fields[name]);
  }
  if (typeof fields.text === "string") return fields.text;
  return JSON.stringify(value);
}

/**
 * Lines in which agents tell how a command ended. They are read, and left out of what is compared and kept
 * where their numbers grow from call to call, or they say nothing.
 */
const EXIT_LINES: readonly RegExp[] = [
  /^Exit Code: (-?\d{1,10})$/m,
  /^(?:Error: )?Exit code (-?\d{1,10})$/m,
  /<shellId: \w{1,20} completed with exit code (-?\d{1,10})>/,
];
const FRAME_LINES =
  /^(?:Process Group PGID|Background PIDs): [^\n]*\n?|^(?:Error|Signal): \(none\)\n?|^Exit Code: -?\d{1,10}\n?|<shellId: \w{1,20} completed with exit code -?\d{1,10}>\n?/gm;
/** Where such lines stand: within this many of the first or last characters. */
const REPORTED_WITHIN = 2_000;

/** A finished call, with the exit code that its text tells. */
export function finishedCall(call: {
  id: unknown;
  name: unknown;
  args: unknown;
  output: unknown;
  isError?: boolean | undefined;
}): FinishedCall | undefined {
  const name = firstText(call.name);
  if (name === undefined) return undefined;
  const text = resultText(call.output);
  const exitCode = exitCodeOf(text);
  const isError = call.isError ?? (exitCode !== undefined && exitCode !== 0 ? true : undefined);
  const id = firstText(call.id);
  return {
    name,
    args: argumentsOf(call.args) ?? {},
    output: text.replace(FRAME_LINES, ""),
    ...(id !== undefined && { id }),
    ...(isError !== undefined && { isError }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

function exitCodeOf(text: string): number | undefined {
  const ends =
    text.length <= 2 * REPORTED_WITHIN
      ? text
      : `${text.slice(0, REPORTED_WITHIN)}\n${text.slice(-REPORTED_WITHIN)}`;
  for (const line of EXIT_LINES) {
    const code = line.exec(ends)?.[1];
    if (code !== undefined) return Number(code);
  }
  return undefined;
}
