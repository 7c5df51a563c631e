// The adapter's own shapes take the events of the real packages.

import type { ServerGeminiStreamEvent } from "@google/gemini-cli-core";
import type { GenerateContentResponse } from "@google/genai";
import {
  guardStream,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { streamAdapter } from "turnkeeper/adapters/gemini";

declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const cliEvents: AsyncGenerator<ServerGeminiStreamEvent>;
declare const chunks: AsyncGenerator<GenerateContentResponse>;

export const ofTheCli: StreamAdapter<ServerGeminiStreamEvent> = streamAdapter();
export const ofTheSdk: StreamAdapter<GenerateContentResponse> = streamAdapter();

export function anyEventIsTaken(event: ServerGeminiStreamEvent | GenerateContentResponse) {
  return streamAdapter()(event);
}

export async function theHostsEventsKeepTheirTypes() {
  const fromCli: AsyncIterable<ServerGeminiStreamEvent> = guardStream(cliEvents, detector, {
    adapter: streamAdapter(),
    onLoopDetected,
  });
  const fromSdk: AsyncIterable<GenerateContentResponse> = guardStream(chunks, detector, {
    adapter: streamAdapter(),
    onLoopDetected,
  });
  for await (const event of fromSdk) event.candidates?.[0]?.finishReason;
  return fromCli;
}
