// Tool calls that a model writes into its text, as Cline, Roo Code and Kilo Code have it do:
//
//   <read_file>
//   <path>src/a.ts</path>
//   </read_file>

import { TOOLS_IN_TEXT } from "../boundary/generated/shapes.js";

export { TOOLS_IN_TEXT };

/** A call, and where it is in the text; UTF-16 code units, `end` is after the last one. */
export interface CallInText {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly input: Record<string, string>;
}

/** The tools whose `content` is a file, which may quote any tag: there the last closing tag counts. */
const WRITERS = new Set(["write_to_file", "new_rule"]);

/**
 * Finds the calls in the text of one conversation. A model whose first call is a part of its message, as
 * its provider has it, means all its text as text; and whatever came before, so does a message that has
 * a call as a part.
 */
export class CallsInText {
  readonly #tools: ReadonlySet<string>;
  #firstCall: "in text" | "a part" | undefined;
  #isText = false;

  /** @param tools the names of the tools that may be called in the text */
  constructor(tools: Iterable<string>) {
    this.#tools = new Set(tools);
    if (this.#tools.size === 0) this.#firstCall = "a part";
  }

  /** Starts a message of the model's; before its text is looked at. */
  startMessage(hasCallAsPart: boolean): void {
    if (hasCallAsPart) this.#firstCall ??= "a part";
    this.#isText = hasCallAsPart || this.#firstCall === "a part";
  }

  /** The calls in a text of that message, in their order. */
  in(text: string): CallInText[] {
    if (this.#isText) return [];
    const calls = callsInText(text, this.#tools);
    if (calls.length > 0) this.#firstCall ??= "in text";
    return calls;
  }

  /** The same, with the texts around them that are not empty. */
  cut(text: string): (CallInText | string)[] {
    const pieces: (CallInText | string)[] = [];
    let at = 0;
    for (const call of this.in(text)) {
      pieces.push(text.slice(at, call.start), call);
      at = call.end;
    }
    return [...pieces, text.slice(at)].filter((piece) => piece !== "");
  }
}

/**
 * The calls of a text, in order, as these agents find them: a tool's tag opens a call wherever it
 * stands, in a line or in Markdown code. Inside, a parameter goes from its tag to the first tag that
 * closes it, whatever lies between; other text there counts for nothing, and neither does a tool's
 * opening tag. What breaks off is a call, too, since the agent runs it: its last parameter has the
 * text that came. Only a tag with neither a parameter nor its closing tag after it is text, a mention.
 *
 * Linear in the text.
 */
function callsInText(text: string, tools: ReadonlySet<string>): CallInText[] {
  const calls: CallInText[] = [];
  const opening = /<([A-Za-z_]\w*)>/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const name = match[1]!;
    if (!tools.has(name)) continue;
    const call = readCall(text, match.index, name, tools);
    // Nothing after it opens a parameter or closes it, and the agent would look no further, either.
    if (call === undefined) break;
    calls.push(call);
    opening.lastIndex = call.end;
  }
  return calls;
}

function readCall(
  text: string,
  start: number,
  name: string,
  tools: ReadonlySet<string>,
): CallInText | undefined {
  const close = `</${name}>`;
  const tag = /<(\/?)([A-Za-z_]\w*)>/g;
  const parameters: [string, string][] = [];
  const call = (end: number): CallInText => ({
    start,
    end,
    name,
    input: Object.fromEntries(parameters),
  });
  tag.lastIndex = start + name.length + 2;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    const parameter = match[2]!;
    if (match[1] === "/") {
      if (parameter === name) return call(tag.lastIndex);
      continue;
    }
    if (tools.has(parameter)) continue;
    const from = tag.lastIndex;
    const closing = `</${parameter}>`;
    let to = text.indexOf(closing, from);
    if (to < 0) {
      parameters.push([parameter, trimmed(parameter, withoutNote(text.slice(from)))]);
      return call(text.length);
    }
    if (parameter === "content" && WRITERS.has(name)) {
      const end = text.indexOf(close, to);
      // Without the call's end the file is still being written, and all that came is the file.
      to = end < 0 ? text.lastIndexOf(closing) : text.lastIndexOf(closing, end);
    }
    parameters.push([parameter, trimmed(parameter, text.slice(from, to))]);
    tag.lastIndex = to + closing.length;
  }
  return parameters.length > 0 ? call(text.length) : undefined;
}

/** Without the note that the agent adds to a text that it has cut off. */
function withoutNote(value: string): string {
  const note = value.lastIndexOf("\n\n[Response interrupted by ");
  return note < 0 ? value : value.slice(0, note);
}

/** A file keeps its white space, but for the line breaks that set it off from its tags. */
function trimmed(parameter: string, value: string): string {
  return parameter === "content" ? value.replace(/^\r?\n|\r?\n$/g, "") : value.trim();
}
