// The parts of a prompt.

import { invalidArgument, refusal } from "../boundary/arguments.js";
import { promptParts } from "./arguments.js";

const MACHINE = "summary_injector";

/** A phase of a turn: the model works out what to do, or it calls tools. */
export type Phase = "thinking" | "action";

/** A message of the action phase: one that was added comes back with all of its fields. */
export type HistoryMessage = {
  role: string;
  content: unknown;
  id?: string;
  [field: string]: unknown;
};

/** The host's parts of a prompt. */
export interface PromptParts {
  /** The agent's abilities: the first part of the system prompt. */
  capability: string;
  /** The way in which it should work: the second part of the system prompt. */
  direction: string;
  /** The current state of the workspace. */
  workspace: string;
}

/** A prompt for one phase of a turn. */
export type TurnPrompt<P extends Phase = Phase> = {
  /** The host's two parts, and what the user wants. */
  systemPrompt: string;
  /** The task, what earlier turns learned, and the state of the workspace. */
  workspaceContext: string;
  /**
   * In the thinking phase a string for each message, `<role>`, its text and `</role>` on lines of
   * their own; in the action phase the messages that were recalled, and the thinking message.
   */
  conversationHistory: P extends "thinking" ? string[] : HistoryMessage[];
};

/** A prompt as it comes out of the module: messages of the action phase are JSON. */
interface RawPrompt {
  systemPrompt: string;
  workspaceContext: string;
  conversationHistory: string[];
  thinkingMessage?: string;
}

/** A prompt for a phase, which `build` makes in the module. */
export function turnPrompt<P extends Phase>(
  phase: P,
  parts: PromptParts,
  build: (phase: P, parts: unknown) => unknown,
): TurnPrompt<P> {
  if (phase !== "thinking" && phase !== "action") {
    throw invalidArgument(MACHINE, "phase", "must be thinking or action");
  }
  const prompt = build(phase, promptParts(parts)) as RawPrompt;
  const { systemPrompt, workspaceContext, thinkingMessage: content } = prompt;
  let conversationHistory: string[] | HistoryMessage[] = prompt.conversationHistory;
  if (phase === "action") {
    const recalled = conversationHistory.map((json) => parsedJson(json) as HistoryMessage);
    conversationHistory =
      content === undefined ? recalled : [...recalled, { role: "system", content }];
  }
  return { systemPrompt, workspaceContext, conversationHistory } as TurnPrompt<P>;
}

/** JSON that the module has kept. */
export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // A snapshot can hold anything for a message, if its checksum is right.
    throw refusal("snapshot_corrupt", MACHINE, undefined, "a message is no JSON", error);
  }
}
