/** Results that stand in a conversation more than once, to the character. */

import type { FinishedCall } from "./hook-event.js";

/** A result in the copy of a conversation that is sent to the model. */
export interface SentResult {
  text: string;
  /** The id of its call, or the tool's name. */
  call: string;
  /** Puts another text in its place. */
  replace: (text: string) => void;
}

/** A shorter result is not worth the words that would stand for it. */
const SHORTEST = 2_000;

/**
 * Puts a line in the place of each long result that an earlier call had. The earlier one stays where it is,
 * so that a provider's prompt cache keeps working.
 *
 * @returns whether there was one
 */
export function replaceRepeated(results: Iterable<SentResult>): boolean {
  const seen = new Map<string, string>();
  let found = false;
  for (const { text, call, replace } of results) {
    if (text.length < SHORTEST) continue;
    const earlier = seen.get(text);
    if (earlier === undefined) {
      seen.set(text, call);
    } else {
      replace(lineFor(text, `the call ${earlier}`));
      found = true;
    }
  }
  return found;
}

/** Results that are remembered of a context, and the characters that name a call. */
const MOST_RESULTS = 256;
const LONGEST_NAME = 200;

/**
 * The line for a result that an earlier call of this context had; undefined for a new one, a short one and a
 * failure.
 *
 * @param seen what the context has, as pairs of a result's hash and its call; a new one is added
 */
export function repeatOf(
  { name, args, output, isError }: FinishedCall,
  seen: [hash: string, call: string][],
  hash: (text: string) => string,
): string | undefined {
  if (isError || output.length < SHORTEST) return undefined;
  const key = hash(output);
  const earlier = seen.find(([known]) => known === key);
  if (earlier !== undefined) return lineFor(output, earlier[1]);
  seen.push([key, `${name} ${JSON.stringify(args)}`.slice(0, LONGEST_NAME)]);
  if (seen.length > MOST_RESULTS) seen.shift();
  return undefined;
}

function lineFor(text: string, call: string): string {
  return `[The same ${text.length} characters as the result of ${call} above.]`;
}
