import { AtifReader, isAtifStep } from "./atif.js";
import { ClaudeCodeReader, isClaudeLine } from "./claude-code.js";
import { ClaudeStreamReader, isClaudeStreamMessage } from "./claude-stream.js";
import { CodexReader, isCodexLine } from "./codex.js";
import { type Container, HOLDERS } from "./container.js";
import { CopilotChatReader, isCopilotLog, isCopilotRequest } from "./copilot-chat.js";
import { CopilotCliReader, isCopilotCliEvent } from "./copilot-cli.js";
import { CrushReader, isCrushRow } from "./crush.js";
import { EventReader, isEventLine } from "./event-reader.js";
import { GeminiSessionReader, isGeminiLine, isGeminiMessage } from "./gemini-session.js";
import { GeminiStreamReader, isGeminiStreamEvent } from "./gemini-stream.js";
import { GooseReader, isGooseHeader, isGooseMessage } from "./goose.js";
import type { PieceValue } from "./json-pieces.js";
import { KimiReader, isKimiLine } from "./kimi.js";
import { MessageReader, isMessage } from "./messages.js";
import { MiniSweAgentReader, isMiniSweAgentProperty } from "./mini-swe-agent.js";
import { OpencodeReader, isOpencodeMessage, isOpencodeSession } from "./opencode.js";
import { OpenHandsEvalReader, isOpenHandsRun } from "./openhands-eval.js";
import { OpenHandsReader, isOpenHandsEvent } from "./openhands.js";
import { PiReader, isPiHeader } from "./pi.js";
import { QwenCodeReader, isQwenRecord } from "./qwen-code.js";
import type { RecordReader } from "./saved-session.js";
import { SweAgentReader, isSweAgentStep } from "./swe-agent.js";
import { UiMessageReader, isUiMessage } from "./ui-messages.js";

interface Format {
  /** Whether a value is the format's. */
  isOf: (value: unknown) => boolean;
  reader: new () => RecordReader;
}

/** Formats whose values show it wherever they are. Those with more conditions are asked first. */
const ANYWHERE: readonly Format[] = [
  { isOf: isGeminiStreamEvent, reader: GeminiStreamReader },
  { isOf: isClaudeStreamMessage, reader: ClaudeStreamReader },
  { isOf: isEventLine, reader: EventReader },
  { isOf: isUiMessage, reader: UiMessageReader },
  { isOf: isGeminiMessage, reader: GeminiSessionReader },
  { isOf: isOpenHandsEvent, reader: OpenHandsReader },
  { isOf: isSweAgentStep, reader: SweAgentReader },
  { isOf: isOpencodeMessage, reader: OpencodeReader },
  { isOf: isGooseMessage, reader: GooseReader },
  { isOf: isCopilotRequest, reader: CopilotChatReader },
  { isOf: isAtifStep, reader: AtifReader },
];

/** Formats of lines, by one of their first lines. */
const LINES: readonly Format[] = [
  { isOf: isQwenRecord, reader: QwenCodeReader },
  { isOf: isClaudeLine, reader: ClaudeCodeReader },
  { isOf: isCodexLine, reader: CodexReader },
  { isOf: isGeminiLine, reader: GeminiSessionReader },
  { isOf: isPiHeader, reader: PiReader },
  { isOf: isOpencodeSession, reader: OpencodeReader },
  { isOf: isGooseHeader, reader: GooseReader },
  { isOf: isOpenHandsRun, reader: OpenHandsEvalReader },
  { isOf: isCopilotLog, reader: CopilotChatReader },
  { isOf: isCopilotCliEvent, reader: CopilotCliReader },
  { isOf: isKimiLine, reader: KimiReader },
  { isOf: isCrushRow, reader: CrushReader },
];

/** Finds out from the values of a file whose session it is; never from its name. */
export class Recogniser {
  readonly #container: Container;
  /** What the properties beside the elements say of these. */
  #format: (new () => RecordReader) | undefined;

  constructor(container: Container) {
    this.#container = container;
  }

  /** The reader for the file's values, once a value says enough. */
  look({ key, isElement, json }: PieceValue): RecordReader | undefined {
    if (this.#container === "markdown") return new MessageReader("cline-markdown");
    if (this.#container === "object" && !isElement) {
      if (isMiniSweAgentProperty(key!, json)) this.#format = MiniSweAgentReader;
      if (key === "projectHash") this.#format = GeminiSessionReader;
      return undefined;
    }
    if (this.#container === "object" && !HOLDERS.has(key!)) return undefined;
    if (this.#format === GeminiSessionReader) return new GeminiSessionReader();
    const formats = this.#container === "lines" ? [...ANYWHERE, ...LINES] : ANYWHERE;
    const found = formats.find(({ isOf }) => isOf(json));
    if (found) return new found.reader();
    if (!isMessage(json)) return undefined;
    return this.#format ? new this.#format() : new MessageReader();
  }
}
