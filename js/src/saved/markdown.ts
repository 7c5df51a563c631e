import { InputError, LONGEST_LINE, Lines, type Line } from "./event-lines.js";
import type { Cutter, Piece } from "./json-pieces.js";

/** The first line of a message. */
const HEADING = /^\*\*(User|Assistant):\*\*\s*$/;
/** What a call becomes in an export, and a result. */
const CALL = /^\[Tool Use: ([^\]\r\n]{1,200})\]\s*$/;
const RESULT = /^\[[\w.-]{1,80}( \(Error\))?\]\s*$/;
const THOUGHT = /^\[Reasoning\]\s*$/;

/** Whether a text begins as an exported conversation does. */
export function isMarkdownExport(beginning: string): boolean {
  const first = beginning
    .replace(/^\ufeff/, "")
    .trimStart()
    .split("\n", 1)[0]!;
  return HEADING.test(first);
}

/**
 * Cuts a conversation that Cline, Roo Code or Kilo Code has exported into its messages, in the shape
 * of its history. A message starts at its heading, at the beginning or after a line `---`.
 */
export class MarkdownCutter implements Cutter {
  readonly #file: string;
  readonly #cut: Lines;
  /** The message under way. */
  #role: string | undefined;
  #lines: string[] = [];
  #length = 0;
  #place = 0;
  #isAfterRule = true;

  /** @param file the name that errors carry */
  constructor(file: string) {
    this.#file = file;
    this.#cut = new Lines(file);
  }

  *push(chunk: Uint8Array): Generator<Piece, void, void> {
    for (const line of this.#cut.push(chunk)) yield* this.#line(line);
  }

  *end(): Generator<Piece, void, void> {
    for (const line of this.#cut.end()) yield* this.#line(line);
    if (this.#role === undefined) throw new InputError(this.#file, "has no messages");
    yield this.#piece();
  }

  *#line({ bytes, text }: Line): Generator<Piece, void, void> {
    const line = text.replace(/\r?\n$|\r$/, "");
    const heading = this.#isAfterRule ? HEADING.exec(line) : undefined;
    if (heading) {
      if (this.#role !== undefined) yield this.#piece();
      this.#role = heading[1] === "User" ? "user" : "assistant";
      this.#place += 1;
      this.#lines = [];
      this.#length = 0;
    } else {
      this.#lines.push(line);
      this.#length += bytes.length;
      if (this.#length > LONGEST_LINE) {
        throw new InputError(this.#file, `message ${this.#place}: it is longer than 128 MB`);
      }
    }
    if (line.trim() !== "") this.#isAfterRule = line === "---";
  }

  #piece(): Piece {
    const role = this.#role;
    const json = { role, content: contentOf(this.#lines, role === "user") };
    const value = { key: undefined, place: this.#place, isElement: true, json };
    return { bytes: new Uint8Array(), value };
  }
}

/** The parts of a message: texts, calls, results and thoughts. */
function contentOf(lines: string[], isUser: boolean): object[] {
  while (lines.length > 0 && /^(---)?\s*$/.test(lines.at(-1)!)) lines.pop();
  const parts: object[] = [];
  let kind: "text" | "call" | "result" | "thought" = "text";
  let head = "";
  let isError = false;
  let held: string[] = [];
  const close = (): void => {
    const text = held.join("\n").trim();
    held = [];
    if (kind === "text" && text === "") return;
    if (kind === "call") parts.push({ type: "tool_use", name: head, input: inputOf(text) });
    else if (kind === "result")
      parts.push({ type: "tool_result", content: text, is_error: isError });
    else if (kind === "thought") parts.push({ type: "thinking", thinking: text });
    else parts.push({ type: "text", text });
  };
  for (const line of lines) {
    const call = isUser ? null : CALL.exec(line);
    const result = isUser && line.trim() !== "[Image]" ? RESULT.exec(line) : null;
    const isThought = !isUser && THOUGHT.test(line);
    const starts = call ? "call" : result ? "result" : isThought ? "thought" : undefined;
    if (!starts) {
      // A block of environment is a part of its own.
      if (line.startsWith("<environment_details>") && kind !== "call") {
        close();
        kind = "text";
      }
      held.push(line);
      if (line === "</environment_details>" && kind === "text") close();
      continue;
    }
    close();
    kind = starts;
    head = call?.[1] ?? "";
    isError = result?.[1] !== undefined;
  }
  close();
  return parts;
}

/** `Key: value` lines, of which a value may have several. */
function inputOf(text: string): Record<string, string> | string {
  const input: [string, string][] = [];
  for (const line of text.split("\n")) {
    const start = /^([A-Z][A-Za-z0-9_]{0,60}): ?(.*)$/.exec(line);
    const last = input.at(-1);
    if (start) input.push([start[1]![0]!.toLowerCase() + start[1]!.slice(1), start[2]!]);
    else if (last) last[1] += `\n${line}`;
    else return text;
  }
  return Object.fromEntries(input);
}
