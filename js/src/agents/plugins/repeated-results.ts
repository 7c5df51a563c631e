/** Results that stand in a conversation more than once, to the character. */

/** A result in the copy of a conversation that is sent to the model. */
export interface SentResult<T> {
  text: string;
  /** The id of its call, or the tool's name. */
  call: string;
  /** What it is in, with another text in its place. */
  withText(text: string): T;
}

/** A shorter result is not worth the words that would stand for it. */
const SHORTEST = 2_000;

/**
 * Makes a function for the parts of one conversation in their order, which puts a line in the place of each long
 * result that an earlier call had. The earlier one stays where it is, so that a provider's prompt cache keeps
 * working. Parts in which nothing changes are the same array.
 */
export function repeatsReplaced() {
  const seen = new Map<string, string>();
  return <T>(
    parts: readonly T[],
    resultIn: (part: T) => SentResult<T> | undefined,
  ): readonly T[] => {
    let hasChanged = false;
    const sent = parts.map((part) => {
      const result = resultIn(part);
      if (result === undefined || result.text.length < SHORTEST) return part;
      const earlier = seen.get(result.text);
      if (earlier === undefined) {
        seen.set(result.text, result.call);
        return part;
      }
      hasChanged = true;
      return result.withText(lineFor(result.text, `the call ${earlier}`));
    });
    return hasChanged ? sent : parts;
  };
}

function lineFor(text: string, call: string): string {
  return `[The same ${text.length} characters as the result of ${call} above.]`;
}
