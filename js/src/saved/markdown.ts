import { InputError, LONGEST_LINE, decodeLine, rawLines } from "./event-lines.js";

import type { Piece } from "./json-pieces.js";

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
export async function* markdownPieces(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Piece, void, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let role: string | undefined;
  let lines: string[] = [];
  let length = 0;
  let place = 0;
  let isAfterRule = true;
  let number = 0;
  const piece = (): Piece => ({
    bytes: new Uint8Array(),
    value: {
      key: undefined,
      place,
      isElement: true,
      json: { role, content: contentOf(lines, role === "user") },
    },
  });
  for await (const bytes of rawLines(file, chunks)) {
    number += 1;
    const line = decodeLine(decoder, bytes, file, number).replace(/\r$/, "");
    const heading = isAfterRule ? HEADING.exec(line) : undefined;
    if (heading) {
      if (role !== undefined) yield piece();
      role = heading[1] === "User" ? "user" : "assistant";
      place += 1;
      lines = [];
      length = 0;
    } else {
      lines.push(line);
      length += bytes.length + 1;
      if (length > LONGEST_LINE) {
        throw new InputError(file, `message ${place}: it is longer than 128 MB`);
      }
    }
    if (line.trim() !== "") isAfterRule = line === "---";
  }
  if (role === undefined) throw new InputError(file, "has no messages");
  yield piece();
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
