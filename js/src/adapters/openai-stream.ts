// What OpenAI's streams look like.

/**
 * An event of a stream of `openai`, or of anything that speaks its formats: a chunk of a chat
 * completion or an event of the Responses API.
 *
 * The shapes are this package's own and say only what the adapter looks at, so it does not depend on
 * the SDK and works with any version that has these fields.
 */
export type OpenAiStreamEvent = OpenAiChunk | OpenAiResponseEvent;

/** A chunk of a chat completion. */
export type OpenAiChunk = {
  readonly type?: undefined;
  readonly choices: readonly OpenAiChoice[];
};

/** A piece of one answer; only the first answer is looked at. */
export type OpenAiChoice = {
  readonly index?: number;
  readonly delta?: OpenAiDelta;
  readonly finish_reason?: string | null;
};

/** What a chunk adds to an answer. */
export type OpenAiDelta = {
  readonly content?: string | null;
  readonly refusal?: string | null;
  /** The thinking, as DeepSeek and many servers name it. */
  readonly reasoning_content?: string | null;
  /** The thinking, as OpenRouter names it. */
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly OpenAiCallDelta[] | null;
  readonly function_call?: { readonly name?: string; readonly arguments?: string } | null;
};

/** A piece of a tool call. */
export type OpenAiCallDelta = {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null };
};

/** An event of the Responses API. */
export type OpenAiResponseEvent = {
  readonly type: string;
  readonly choices?: undefined;
};
