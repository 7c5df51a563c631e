// Results that hold a file's content, as Anthropic's messages carry them: a tool's result, or a
// text under the heading `[read_file for 'a.ts'] Result:`.

import type { Blocks, Part } from "./dedupe-blocks.js";
import type { RepeatedFileRead } from "./generated/shapes.js";
import { sendText } from "./text-buffer.js";

interface Call extends Part {
  id?: unknown;
  name?: unknown;
  input?: unknown;
  tool_use_id?: unknown;
  is_error?: unknown;
}

const HEADING = /^\[(\w+) for '([^\n]+)'\] Result:\s*/;

/** Tells the core of the files that a history's messages hold. */
export class FileReads {
  readonly #blocks: Blocks;
  readonly areWatched: boolean;
  /** What was read by the calls that wait for their result. */
  readonly #calls = new Map<unknown, [key: string, path: string]>();

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
    this.areWatched = blocks.rules.readTools.length > 0;
  }

  take(role: unknown, content: unknown, index: number): void {
    if (!Array.isArray(content)) return;
    let heading: RegExpExecArray | null = null;
    for (let at = 0; at < content.length; at++) {
      const part = content[at] as Call | null;
      const under = heading;
      heading = null;
      if (role !== "user") {
        if (part?.type === "tool_use" && this.#reads(part.name)) this.#called(part);
      } else if (part?.type === "tool_result") {
        const call = this.#calls.get(part.tool_use_id);
        const text = resultText(part.content);
        if (call === undefined || text === undefined || part.is_error) continue;
        this.#send(index, at, text, ...call);
      } else if (part?.type === "text" && typeof part.text === "string") {
        heading = HEADING.exec(part.text);
        if (heading !== null && !this.#reads(heading[1])) heading = null;
        const found = heading ?? under;
        const text = part.text.slice(heading?.[0].length ?? 0);
        if (found === null || text === "") continue;
        heading = null;
        if (this.#blocks.begins(text)) continue;
        this.#send(index, at, text, JSON.stringify(found[0].trim()), found[2]!);
      }
    }
  }

  #reads(name: unknown): boolean {
    return this.#blocks.rules.readTools.includes(name as string);
  }

  #called({ id, name, input }: Call): void {
    const { path, file_path, filePath } = (input ?? {}) as Record<string, unknown>;
    const file = path ?? file_path ?? filePath;
    if (typeof file !== "string") return;
    this.#calls.set(id, [JSON.stringify([name, input]), file]);
  }

  #send(index: number, part: number, text: string, key: string, path: string): void {
    const { raw } = this.#blocks;
    sendText(text, (units) => raw.text(units, part, 0));
    raw.fileRead(index, part, key, path);
  }
}

/** Puts the notice in the place of the copy, and the copy into the report. */
export function noticed<M extends object>(repairs: M[], read: RepeatedFileRead): void {
  const { index } = read;
  const content = (repairs[index] as { content?: unknown } as { content: Part[] }).content.slice();
  const part = content[read.part]!;
  read.original = part;
  const heading = typeof part.text === "string" ? HEADING.exec(part.text) : null;
  const { notice } = read;
  content[read.part] =
    part.type === "text"
      ? { ...part, text: (heading?.[0] ?? "") + notice }
      : { ...part, content: notice };
  repairs[index] = { ...repairs[index]!, content };
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
