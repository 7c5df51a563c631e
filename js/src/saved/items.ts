// Records of saved sessions: the items that readers make them of.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { CALL_WITHOUT_NAME, textOf } from "../messages/events.js";
import type { Fields } from "../messages/fields.js";
import { usersWords } from "../messages/person.js";
import { Unreadable, type SavedItem, type SessionFacts } from "./saved-session.js";

/**
 * Events that stand by themselves.
 *
 * @throws {@link Unreadable} for a call that names no tool
 */
export function events(all: readonly AgentEvent[]): SavedItem[] {
  return all.map((event) => {
    if (event === CALL_WITHOUT_NAME) throw new Unreadable("has a tool call without a name");
    return { event };
  });
}

/** An answer of the model's, which is a turn. */
export function turn(answer: readonly AgentEvent[]): SavedItem[] {
  return [{ event: { type: "turn_started" } }, ...events(answer)];
}

/**
 * Words in the user's name. Those of the agent or its host start no prompt.
 *
 * @param isPersons whether a person wrote any of them, where more than the text tells it
 */
export function userSaid(text: string, isPersons = usersWords(text) !== undefined): SavedItem {
  if (!isPersons) return hostSaid(text);
  return { event: { type: "user_message" }, said: { kind: "user", text } };
}

/** Words of the host or the agent, in whomever's name, which start no prompt. */
export function hostSaid(text: string): SavedItem {
  return { event: { type: "other" }, said: { kind: "system", text } };
}

/** The history was replaced by a summary, or is gone on with from an earlier place. */
export function condensed(): SavedItem {
  return { event: { type: "condensation" } };
}

/** Facts of a session, as far as they are texts that are not empty. */
export function facts(given: { [Name in keyof SessionFacts]: unknown }): SessionFacts {
  const known = Object.entries(given).filter(([, fact]) => typeof fact === "string" && fact !== "");
  return Object.fromEntries(known);
}

/** Deeper than anything that an agent writes, and not as deep as an engine can write. */
const DEEPEST = 1_000;

/** @throws {@link Unreadable} for a value that is nested so deep that it cannot be shown as text */
export function refuseDeep(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > DEEPEST) throw new Unreadable("is nested too deep");
  if (Array.isArray(value)) {
    for (const inner of value) refuseDeep(inner, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) refuseDeep((value as Fields)[key], depth + 1);
}

/**
 * The text of a content, whatever it is made of.
 *
 * @throws {@link Unreadable} for what is nested too deep
 */
export function plain(content: unknown): string {
  refuseDeep(content);
  return textOf(content);
}

/**
 * The text of a JSON value: a string as it is, anything else as JSON.
 *
 * @throws {@link Unreadable} for what is nested too deep to be written
 */
export function shown(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    throw new Unreadable("is nested too deep");
  }
}
