/** When the user has begun a prompt: with words of a person's own, or with an id where no words are shown. */

import { usersWords } from "../messages/person.js";
import type { HookEvent } from "./hook-event.js";
import type { SessionRecord } from "./session-record.js";

/** As much of a prompt is compared with what the model repeats. */
const LONGEST_WORDS = 8_192;

/**
 * What a person wrote of a message in the user's name: an empty text, if the agent does not show it or there is
 * none, as with a picture; undefined if an agent or its host wrote it all.
 */
export function wordsOf(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? "" : usersWords(text);
}

/** Begins a prompt if the user's message does. One that the agent tells again before each request does not. */
export function hearMessage(
  text: string | undefined,
  promptId: string | undefined,
  record: SessionRecord,
): void {
  const words = wordsOf(text)?.slice(0, LONGEST_WORDS);
  const isKnownId = promptId !== undefined && promptId === record.promptId;
  const isTold =
    isKnownId && record.words !== undefined && (words === "" || words === record.words);
  record.requestBegan = true;
  if (promptId !== undefined) record.promptId = promptId;
  if (words === undefined || isTold) return;
  beginPrompt(record);
  record.words = words;
  record.tellsMessages = true;
}

/** Begins a prompt if the id of what happened is a new one, of which no message has told. */
export function hearId({ promptId }: HookEvent, record: SessionRecord): void {
  if (promptId === undefined || promptId === record.promptId) return;
  record.promptId = promptId;
  if (!record.promptBegan) beginPrompt(record);
}

function beginPrompt(record: SessionRecord): void {
  record.prompts += 1;
  record.promptBegan = true;
  record.requestBegan = true;
  delete record.words;
  delete record.asked;
  delete record.ended;
  delete record.refuseNext;
}
