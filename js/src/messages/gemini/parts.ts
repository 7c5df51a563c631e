// What the parts of Gemini's contents say.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { answered, called, said, textOf } from "../events.js";
import { fields, type Fields } from "../fields.js";

/**
 * The events of a part, in a history or in a chunk of a stream.
 *
 * @returns undefined for a part that is not Gemini's
 */
export function eventsOfPart(part: Fields): AgentEvent[] | undefined {
  if (part.type !== undefined) return undefined;
  if (part.functionCall) return [callOf(fields(part.functionCall))];
  if (part.functionResponse) return [resultOf(fields(part.functionResponse))];
  if (part.executableCode) {
    const { code, language } = fields(part.executableCode);
    return [called(undefined, "code_execution", { code, language })];
  }
  if (part.codeExecutionResult) {
    const { output, outcome } = fields(part.codeExecutionResult);
    const isError = outcome !== undefined && outcome !== "OUTCOME_OK";
    return [answered(undefined, output, { isError })];
  }
  if (typeof part.text !== "string") return undefined;
  return said(part.thought ? "reasoning" : "text", part.text);
}

/** A function call that is whole. */
export function callOf({ id, name, args }: Fields): AgentEvent {
  return called(id, name, args);
}

/** What a function answered. */
export function resultOf({ id, response }: Fields): AgentEvent {
  const { error } = fields(response);
  return answered(id, spokenBy(response), { isError: error !== undefined && error !== null });
}

/** The API's own convention: the answer is under `output` or `error`, else it is the whole object. */
export function spokenBy(response: unknown): unknown {
  const { output, error } = fields(response);
  return output ?? error ?? response;
}

/** A thought is a summary with a heading of its own, so the next one starts on a line of its own. */
export function thoughtOf({ subject, description }: Fields): AgentEvent[] {
  const lines = [subject, description].filter((line) => typeof line === "string" && line !== "");
  return said("reasoning", lines.length > 0 ? `${lines.join("\n")}\n` : "");
}

/**
 * The result of a call as gemini-cli keeps it: the parts that the model is sent or else what the user
 * is shown.
 *
 * @returns nothing if neither is text
 */
export function resultOfParts(
  id: unknown,
  parts: readonly unknown[],
  shown: unknown,
  isError: boolean,
): AgentEvent[] {
  const outputs = parts.map((part) => {
    const { functionResponse, text } = fields(part);
    if (functionResponse !== undefined) return textOf(spokenBy(fields(functionResponse).response));
    return typeof part === "string" ? part : text;
  });
  const texts = outputs.filter((output) => typeof output === "string");
  const output = texts.length > 0 ? texts.join("\n") : shown;
  return output === undefined ? [] : [answered(id, output, { isError })];
}

/** What gemini-cli prints and saves when its own detector has spoken. */
const LOOP_FOUND = /^(Loop detected, stopping execution|A potential loop was detected)/;

/** The verdict of the agent's own detector, if that is what a message of it says. */
export function loopFoundIn(message: unknown): AgentEvent | undefined {
  const isVerdict = typeof message === "string" && LOOP_FOUND.test(message);
  return isVerdict ? { type: "loop_reported", by: "gemini-cli", detail: message } : undefined;
}
