import { dedupeHistory, type DedupeReport } from "turnkeeper";
import type { DedupeOptions } from "../boundary/generated/shapes.js";
import { isItem } from "../messages/openai/parts.js";
import type { SavedRecord } from "../saved/saved-session.js";

/** A message as its file has it. */
export type FileMessage = Record<string, unknown>;

/** How a history is shortened where nobody says otherwise: newer messages say better what goes. */
export const RESUME = { economy: "resume" } as const;

/** The tags of blocks where nobody says otherwise: the last one is that of Claude Code's notes. */
const TAGS = ["environment_details", "system-reminder"];

/** A history that has been shortened. */
export interface Shortened {
  /** The messages as the file has them, and as the deduper left them. */
  before: readonly FileMessage[];
  after: readonly FileMessage[];
  report: DedupeReport;
}

/**
 * The messages of a saved history. Older messages change by what newer ones say, so all of them are held
 * until the end. The audit, the page and the repair all ask this one.
 */
export class HeldHistory {
  readonly messages: FileMessage[] = [];
  /** The folder that relative paths start from, where the file says it beside the messages. */
  #root: string | undefined;

  /** The message that a record holds, if any, which is kept from here on. */
  take(record: SavedRecord): FileMessage | undefined {
    this.#root ??= record.workingDirectory;
    const message = record.original as FileMessage | undefined;
    if (message === undefined || !(record.path || isMessage(message))) return undefined;
    this.messages.push(message);
    return message;
  }

  shorten(options: DedupeOptions): Shortened {
    const before = this.messages;
    const root = this.#root === undefined ? {} : { root: this.#root };
    const { messages: after, report } = dedupeHistory(before, { tags: TAGS, ...root, ...options });
    // A message that holds nothing but a second result of a call stays in its file.
    for (const one of report.undo) {
      if ("message" in one) after.splice(one.index, 0, one.message as FileMessage);
    }
    return { before, after, report };
  }

  clear(): void {
    this.messages.length = 0;
  }
}

/** Whether it is a message, or an item of OpenAI's Responses. */
function isMessage(message: FileMessage): boolean {
  return typeof message.role === "string" || isItem(message);
}
