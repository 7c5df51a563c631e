/// <reference types="vscode" />
// The adapter takes VS Code's language models and chat messages, of a newer version than the
// extension in tests/js/vscode is compiled with.

import {
  dedupeHistory,
  guardStream,
  type AssembledPrompt,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

declare const detector: LoopDetector;
declare const onLoopDetected: (event: LoopDetectedEvent) => void;
declare const assembled: AssembledPrompt;
declare const model: vscode.LanguageModelChat;
declare const messages: vscode.LanguageModelChatMessage[];

export const ofVsCode: StreamAdapter<unknown> = streamAdapter();

export async function partsKeepTheirType() {
  const source = new vscode.CancellationTokenSource();
  const abort = new AbortController();
  abort.signal.addEventListener("abort", () => source.cancel());
  const { stream } = await model.sendRequest(messages, {}, source.token);
  const guarded: AsyncIterable<unknown> = guardStream(stream, detector, {
    adapter: streamAdapter(),
    abort,
    onLoopDetected,
  });
  for await (const part of guarded) {
    if (part instanceof vscode.LanguageModelTextPart) part.value satisfies string;
  }
  messages.push(...toMessages([{ role: "user", content: assembled.parts }], vscode));
}

export const repaired: vscode.LanguageModelChatMessage[] =
  toMessages<vscode.LanguageModelChatMessage>(
    dedupeHistory(fromMessages(messages)).messages,
    vscode,
  );
