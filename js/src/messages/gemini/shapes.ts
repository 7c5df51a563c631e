// What Gemini's streams and histories look like, as far as an adapter asks, so that it depends on no version of a package.

/**
 * An event of a Gemini stream: a `ServerGeminiStreamEvent` of `@google/gemini-cli-core` (and of the
 * agents that grew from it), or a `GenerateContentResponse` chunk of `@google/genai`.
 */
export type GeminiStreamEvent =
  | { readonly type: string }
  | { readonly type?: undefined; readonly candidates?: readonly object[] };

/** A message of a history: `Content` of `@google/genai`. */
export type GeminiContent = {
  readonly role?: string;
  readonly parts?: readonly object[];
};
