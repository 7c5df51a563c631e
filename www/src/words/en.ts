import { callNumber, count } from "./en/amounts.js";
import { auditWords } from "./en/audit.js";
import { contextWords } from "./en/context.js";
import { frameWords } from "./en/frame.js";
import { memoryWords } from "./en/memory.js";
import { promptWords } from "./en/prompt.js";
import { sessionsWords } from "./en/sessions.js";
import { terminalsWords } from "./en/terminals.js";

export const en = {
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

/** Every word of the page in one language. What comes from the package, for a model, stays English. */
export type Words = typeof en;
