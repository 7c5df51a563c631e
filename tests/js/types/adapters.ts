// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import { dedupeHistory, stripGhostBlocks, type AssembledPrompt } from "turnkeeper";
import * as aiSdk from "turnkeeper/adapters/ai-sdk";
import * as anthropic from "turnkeeper/adapters/anthropic";
import * as gemini from "turnkeeper/adapters/gemini";
import * as openai from "turnkeeper/adapters/openai";
import * as vscode from "turnkeeper/adapters/vscode";
import { init } from "turnkeeper/slim";

interface Own {
  role: "user" | "assistant";
  content: string;
  ts: number;
}
interface OwnContent {
  role?: string;
  parts?: { text?: string }[];
  ts: Date;
}

declare const own: readonly Own[];
declare const contents: readonly OwnContent[];
declare const assembled: AssembledPrompt;

export function whatGoesInComesBack() {
  aiSdk.toMessages(dedupeHistory(aiSdk.fromMessages(own)).messages) satisfies Own[];
  anthropic.toMessages(stripGhostBlocks(anthropic.fromMessages(own))) satisfies Own[];
  openai.toMessages(dedupeHistory(openai.fromMessages(own)).messages) satisfies Own[];
  vscode.toMessages(dedupeHistory(vscode.fromMessages(own)).messages) satisfies Own[];
  gemini.toMessages(dedupeHistory(gemini.fromMessages(contents)).messages) satisfies OwnContent[];
  openai.toMessages<Own>(openai.fromMessages(own)) satisfies Own[];

  // @ts-expect-error: these are messages of another type
  openai.toMessages(openai.fromMessages(own)) satisfies OwnContent[];
  // @ts-expect-error: and nothing makes others of them
  openai.toMessages<OwnContent>(openai.fromMessages(own));
  // @ts-expect-error: this adapter takes another provider's messages
  gemini.fromMessages([{ role: "user", parts: "text" }]);
}

export function messagesFromElsewhereMayBeAmongThem() {
  const fresh = { role: "user", content: assembled.parts };
  openai.toMessages([...openai.fromMessages(own), fresh]) satisfies Own[];
  const contents: OwnContent[] = gemini.toMessages([fresh]);
  const messages: Own[] = [];
  messages.push(...openai.toMessages([fresh]), ...aiSdk.toMessages([fresh]));
  messages.push(...anthropic.toMessages([fresh]));
  void contents;
  openai.toMessages([fresh]) satisfies object[];
}

export const loaded: Promise<void> = init(new Uint8Array());
