// The adapter takes the streams and the histories of `openai`, in two majors of it.

import type OpenAI from "openai";
import type OpenAI7 from "openai-7";
import {
  dedupeHistory,
  guardStream,
  type AssembledPrompt,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/openai";

declare const client: OpenAI;
declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const assembled: AssembledPrompt;

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Event = OpenAI.Responses.ResponseStreamEvent;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

export const ofChat: StreamAdapter<Chunk> = streamAdapter();
export const ofResponses: StreamAdapter<Event> = streamAdapter();
export const ofChat7: StreamAdapter<OpenAI7.Chat.Completions.ChatCompletionChunk> = streamAdapter();
export const ofResponses7: StreamAdapter<OpenAI7.Responses.ResponseStreamEvent> = streamAdapter();

// @ts-expect-error: an adapter is for streams of events, and not of texts
export const ofTexts: StreamAdapter<string> = streamAdapter();

export async function eventsKeepTheirType(messages: Message[]) {
  const params = { model: "model-1", messages, stream: true } as const;
  const stream = await client.chat.completions.create(params);
  const guarded: AsyncIterable<Chunk> = guardStream(stream, detector, {
    adapter: streamAdapter(),
    abort: stream.controller,
    onLoopDetected,
  });
  for await (const chunk of guarded) {
    chunk.choices[0]?.delta.content satisfies string | null | undefined;
  }
  const events = await client.responses.create({ model: "model-1", input: "", stream: true });
  const options = { adapter: streamAdapter(), onLoopDetected };
  for await (const event of guardStream(events, detector, options)) {
    if (event.type === "response.output_text.delta") event.delta satisfies string;
  }
}

export function assembledFor(history: Message[]) {
  history.push(...toMessages([{ role: "user", content: assembled.parts }]));
}

export function repaired(history: Message[]): Message[] {
  return toMessages<Message>(dedupeHistory(fromMessages(history)).messages);
}
