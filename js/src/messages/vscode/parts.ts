// What the parts of VS Code's chat messages say, and of the stream of a response. They are instances of
// classes that the host hands in, and are known here by the fields that they have.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { answered, called, said } from "../events.js";
import { fields, type Fields } from "../fields.js";

/** `LanguageModelChatMessageRole`, with what is only proposed. */
export const enum Role {
  User = 1,
  Assistant = 2,
  System = 3,
}

const ROLES = new Map<unknown, string>([
  [Role.User, "user"],
  [Role.Assistant, "assistant"],
  [Role.System, "system"],
]);

/** The name of a message's role; undefined if it is not VS Code's. */
export function roleOf({ role }: Fields): string | undefined {
  return ROLES.get(role);
}

/**
 * The events of a part.
 *
 * @returns undefined for a part that is not VS Code's
 */
export function eventsOfPart(part: Fields): AgentEvent[] | undefined {
  if (part.type !== undefined) return undefined;
  const thought = thinkingOf(part);
  if (thought !== undefined) return said("reasoning", thought);
  if (typeof part.value === "string") return said("text", part.value);
  const { callId, name, input, content, isError } = part;
  if (isCall(part)) return [called(callId, name, input)];
  if (isResult(part)) return [answered(callId, spokenBy(content), { isError: isError === true })];
  return "mimeType" in part ? [] : undefined;
}

/** The thinking of a part: its fields tell it from text, which may be undefined. */
export function thinkingOf(part: Fields): string | undefined {
  if (!("id" in part || "metadata" in part)) return undefined;
  const { value } = part;
  if (Array.isArray(value)) return value.join("");
  return typeof value === "string" ? value : undefined;
}

export function isCall({ callId, name }: Fields): boolean {
  return typeof callId === "string" && typeof name === "string";
}

export function isResult({ callId, content }: Fields): boolean {
  return typeof callId === "string" && Array.isArray(content);
}

/** The texts of a result, if it holds nothing else. */
function spokenBy(content: unknown): unknown {
  const texts = (content as unknown[]).map((part) => fields(part).value);
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : content;
}
