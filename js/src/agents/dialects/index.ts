import type { HookedAgent } from "../agents.js";
import type { Dialect } from "../hook-event.js";

import { claudeCode } from "./claude-code.js";
import { cline } from "./cline.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { crush } from "./crush.js";
import { cursor } from "./cursor.js";
import { geminiCli } from "./gemini-cli.js";
import { goose } from "./goose.js";
import { qwenCode } from "./qwen-code.js";

export const DIALECTS: Readonly<Record<HookedAgent, Dialect>> = {
  "claude-code": claudeCode,
  "vscode-copilot": copilot,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  "copilot-cli": copilot,
  cline,
  cursor,
  crush,
  goose,
};
