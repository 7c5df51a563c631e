// The adapter takes the streams and the histories of `@anthropic-ai/sdk`.

import type Anthropic from "@anthropic-ai/sdk";
import {
  dedupeHistory,
  guardStream,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/anthropic";

declare const client: Anthropic;
declare const detector: LoopDetector;
declare const params: Anthropic.MessageCreateParamsNonStreaming;

type StreamEvent = Anthropic.MessageStreamEvent;
type BetaStreamEvent = Anthropic.Beta.BetaRawMessageStreamEvent;

export const ofTheSdk: StreamAdapter<StreamEvent> = streamAdapter();
export const ofTheBeta: StreamAdapter<BetaStreamEvent> = streamAdapter();

// @ts-expect-error: an adapter is for streams of events, and not of texts
export const ofTexts: StreamAdapter<string> = streamAdapter();

export async function eventsKeepTheirType() {
  const stream = await client.messages.create({ ...params, stream: true });
  const guarded: AsyncIterable<StreamEvent | LoopDetectedEvent> = guardStream(stream, detector, {
    adapter: streamAdapter(),
    abort: stream.controller,
  });
  for await (const event of guarded) {
    if ("verdict" in event) return event.verdict.report.message;
    if (event.type === "content_block_delta") event.delta.type satisfies string;
  }
  const helper = client.messages.stream(params);
  return guardStream(helper, detector, {
    adapter: streamAdapter(),
    abort: helper.controller,
  }) satisfies AsyncIterable<StreamEvent | LoopDetectedEvent>;
}

export function repaired(history: Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  return toMessages<Anthropic.MessageParam>(dedupeHistory(fromMessages(history)).messages);
}
