// The adapter takes the streams and the histories of `@anthropic-ai/sdk`.

import type Anthropic from "@anthropic-ai/sdk";
import {
  dedupeHistory,
  guardStream,
  type AssembledPrompt,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/anthropic";

declare const client: Anthropic;
declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const assembled: AssembledPrompt;
declare const params: Anthropic.MessageCreateParamsNonStreaming;

type StreamEvent = Anthropic.MessageStreamEvent;
type BetaStreamEvent = Anthropic.Beta.BetaRawMessageStreamEvent;

export const ofTheSdk: StreamAdapter<StreamEvent> = streamAdapter();
export const ofTheBeta: StreamAdapter<BetaStreamEvent> = streamAdapter();

// @ts-expect-error: an adapter is for streams of events, and not of texts
export const ofTexts: StreamAdapter<string> = streamAdapter();

export async function eventsKeepTheirType() {
  const stream = await client.messages.create({ ...params, stream: true });
  const guarded: AsyncIterable<StreamEvent> = guardStream(stream, detector, {
    adapter: streamAdapter(),
    abort: stream.controller,
    onLoopDetected,
  });
  for await (const event of guarded) {
    if (event.type === "content_block_delta") event.delta.type satisfies string;
  }
  const helper = client.messages.stream(params);
  return guardStream(helper, detector, {
    adapter: streamAdapter(),
    abort: helper.controller,
    onLoopDetected,
  }) satisfies AsyncIterable<StreamEvent>;
}

export function assembledFor(history: Anthropic.MessageParam[]) {
  history.push(...toMessages([{ role: "user", content: assembled.parts }]));
}

export function repaired(history: Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  return toMessages<Anthropic.MessageParam>(dedupeHistory(fromMessages(history)).messages);
}
