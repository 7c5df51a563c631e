import { callNumber, count } from "./zh/amounts.js";
import { auditWords } from "./zh/audit.js";
import { contextWords } from "./zh/context.js";
import { frameWords } from "./zh/frame.js";
import { memoryWords } from "./zh/memory.js";
import { promptWords } from "./zh/prompt.js";
import { sessionsWords } from "./zh/sessions.js";
import { terminalsWords } from "./zh/terminals.js";
import type { Words } from "./en.js";

export const zh: Words = {
  callNumber,
  count,
  audit: auditWords,
  ...frameWords,
  ...sessionsWords,
  ...contextWords,
  ...promptWords,
  ...terminalsWords,
  ...memoryWords,
};
