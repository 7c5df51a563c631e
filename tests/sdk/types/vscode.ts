/// <reference types="vscode" />
// The adapter takes VS Code's language models and chat messages, of a newer version than the
// extension in tests/vscode is compiled with.

import {
  dedupeHistory,
  guardStream,
  type LoopDetectedEvent,
  type LoopDetector,
  type StreamAdapter,
} from "turnkeeper";
import { fromMessages, streamAdapter, toMessages } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

declare const detector: LoopDetector;
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
  });
  for await (const part of guarded) {
    if (part instanceof vscode.LanguageModelTextPart) part.value satisfies string;
    else if (isLoop(part)) return part.verdict.report.message;
  }
  return undefined;
}

function isLoop(part: unknown): part is LoopDetectedEvent {
  return typeof part === "object" && part !== null && "verdict" in part;
}

export const repaired: vscode.LanguageModelChatMessage[] =
  toMessages<vscode.LanguageModelChatMessage>(
    dedupeHistory(fromMessages(messages)).messages,
    vscode,
  );
