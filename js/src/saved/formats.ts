import { ATIF, isAtifStep } from "./atif.js";
import {
  ClaudeCodeReader,
  ClaudeStreamReader,
  isClaudeLine,
  isClaudeStreamMessage,
} from "./claude.js";
import { CodexReader, isCodexLine } from "./codex.js";
import { type Container, HOLDERS } from "./container.js";
import { CopilotChatReader, isCopilotLog, isCopilotRequest } from "./copilot-chat.js";
import { COPILOT_CLI, isCopilotCliEvent } from "./copilot-cli.js";
import { CRUSH, isCrushRow } from "./crush.js";
import { EVENTS, isEventLine } from "./event-reader.js";
import { GeminiSessionReader, isGeminiLine, isGeminiMessage } from "./gemini-session.js";
import { GeminiStreamReader, isGeminiStreamEvent } from "./gemini-stream.js";
import { GooseReader, isGooseHeader, isGooseMessage } from "./goose.js";
import type { PieceValue } from "./json-pieces.js";
import { KimiReader, isKimiLine } from "./kimi.js";
import { MessageReader } from "./messages.js";
import { MiniSweAgentReader, isMiniSweAgentProperty } from "./mini-swe-agent.js";
import { OpencodeReader, isOpencodeMessage, isOpencodeSession } from "./opencode.js";
import { OPENHANDS_EVAL, isOpenHandsRun } from "./openhands-eval.js";
import { OpenHandsReader, isOpenHandsEvent } from "./openhands.js";
import { PiReader, isPiHeader } from "./pi.js";
import { isMessage } from "./providers.js";
import { QwenCodeReader, isQwenRecord } from "./qwen-code.js";
import type { RecordReader } from "./saved-session.js";
import { SWE_AGENT, isSweAgentStep } from "./swe-agent.js";
import { UiMessageReader, isUiMessage } from "./ui-messages.js";

/** Whether a value is a format's, and what reads it. */
type Format = [isOf: (value: unknown) => boolean, reader: () => RecordReader];

/** Formats whose values show it wherever they are. Those with more conditions are asked first. */
const ANYWHERE: readonly Format[] = [
  [isGeminiStreamEvent, () => new GeminiStreamReader()],
  [isClaudeStreamMessage, () => new ClaudeStreamReader()],
  [isEventLine, () => EVENTS],
  [isUiMessage, () => new UiMessageReader()],
  [isGeminiMessage, () => new GeminiSessionReader()],
  [isOpenHandsEvent, () => new OpenHandsReader()],
  [isSweAgentStep, () => SWE_AGENT],
  [isOpencodeMessage, () => new OpencodeReader()],
  [isGooseMessage, () => new GooseReader()],
  [isCopilotRequest, () => new CopilotChatReader()],
  [isAtifStep, () => ATIF],
];

/** Formats of lines, by one of their first lines. */
const LINES: readonly Format[] = [
  [isQwenRecord, () => new QwenCodeReader()],
  [isClaudeLine, () => new ClaudeCodeReader()],
  [isCodexLine, () => new CodexReader()],
  [isGeminiLine, () => new GeminiSessionReader()],
  [isPiHeader, () => new PiReader()],
  [isOpencodeSession, () => new OpencodeReader()],
  [isGooseHeader, () => new GooseReader()],
  [isOpenHandsRun, () => OPENHANDS_EVAL],
  [isCopilotLog, () => new CopilotChatReader()],
  [isCopilotCliEvent, () => COPILOT_CLI],
  [isKimiLine, () => new KimiReader()],
  [isCrushRow, () => CRUSH],
];

/** Finds out from the values of a file whose session it is; never from its name. */
export class Recogniser {
  readonly #container: Container;
  /** What the properties beside the elements say of these. */
  #beside: "gemini" | "mini-swe-agent" | undefined;

  constructor(container: Container) {
    this.#container = container;
  }

  /** The reader for the file's values, once a value says enough. */
  look({ key, isElement, json }: PieceValue): RecordReader | undefined {
    if (this.#container === "markdown") return new MessageReader("cline-markdown");
    if (this.#container === "object" && !isElement) {
      if (isMiniSweAgentProperty(key!, json)) this.#beside = "mini-swe-agent";
      if (key === "projectHash") this.#beside = "gemini";
      return undefined;
    }
    if (this.#container === "object" && !HOLDERS.has(key!)) return undefined;
    if (this.#beside === "gemini") return new GeminiSessionReader();
    const formats = this.#container === "lines" ? [...ANYWHERE, ...LINES] : ANYWHERE;
    const found = formats.find(([isOf]) => isOf(json));
    if (found) return found[1]();
    if (!isMessage(json)) return undefined;
    return this.#beside ? new MiniSweAgentReader() : new MessageReader();
  }
}
