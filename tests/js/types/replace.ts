// The drop-ins take the peers' own objects, and what they answer fits where the peer's answer was read.

import type { AgentLoopContext, Config, ServerGeminiStreamEvent } from "@google/gemini-cli-core";
import {
  LlmLoopCheckEvent,
  LoopDetectedEvent,
  LoopDetectionDisabledEvent,
  type LoopType,
} from "@google/gemini-cli-core/dist/src/telemetry/types.js";
import {
  LoopDetectionTracker,
  checkRepeatedToolCall,
  createLoopDetectionState,
  resetLoopDetectionState,
  toolCallSignature,
  type LoopDetectionConfig,
  type LoopDetectionState,
} from "turnkeeper/replace/cline";
import { LoopDetectionService as DeepvService } from "turnkeeper/replace/deepv";
import { LoopDetectionService, type LoopDetectionResult } from "turnkeeper/replace/gemini-cli";
import { ToolRepetitionDetector } from "turnkeeper/replace/roo";

declare const config: Config;
declare const context: AgentLoopContext;
declare const signal: AbortSignal;

// ---------- gemini-cli: the objects are its own

export async function inGeminiCli(events: AsyncIterable<ServerGeminiStreamEvent>) {
  const service = new LoopDetectionService(context, {
    loopDetected: (type, ...rest) => void new LoopDetectedEvent(type as LoopType, ...rest),
    loopDetectionDisabled: (promptId) => void new LoopDetectionDisabledEvent(promptId),
    llmLoopCheck: (...what) => void new LlmLoopCheckEvent(...what),
  });
  service.reset("prompt-1");
  service.reset("prompt-1", "Fix the build.");
  let result: LoopDetectionResult = await service.turnStarted(signal);
  for await (const event of events) result = service.addAndCheck(event);
  if (result.count === 1) service.clearDetection();
  const detail: string | undefined = result.detail;
  service.disableForSession();
  return [detail, result.confirmedByModel];
}

/** `Config` is the context of gemini-cli's main loop. */
export const ofTheMainLoop = new LoopDetectionService(config);

// ---------- DeepV Code: its objects are not published, so they are declared here as they are in its sources

interface DeepvContent {
  parts?: { text?: string; functionCall?: { name?: string } }[];
  role?: string;
}

enum SceneType {
  CHAT_CONVERSATION = "chat_conversation",
  JSON_GENERATION = "json_generation",
}

/** Of `@google/genai`, which asks for a model. */
interface GenerateContentParameters {
  model: string;
  contents: string | DeepvContent | DeepvContent[];
  config?: { abortSignal?: AbortSignal; temperature?: number };
}

interface DeepvsConfig {
  getModel(): string;
  getTelemetryEnabled(): boolean;
  getGeminiClient(): {
    getHistory(curated?: boolean): DeepvContent[];
    getContentGenerator(): {
      generateContent(
        request: GenerateContentParameters,
        scene: SceneType,
      ): Promise<{ candidates?: { content?: DeepvContent }[] }>;
    };
  };
}

enum DeepvsLoopType {
  CONSECUTIVE_IDENTICAL_TOOL_CALLS = "consecutive_identical_tool_calls",
  CHANTING_IDENTICAL_SENTENCES = "chanting_identical_sentences",
  LLM_DETECTED_LOOP = "llm_detected_loop",
}

export async function inDeepv(
  config: DeepvsConfig,
  events: AsyncIterable<ServerGeminiStreamEvent>,
) {
  const told: [DeepvsLoopType, string][] = [];
  const service = new DeepvService(config, {
    loopDetected: (type, promptId) => told.push([type as DeepvsLoopType, promptId]),
  });
  service.reset("prompt-1");
  let found: boolean = await service.turnStarted(signal);
  for await (const event of events) found ||= service.addAndCheck(event);
  const type = service.getDetectedLoopType() as DeepvsLoopType | null;
  return [found, type, told];
}

/** A model's name is all that is needed, and it is. */
export const asksNoModel = new DeepvService({ getModel: () => "gemini-3-pro-preview" });
// @ts-expect-error: without the model's name nobody knows whether it is a preview model.
export const ofNoModel = new DeepvService({ getTelemetryEnabled: () => false });

// ---------- Roo Code: its tool use is not published, so it is declared here as it is in its sources

type ToolName = "read_file" | "execute_command";

interface ToolUse<TName extends ToolName = ToolName> {
  type: "tool_use";
  id?: string;
  name: TName;
  originalName?: string;
  params: Partial<Record<"path" | "command" | "args", string>>;
  partial: boolean;
  nativeArgs?: TName extends "read_file" ? { path: string } : { command: string; cwd?: string };
}

export function inRooCode(block: ToolUse, t: (key: string, options: object) => string) {
  const withDefault = new ToolRepetitionDetector();
  const detector = new ToolRepetitionDetector(3, (toolName) =>
    t("tools:toolRepetitionLimitReached", { toolName }),
  );
  const answers: {
    allowExecution: boolean;
    askUser?: { messageKey: string; messageDetail: string };
  }[] = [withDefault.check(block), detector.check(block)];
  const params = { path: "a.ts" };
  answers.push(detector.check({ type: "tool_use", name: "read_file", params, partial: false }));
  return answers;
}

// ---------- Cline: the interface of its SDK's tracker, as it is in its sources

interface ClinesTracker {
  inspect(call: { name: string; input: unknown }): {
    kind: "ok" | "soft" | "hard";
    message?: string;
  };
  reset(): void;
}

export const trackers: ClinesTracker[] = [
  new LoopDetectionTracker(),
  new LoopDetectionTracker({ softThreshold: 2 }),
  new LoopDetectionTracker({ softThreshold: 2, hardThreshold: 4 }),
];

export function inCline(loopConfig: LoopDetectionConfig) {
  const state: LoopDetectionState = createLoopDetectionState();
  const signature: string = toolCallSignature({ path: "a.ts" });
  const result: { softWarning: boolean; hardEscalation: boolean } = checkRepeatedToolCall(
    state,
    "read_files",
    signature,
    loopConfig,
  );
  resetLoopDetectionState(state);
  return [result, state.consecutiveIdenticalCount, state.lastToolName, state.lastToolSignature];
}
