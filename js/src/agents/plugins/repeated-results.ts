/** Results that stand in a conversation more than once, to the character. */

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
 */
export function replaceRepeated(results: Iterable<SentResult>): void {
  const seen = new Map<string, string>();
  for (const { text, call, replace } of results) {
    if (text.length < SHORTEST) continue;
    const earlier = seen.get(text);
    if (earlier === undefined) seen.set(text, call);
    else
      replace(`[The same ${text.length} characters as the result of the call ${earlier} above.]`);
  }
}
