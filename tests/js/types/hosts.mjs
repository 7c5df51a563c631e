// The agents whose detector `docs/peers.md` replaces, as far as each one's source has to do with it: the file that the
// diff is for, and its own detector, which is gone afterwards. The lines of each have the shape that they have there.

/** Each agent by its heading in the document. */
export const HOSTS = {
  "gemini-cli": {
    file: "core/client.ts",
    detector: "services/loopDetectionService.ts",
    files: {
      "telemetry/loggers.ts": `export * from '@google/gemini-cli-core/dist/src/telemetry/loggers.js';\n`,
      "telemetry/types.ts": `export * from '@google/gemini-cli-core/dist/src/telemetry/types.js';\n`,
      "services/loopDetectionService.ts": `export * from '@google/gemini-cli-core/dist/src/services/loopDetectionService.js';\n`,
      "core/client.ts": `
import type { AgentLoopContext, Config, ServerGeminiStreamEvent } from '@google/gemini-cli-core';
import { LoopDetectionService } from '../services/loopDetectionService.js';
import { logNextSpeakerCheck } from '../telemetry/loggers.js';
import { NextSpeakerCheckEvent } from '../telemetry/types.js';

export class GeminiClient {
  private readonly loopDetector: LoopDetectionService;

  constructor(private readonly context: AgentLoopContext) {
    this.loopDetector = new LoopDetectionService(this.config);
  }

  private get config(): Config {
    return this.context.config;
  }

  getLoopDetectionService(): LoopDetectionService {
    return this.loopDetector;
  }

  async turn(promptId: string, request: string, event: ServerGeminiStreamEvent, signal: AbortSignal) {
    this.loopDetector.reset(promptId, request);
    const { count, detail }: { count: number; detail?: string } =
      await this.loopDetector.turnStarted(signal);
    const loopResult = this.loopDetector.addAndCheck(event);
    if (loopResult.count === 1) this.loopDetector.clearDetection();
    logNextSpeakerCheck(this.config, new NextSpeakerCheckEvent(promptId, '', ''));
    return [count, detail];
  }
}
`,
    },
  },
  "DeepV Code": {
    file: "core/client.ts",
    detector: "services/loopDetectionService.ts",
    files: {
      "config/config.ts": `
export interface Config {
  getModel(): string;
  getSessionId(): string;
}
`,
      "core/turn.ts": `export type { ServerGeminiStreamEvent } from '@google/gemini-cli-core';\n`,
      "telemetry/types.ts": `
export enum LoopType {
  CONSECUTIVE_IDENTICAL_TOOL_CALLS = 'consecutive_identical_tool_calls',
  CHANTING_IDENTICAL_SENTENCES = 'chanting_identical_sentences',
  LLM_DETECTED_LOOP = 'llm_detected_loop',
}

export class LoopDetectedEvent {
  constructor(readonly loop_type: LoopType, readonly prompt_id: string) {}
}

export class FlashDecidedToContinueEvent {
  constructor(readonly prompt_id: string) {}
}
`,
      "telemetry/loggers.ts": `
import type { Config } from '../config/config.js';
import type { FlashDecidedToContinueEvent, LoopDetectedEvent } from './types.js';

export declare function logLoopDetected(config: Config, event: LoopDetectedEvent): void;
export declare function logFlashDecidedToContinue(
  config: Config,
  event: FlashDecidedToContinueEvent,
): void;
`,
      "services/loopDetectionService.ts": `
import type { Config } from '../config/config.js';
import type { ServerGeminiStreamEvent } from '../core/turn.js';
import type { LoopType } from '../telemetry/types.js';

export declare class LoopDetectionService {
  constructor(config: Config);
  reset(promptId: string): void;
  turnStarted(signal: AbortSignal): Promise<boolean>;
  addAndCheck(event: ServerGeminiStreamEvent): boolean;
  getDetectedLoopType(): LoopType | null;
}
`,
      "core/client.ts": `
import type { Config } from '../config/config.js';
import type { ServerGeminiStreamEvent } from './turn.js';
import { LoopDetectionService } from '../services/loopDetectionService.js';
import { logFlashDecidedToContinue } from '../telemetry/loggers.js';
import { FlashDecidedToContinueEvent, LoopType } from '../telemetry/types.js';

export class GeminiClient {
  private readonly loopDetector: LoopDetectionService;

  constructor(private config: Config) {
    this.loopDetector = new LoopDetectionService(config);
  }

  async turn(promptId: string, event: ServerGeminiStreamEvent, signal: AbortSignal) {
    this.loopDetector.reset(promptId);
    if (await this.loopDetector.turnStarted(signal)) return LoopType.LLM_DETECTED_LOOP;
    if (this.loopDetector.addAndCheck(event)) {
          const loopType = this.loopDetector.getDetectedLoopType();
          const value: LoopType | undefined = loopType ?? undefined;
          return value;
    }
    logFlashDecidedToContinue(this.config, new FlashDecidedToContinueEvent(promptId));
    return undefined;
  }
}
`,
    },
  },
  "Roo Code": {
    file: "core/task/Task.ts",
    detector: "core/tools/ToolRepetitionDetector.ts",
    files: {
      "i18n/index.ts": `export declare function t(key: string, options?: Record<string, unknown>): string\n`,
      "shared/tools.ts": `
export interface ToolUse {
	type: "tool_use"
	name: "read_file" | "execute_command"
	params: Partial<Record<"path" | "command", string>>
	partial: boolean
}
`,
      "core/tools/ToolRepetitionDetector.ts": `
import type { ToolUse } from "../../shared/tools"

export declare class ToolRepetitionDetector {
	constructor(limit?: number)
	check(currentToolCallBlock: ToolUse): {
		allowExecution: boolean
		askUser?: { messageKey: string; messageDetail: string }
	}
}
`,
      "core/task/Task.ts": `
import { t } from "../../i18n"
import type { ToolUse } from "../../shared/tools"
import { ToolRepetitionDetector } from "../tools/ToolRepetitionDetector"

export class Task {
	toolRepetitionDetector: ToolRepetitionDetector

	constructor(readonly consecutiveMistakeLimit: number = 3) {
		this.toolRepetitionDetector = new ToolRepetitionDetector(this.consecutiveMistakeLimit)
	}

	asked(block: ToolUse): string | undefined {
		const repetitionCheck = this.toolRepetitionDetector.check(block)
		if (repetitionCheck.allowExecution || !repetitionCheck.askUser) return undefined
		const { messageKey, messageDetail } = repetitionCheck.askUser
		return messageKey + messageDetail.replace("{toolName}", t(block.name))
	}
}
`,
    },
  },
  Cline: {
    file: "orchestration/session-runtime.ts",
    detector: "safety/loop-detection.ts",
    files: {
      "safety/loop-detection.ts": `
export declare class LoopDetectionTracker {
	constructor(config?: { softThreshold?: number; hardThreshold?: number })
	inspect(call: { name: string; input: unknown }): { kind: string; message?: string }
	reset(): void
}
`,
      "orchestration/session-runtime.ts": `
import { LoopDetectionTracker } from "../safety/loop-detection"

export class SessionRuntime {
	private readonly loopTracker = new LoopDetectionTracker({ softThreshold: 3, hardThreshold: 5 })

	called(name: string, input: unknown): boolean {
		return this.loopTracker.inspect({ name, input }).kind === "ok"
	}

	begin(): void {
		this.loopTracker.reset()
	}
}
`,
    },
  },
};
