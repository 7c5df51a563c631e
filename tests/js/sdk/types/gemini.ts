// The adapter takes the streams and the histories of `@google/genai`, in two majors of it.

import type { Content, GenerateContentResponse } from "@google/genai";
import type { Content as Content3, GenerateContentResponse as Response3 } from "genai-3";
import {
  dedupeHistory,
  guardStream,
  type AssembledPrompt,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/gemini";

declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const assembled: AssembledPrompt;
declare const chunks: AsyncGenerator<GenerateContentResponse>;
declare const history: Content[];

export const ofTheSdk: StreamAdapter<GenerateContentResponse> = streamAdapter();

export const ofTheNextSdk: StreamAdapter<Response3> = streamAdapter();

// @ts-expect-error: an adapter is for streams of chunks, and not of texts
export const ofTexts: StreamAdapter<string> = streamAdapter();

export async function chunksKeepTheirType() {
  const abort = new AbortController();
  const guarded: AsyncIterable<GenerateContentResponse> = guardStream(chunks, detector, {
    adapter: streamAdapter(),
    abort,
    onLoopDetected,
  });
  for await (const chunk of guarded) chunk.candidates?.[0]?.finishReason;
  history.push(...toMessages([{ role: "user", content: assembled.parts }]));
}

export const repaired: Content[] = toMessages<Content>(
  dedupeHistory(fromMessages(history)).messages,
);

export function repaired3(history: Content3[]): Content3[] {
  return toMessages<Content3>(dedupeHistory(fromMessages(history)).messages);
}
