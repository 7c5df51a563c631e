// What Gemini's streams and histories look like.

/**
 * An event of a Gemini stream: a `ServerGeminiStreamEvent` of `@google/gemini-cli-core` (and of the
 * agents that grew from it), or a `GenerateContentResponse` chunk of `@google/genai`.
 *
 * The shapes are this package's own and say only what the adapter looks at, so it depends on
 * neither package and works with any version that has these fields.
 */
export type GeminiStreamEvent = GeminiServerEvent | GeminiChunk;

/** What all events of gemini-cli have in common. */
export type GeminiServerEvent = {
  readonly type: string;
  readonly value?: unknown;
  /** Of an `error` that `gemini --output-format stream-json` prints. */
  readonly message?: unknown;
};

/** What a chunk of `generateContentStream` says about the model's output. */
export type GeminiChunk = {
  readonly type?: undefined;
  readonly candidates?: readonly GeminiCandidate[];
};

/** One answer of the model; only the first of a chunk is looked at, as the SDK itself does. */
export type GeminiCandidate = {
  readonly content?: { readonly parts?: readonly GeminiPart[] };
  readonly finishReason?: string;
};

/** A piece of an answer, or of a tool's response. */
export type GeminiPart = {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: GeminiFunctionCall;
  readonly functionResponse?: GeminiFunctionResponse;
  readonly executableCode?: { readonly code?: string; readonly language?: string };
  readonly codeExecutionResult?: { readonly output?: string; readonly outcome?: string };
};

/** A function call, whole or (on Vertex AI, if the host asked for it) in pieces. */
export type GeminiFunctionCall = {
  readonly id?: string;
  readonly name?: string;
  readonly args?: Record<string, unknown>;
  readonly partialArgs?: readonly GeminiPartialArgument[];
  readonly willContinue?: boolean;
};

/** What a function answered. */
export type GeminiFunctionResponse = {
  readonly id?: string;
  readonly name?: string;
  readonly response?: Record<string, unknown>;
};

/** A message of a history: `Content` of `@google/genai`. */
export type GeminiContent = {
  readonly role?: string;
  readonly parts?: readonly GeminiPart[];
};

/** A piece of one argument, addressed by a JSON path. */
export type GeminiPartialArgument = {
  readonly jsonPath?: string;
  readonly stringValue?: string;
  readonly numberValue?: number;
  readonly boolValue?: boolean;
  readonly nullValue?: string;
};
