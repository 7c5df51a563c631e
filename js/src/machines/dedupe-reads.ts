// Results that hold a file's content, as Anthropic's messages carry them: a tool's result, or a
// text under the heading `[read_file for 'a.ts'] Result:`.

import { TextPlace } from "../../glue/turnkeeper.js";
import { copyOf } from "../boundary/arguments.js";
import { type Blocks, addText } from "./dedupe-blocks.js";
import type { Part } from "./dedupe-edits.js";
import type { RepeatedFileRead as CoreFileRead } from "../boundary/generated/shapes.js";

/**
 * A file's content that gave way to a notice. Putting `original` back at
 * `messages[index].content[part]` undoes it.
 */
export interface RepeatedFileRead extends CoreFileRead {
  /** The part as it was. */
  original: unknown;
}

interface Call extends Part {
  id?: unknown;
  name?: unknown;
  input?: unknown;
  tool_use_id?: unknown;
  is_error?: unknown;
}

const HEADING = /^\[(\w+) for '([^\n]+)'\] Result:\s*/;

/** What a call reads. */
interface ReadCall {
  /** The same for calls that read the same of the same file. */
  readonly key: string;
  readonly path: string;
}

/** Tells the core of the files that a history's messages hold. */
export class FileReads {
  readonly #blocks: Blocks;
  /** Whether the core wants to know. */
  readonly areWatched: boolean;
  /** The calls that wait for their result, by their ids. */
  readonly #calls = new Map<unknown, ReadCall>();

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
    this.areWatched = blocks.settings.readTools.length > 0;
  }

  /** Takes in the next message of the history, as it is after its repair. */

  take(role: unknown, content: unknown, index: number): void {
    if (!Array.isArray(content)) return;
    let heading: RegExpExecArray | null = null;
    for (let at = 0; at < content.length; at++) {
      const part = content[at] as Call | null;
      const headingBefore = heading;
      heading = null;
      if (role !== "user") {
        if (part?.type === "tool_use" && this.#reads(part.name)) this.#called(part);
      } else if (part?.type === "tool_result") {
        const call = this.#calls.get(part.tool_use_id);
        const text = resultText(part.content);
        if (call === undefined || text === undefined || part.is_error) continue;
        this.#send(index, at, text, call);
      } else if (part?.type === "text" && typeof part.text === "string") {
        heading = HEADING.exec(part.text);
        if (heading !== null && !this.#reads(heading[1])) heading = null;
        const found = heading ?? headingBefore;
        const text = part.text.slice(heading?.[0].length ?? 0);
        if (found === null || text === "") continue;
        heading = null;
        if (this.#blocks.begins(text)) continue;
        const key = JSON.stringify(found[0].trim());
        this.#send(index, at, text, { key, path: found[2]! });
      }
    }
  }

  #reads(name: unknown): boolean {
    return this.#blocks.settings.readTools.includes(name as string);
  }

  #called({ id, name, input }: Call): void {
    const { path, file_path, filePath } = (input ?? {}) as Record<string, unknown>;
    const file = path ?? file_path ?? filePath;
    if (typeof file !== "string") return;
    this.#calls.set(id, { key: JSON.stringify([name, input]), path: file });
  }

  #send(index: number, part: number, text: string, { key, path }: ReadCall): void {
    const { raw } = this.#blocks;
    addText(raw, text, part, TextPlace.ToolResult);
    raw.readFile(index, part, key, path);
  }
}

/** Replaces the copy by its notice, and answers with the copy for the report. */
export function replaceByNotice<M extends object>(
  messages: M[],
  read: CoreFileRead,
): RepeatedFileRead {
  const { index, notice } = read;
  const message = messages[index] as M & { content: Part[] };
  const content = copyOf(message.content);
  const original = content[read.part]!;
  const heading = typeof original.text === "string" ? HEADING.exec(original.text) : null;
  content[read.part] =
    original.type === "text"
      ? { ...original, text: (heading?.[0] ?? "") + notice }
      : { ...original, content: notice };
  messages[index] = { ...message, content };
  return { ...read, original };
}

/** The text of a result that holds nothing else. */
function resultText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  let text = "";
  for (const part of content as (Part | null)[]) {
    if (part?.type !== "text" || typeof part.text !== "string") return undefined;
    text += part.text;
  }
  return text;
}
