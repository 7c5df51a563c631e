// The adapter, the middleware and the stop condition fit three majors of `ai`.

import * as ai6 from "ai";
import * as ai5 from "ai-5";
import * as ai7 from "ai-7";
import {
  dedupeHistory,
  guardStream,
  type AssembledPrompt,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import {
  fromMessages,
  hasLooped,
  loopMiddleware,
  streamAdapter,
  toMessages,
} from "turnkeeper/adapters/ai-sdk";

declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const assembled: AssembledPrompt;
declare const model5: Parameters<typeof ai5.wrapLanguageModel>[0]["model"];
declare const model6: Parameters<typeof ai6.wrapLanguageModel>[0]["model"];
declare const model7: Parameters<typeof ai7.wrapLanguageModel>[0]["model"];

const middleware = loopMiddleware(detector, {
  onLoopDetected: ({ verdict }) => void verdict.report.message,
});
const condition = hasLooped(detector);

export async function fiveTakesThem(tools: ai5.ToolSet) {
  const model = ai5.wrapLanguageModel({ model: model5, middleware });
  const stopWhen = [ai5.stepCountIs(9), condition];
  await ai5.generateText({ model, tools, prompt: "", stopWhen });
  const { fullStream } = ai5.streamText({ model, tools, prompt: "", stopWhen });
  type Part = ai5.TextStreamPart<ai5.ToolSet>;
  const guarded: AsyncIterable<Part> = guardStream(fullStream, detector, {
    adapter: streamAdapter(),
    onLoopDetected,
  });
  return guarded;
}

export async function sixTakesThem(tools: ai6.ToolSet) {
  const model = ai6.wrapLanguageModel({ model: model6, middleware: [middleware] });
  const stopWhen = [ai6.stepCountIs(9), condition];
  await ai6.generateText({ model, tools, prompt: "", stopWhen });
  const { fullStream } = ai6.streamText({ model, tools, prompt: "", stopWhen });
  const options = { adapter: streamAdapter(), onLoopDetected };
  for await (const part of guardStream(fullStream, detector, options)) {
    if (part.type === "text-delta") part.text satisfies string;
  }
}

export async function sevenTakesThem(tools: ai7.ToolSet) {
  const model = ai7.wrapLanguageModel({ model: model7, middleware });
  const stopWhen = [ai7.isStepCount(9), condition];
  await ai7.generateText({ model, tools, prompt: "", stopWhen });
  const { fullStream } = ai7.streamText({ model, tools, prompt: "", stopWhen });
  const options = { adapter: streamAdapter(), onLoopDetected };
  for await (const part of guardStream(fullStream, detector, options)) {
    if (part.type === "text-delta") part.text satisfies string;
  }
}

// @ts-expect-error: an adapter is for streams of parts, and not of texts
export const ofTexts: StreamAdapter<string> = streamAdapter();
export const of5: StreamAdapter<ai5.TextStreamPart<ai5.ToolSet>> = streamAdapter();
export const of6: StreamAdapter<ai6.TextStreamPart<ai6.ToolSet>> = streamAdapter();
export const of7: StreamAdapter<ai7.TextStreamPart<ai7.ToolSet>> = streamAdapter();

export function assembledFor(history: ai6.ModelMessage[]) {
  history.push(...toMessages([{ role: "user", content: assembled.parts }]));
}

export function repaired(history: ai6.ModelMessage[]): ai6.ModelMessage[] {
  return toMessages<ai6.ModelMessage>(dedupeHistory(fromMessages(history)).messages);
}
export function repaired7(history: ai7.ModelMessage[]): ai7.ModelMessage[] {
  return toMessages<ai7.ModelMessage>(dedupeHistory(fromMessages(history)).messages);
}
