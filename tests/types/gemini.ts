// The adapter's own shapes take the events of the real packages.

import type { ServerGeminiStreamEvent } from "@google/gemini-cli-core";
import type { GenerateContentResponse } from "@google/genai";
import {
  guardStream,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { streamAdapter, type GeminiStreamEvent } from "turnkeeper/adapters/gemini";

declare const detector: LoopDetector;
declare const cliEvents: AsyncGenerator<ServerGeminiStreamEvent>;
declare const chunks: AsyncGenerator<GenerateContentResponse>;

export const ofTheCli: StreamAdapter<ServerGeminiStreamEvent> = streamAdapter();
export const ofTheSdk: StreamAdapter<GenerateContentResponse> = streamAdapter();

export function anyEventIsTaken(event: ServerGeminiStreamEvent | GenerateContentResponse) {
  return event satisfies GeminiStreamEvent;
}

export async function theHostsEventsKeepTheirTypes() {
  const fromCli: AsyncIterable<ServerGeminiStreamEvent | LoopDetectedEvent> = guardStream(
    cliEvents,
    detector,
    { adapter: streamAdapter() },
  );
  const fromSdk: AsyncIterable<GenerateContentResponse | LoopDetectedEvent> = guardStream(
    chunks,
    detector,
    { adapter: streamAdapter() },
  );
  for await (const event of fromSdk) {
    if (!("verdict" in event)) event.candidates?.[0]?.finishReason;
  }
  return fromCli;
}
