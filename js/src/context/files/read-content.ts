// What the watch for copies needs of a message.

import { originOfPart } from "../../messages/messages.js";
import type { Part } from "../edits.js";
import { fileCallOf, type FileCall } from "./file-calls.js";
import { resultText, type Place } from "./places.js";

/** A part of a message. What is neither text, a call nor a result has a text at most. */
export interface ReadPart {
  readonly type: unknown;
  readonly text: string | undefined;
  readonly call?: ReadCall;
  readonly result?: ReadResult;
}

/** A call that is a part. */
export interface ReadCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly call: FileCall;
  /** Whether its arguments may change: those of OpenAI's calls of 2023, which are no list, stay as they are. */
  readonly mayChange: boolean;
}

/** A result that is a part. */
export interface ReadResult {
  readonly id: unknown;
  readonly isError: boolean;
  /** Its text, and the keys that lead to it, if it has one. */
  readonly said: { readonly text: string; readonly keys: Place["keys"] } | undefined;
}

/** The content of a message: a string, or its parts; undefined if it is neither. */
export type ReadContent = string | readonly (ReadPart | undefined)[] | undefined;

interface GivenPart extends Part {
  id?: unknown;
  name?: unknown;
  input?: unknown;
  tool_use_id?: unknown;
  is_error?: unknown;
}

/** Reads a content. */
export function readContent(content: unknown, readTools: readonly string[]): ReadContent {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return (content as (GivenPart | null | undefined)[]).map((part) =>
    part === null || part === undefined ? undefined : readPart(part, readTools),
  );
}

function readPart(part: GivenPart, readTools: readonly string[]): ReadPart {
  const { type, text: given } = part;
  const text = typeof given === "string" ? given : undefined;
  if (type === "tool_use") {
    const { id, name, input } = part;
    const mayChange = originOfPart(part)?.function_call === undefined;
    return { type, text, call: { id, name, call: fileCallOf(name, input, readTools), mayChange } };
  }
  if (type === "tool_result") {
    const { tool_use_id: id, is_error } = part;
    return { type, text, result: { id, isError: is_error === true, said: resultText(part) } };
  }
  return { type, text };
}
