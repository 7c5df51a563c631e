// Tells the core of the copies of files in a history, of what may have changed the files, and of results
// that come again. The texts stay here: of each the core gets its path, its lines and its length.

import { CallsInText, TOOLS_IN_TEXT } from "../../messages/calls-in-text.js";
import { contentParts, originOfPart, type MessagePart } from "../../messages/messages.js";
import { CopyForm, TextPlace } from "../../../glue/turnkeeper.js";
import { type Blocks, addText } from "../blocks.js";
import {
  copiesInAnswer,
  copyInAnswer,
  headingOf,
  holdsOtherHeading,
  listedFiles,
  mentionedFiles,
  type CopyInText,
  type ListedFile,
  type ResultHeading,
} from "./copies-in-text.js";
import { contentWithin, extentOfText, isCut, isNoFile, rangeOf, type Extent } from "./extent.js";
import { fileCallOf, type FileCall } from "./file-calls.js";
import { HAS_WIDE } from "../tokens.js";
import { filesMentioned, filesRead } from "./files-read.js";
import { resultText, type Place } from "./places.js";
import { outputWithin } from "./shell-reads.js";
import { workspaceOf } from "./workspace.js";

/** A call, and where it stands, if its arguments may give way. */
interface Call {
  readonly name: unknown;
  readonly call: FileCall;
  readonly written: Place | undefined;
}

/** Where a copy came from: a read, the answer to an edit or the call that wrote it, or the user's mention. */
export type CopySource = "read" | "edit" | "mention";
type CopyPlace = Place & { readonly from: CopySource };

/** A text of a user message. */
interface UserText {
  readonly text: string;
  readonly place: Omit<Place, "start" | "end">;
}

/** Finds the copies of files in a history, message by message, in their order. */
export class FileCopies {
  readonly #isWatching: boolean;
  readonly #paths = new Map<string, number>();
  /** Equal results have equal numbers. */
  readonly #contents = new Map<string, number>();
  readonly #callsInText = new CallsInText(TOOLS_IN_TEXT);
  /** The calls that wait for their result, by their ids. */
  readonly #calls = new Map<unknown, Call>();
  /** The calls in the text of the last message of the model. */
  #textCalls: Call[] = [];
  #isFirst = true;
  /** Whether the last message was the model's. */
  #isModelsTurn = false;
  /** Where the copies are, by their numbers, if they may have to give way. */
  readonly copies = new Map<number, CopyPlace>();
  /** Where the results are, by their numbers. */
  readonly results = new Map<number, Place>();

  /** @param keepsPlaces whether the places are needed in the end, so that they are remembered */
  constructor(
    private readonly blocks: Blocks,
    private readonly keepsPlaces: boolean,
  ) {
    const { watchesFiles, watchesResults } = blocks.settings;
    this.#isWatching = watchesFiles || watchesResults;
  }

  /**
   * Takes in the next message of the history.
   *
   * @param isItem whether it is no message of its own for its provider, so that after another of the model's
   * it belongs to the same request
   * @param gone the indexes of its parts that are no longer there
   */
  take(
    role: unknown,
    content: unknown,
    index: number,
    isItem: boolean,
    gone: ReadonlySet<number>,
  ): void {
    const isOfModel = isModels(role);
    if (isOfModel && !(isItem && this.#isModelsTurn)) this.blocks.requestMade();
    this.#isModelsTurn = isOfModel;
    if (!this.#isWatching || !(isOfModel || role === "user")) return;
    this.blocks.tellRequests();
    if (isOfModel) this.#model(content, index);
    else this.#user(content, index, gone);
  }

  #model(content: unknown, index: number): void {
    this.#textCalls = [];
    const parts = contentParts(content);
    this.#callsInText.startMessage(parts.some((part) => part?.type === "tool_use"));
    for (const [at, part] of parts.entries()) {
      if (part?.type === "tool_use") this.#call(part, index, at);
      else if (isText(part)) this.#textOf(part.text, textPlace(content, index, at));
    }
  }

  #call(part: MessagePart, index: number, at: number): void {
    const { id, name, input } = part;
    const call = fileCallOf(name, input, this.blocks.settings.readTools);
    // The arguments of OpenAI's calls of 2023, which are no list, stay as they are.
    const mayChange = originOfPart(part)?.function_call === undefined;
    const written =
      call.does === "write" && mayChange
        ? { index, part: at, keys: ["input", call.field], start: 0, end: call.content.length }
        : undefined;
    this.#calls.set(id, { name, call, written });
  }

  /** The calls in a text of the model's. */
  #textOf(text: string, place: Omit<Place, "start" | "end">): void {
    if (!text.includes("<")) return;
    for (const { name, input, start, end } of this.#callsInText.in(text)) {
      const call = fileCallOf(name, argumentsOf(input), this.blocks.settings.readTools);
      let written: Place | undefined;
      if (call.does === "write") {
        const from = text.indexOf(call.content, text.indexOf(`<${call.field}>`, start));
        const isThere = from >= 0 && from + call.content.length <= end;
        if (isThere) written = { ...place, start: from, end: from + call.content.length };
      }
      this.#textCalls.push({ name, call, written });
    }
  }

  #user(content: unknown, index: number, gone: ReadonlySet<number>): void {
    const parts = contentParts(content);
    if (this.#isFirst) this.#findRoot(parts);
    let waiting: ResultHeading | undefined;
    for (const [at, part] of parts.entries()) {
      if (gone.has(at)) continue;
      if (part?.type === "tool_result") this.#result(part, index, at);
      else if (isText(part)) {
        const isString = typeof content === "string";
        if (!isString && this.blocks.isBlock(part.text)) continue;
        const text = isString ? this.blocks.beforeBlocks(content) : part.text;
        waiting = this.#heading({ text, place: textPlace(content, index, at) }, waiting);
      }
    }
  }

  /** The folders that the first environment names. */
  #findRoot(parts: readonly MessagePart[]): void {
    this.#isFirst = false;
    const { raw } = this.blocks;
    for (const { text } of parts.filter(hasText)) {
      const { root, folders } = workspaceOf(text);
      if (root !== undefined) raw.setRoot(root);
      for (const { name, path } of folders) raw.addWorkspaceFolder(name, path);
    }
  }

  /** A tool's result, as a part of its own. */
  #result(part: MessagePart, index: number, at: number): void {
    const { tool_use_id: id, is_error } = part;
    const found = resultText(part);
    const made = this.#calls.get(id);
    this.#calls.delete(id);
    const { text = "", keys = [] } = found ?? {};
    const said = { text, place: { index, part: at, keys } };
    // Newer releases of Cline have the heading in the part, too.
    const heading = headingOf(text);
    const start = heading !== undefined && heading.tool === made?.name ? heading.end : 0;
    if (made !== undefined) this.#answered(made, said, start, is_error === true, true);
    else if (found) this.#repeated(said, 0);
  }

  /**
   * A text that may begin with the heading of a result, or be what the heading before announced.
   *
   * @returns the heading, if what it announces is still to come
   */
  #heading(said: UserText, waiting: ResultHeading | undefined): ResultHeading | undefined {
    const own = headingOf(said.text);
    const heading = own ?? waiting;
    const start = own?.end ?? 0;
    if (heading === undefined) {
      this.#mentioned(said);
      return undefined;
    }
    if (said.text.length <= start || said.text.slice(start).trim() === "") return heading;
    const waited = this.#textCalls.length;
    const call = this.#callFor(heading);
    // What follows a heading in a part of its own is one result; so is what answers the last call that waited.
    const isAlone = own === undefined || (waited > 0 && this.#textCalls.length === 0);
    this.#answered(call, said, start, false, isAlone);
    return undefined;
  }

  /** What the user mentions, and the host adds. */
  #mentioned(said: UserText): void {
    for (const copy of mentionedFiles(said.text)) this.#framed(said, copy, "complete", "mention");
    const read = said.text.startsWith("[read_file for ") ? filesMentioned(said.text) : undefined;
    for (const { notes, ...copy } of read ?? []) {
      this.#framed(said, copy, extentOfText(notes, "complete"), "mention");
    }
  }

  /** The call in the model's text that a heading is for, or what the heading says of it. */
  #callFor({ tool, subject }: ResultHeading): Call {
    const at = this.#textCalls.findIndex(({ name }) => name === tool);
    const made = at < 0 ? undefined : this.#textCalls.splice(at, 1)[0]!;
    if (made !== undefined && made.call.does !== "other") return made;
    const input = subject === undefined ? {} : { path: subject, command: subject };
    const call = fileCallOf(tool, input, this.blocks.settings.readTools);
    // Of a call that was cut nobody knows whether it read a range; an edit's answer says what it shows.
    return made !== undefined && call.does !== "edit"
      ? made
      : { name: tool, call, written: undefined };
  }

  /**
   * A call and its result, which begins at `start` of the text.
   *
   * @param isAlone whether the text has no other result, for it is a part with the call's id
   */
  #answered(
    { call, written }: Call,
    said: UserText,
    start: number,
    isError: boolean,
    isAlone = false,
  ): void {
    const { text } = said;
    const body = start === 0 ? text : text.slice(start);
    const failed = isError || isNoFile(body, this.blocks.settings.noticeStarts);
    switch (call.does) {
      case "read":
        if (!failed) this.#read(call, said, start, body, isAlone);
        break;
      case "write":
      case "edit": {
        const path = this.#path(call.path);
        this.#lend(call.does === "write" ? call.content : call.text);
        this.blocks.raw.fileEdited(path);
        if (call.does === "write" && !failed)
          this.#written(path, call.content, written, said.place.index, hasSucceeded(body));
        const copy = copyInAnswer(body);
        if (copy) this.#framed(said, moved(copy, start), "complete", "edit");
        else if (call.does === "edit" && !failed) this.#repeated(said, start);
        break;
      }
      case "run":
        this.blocks.raw.commandRan(call.command);
        if (call.patches) {
          for (const patch of call.patches) {
            this.#lend(patch.text);
            this.blocks.raw.fileEdited(this.#path(patch.path));
          }
          for (const copy of copiesInAnswer(body))
            this.#framed(said, moved(copy, start), "complete", "edit");
        } else if (!failed) this.#repeated(said, start);
        break;
      case "ask":
        for (const copy of mentionedFiles(text)) this.#framed(said, copy, "complete", "mention");
        break;
      case "other":
        if (!failed) this.#repeated(said, start);
    }
  }

  #read(
    { path, extent, isShell, paths }: Extract<FileCall, { does: "read" }>,
    said: UserText,
    start: number,
    body: string,
    isAlone: boolean,
  ): void {
    const listed = isShell ? [] : listedIn(body, paths ?? [path]);
    if (listed !== undefined && listed.length > 0) {
      for (const { lines, notes, ...copy } of listed) {
        if (/<error>/.test(notes)) continue;
        const range = rangeOf(lines?.replace(/^(\d+)$/, "$1-$1") ?? "");
        const isWhole = extent === "complete" && !/<notice>|Note: /.test(notes);
        const ofLines = range ? { first: range[0], last: range[1] } : "unknown";
        const asked = isWhole ? "complete" : ofLines;
        const content = body.slice(copy.start, copy.end);
        const known = lines === undefined ? extentOfText(content, isWhole ? extent : asked) : asked;
        this.#framed(said, moved(copy, start), known, "read");
      }
      return;
    }
    // The file was asked for, but is not shown.
    if (listed === undefined || (paths?.length ?? 1) > 1) return;
    if (!isAlone && holdsOtherHeading(body)) return;
    const { end, ...output } = isShell
      ? outputWithin(body)
      : { ...contentWithin(body), failed: false };
    const content = body.slice(output.start, end);
    if (output.failed || isNoFile(content, this.blocks.settings.noticeStarts)) return;
    const place = { ...said.place, start: start + output.start, end: start + end };
    const known = extentOfText(content, extent);
    const form = isShell ? CopyForm.Printed : CopyForm.Plain;
    this.#copy(this.#path(path), content, place.index, { ...place, from: "read" }, known, form);
  }

  /** A copy that its text marks off and names. */
  #framed(
    said: UserText,
    { path, start, end }: CopyInText,
    extent: Extent,
    from: CopySource,
  ): void {
    const content = said.text.slice(start, end);
    if (isNoFile(content, this.blocks.settings.noticeStarts) || /^Error fetching /.test(content))
      return;
    const place = { ...said.place, start, end, from };
    // A text that a user mentions may be a quotation after all.
    const form = from === "mention" ? CopyForm.Plain : CopyForm.Framed;
    this.#copy(this.#path(path), content, place.index, place, extent, form);
  }

  /** @param place where it may give way, which a call in a text that was cut may not */
  #copy(
    path: number,
    content: string,
    index: number,
    place: CopyPlace | undefined,
    asked: Extent,
    form: CopyForm,
    isArgument = false,
  ): void {
    const extent = isCut(content) ? "unknown" : asked;
    const isComplete = extent === "complete";
    const { first, last } = typeof extent === "string" ? { first: 0, last: 0 } : extent;
    const hasLength = place !== undefined;
    this.#lend(content);
    const { raw } = this.blocks;
    const number = raw.fileCopy(path, index, isArgument, form, isComplete, first, last, hasLength);
    if (number !== undefined && place && this.keepsPlaces) this.copies.set(number, place);
  }

  /** A file that is the argument of a call that succeeded. */
  #written(
    path: number,
    content: string,
    place: Place | undefined,
    index: number,
    hasSucceeded: boolean,
  ): void {
    if (content === "" || isNoFile(content, this.blocks.settings.noticeStarts)) return;
    const form = hasSucceeded ? CopyForm.Framed : CopyForm.Plain;
    const from = place && ({ ...place, from: "edit" } as const);
    this.#copy(path, content, place?.index ?? index, from, "complete", form, true);
  }

  /** A result that holds no file, from `start` of its text. */
  #repeated({ text, place }: UserText, start: number): void {
    const { watchesResults, noticeStarts } = this.blocks.settings;
    const content = start === 0 ? text : text.slice(start);
    if (!watchesResults || content.length < 500 || isNoFile(content, noticeStarts)) return;
    let number = this.#contents.get(content);
    if (number === undefined) this.#contents.set(content, (number = this.#contents.size));
    // A text that has wide characters is lent to the core, which measures it.
    if (HAS_WIDE.test(content)) this.#lend(content);
    const given = this.blocks.raw.toolResult(number, place.index, content.length);
    if (given !== undefined && this.keepsPlaces) {
      this.results.set(given, { ...place, start, end: text.length });
    }
  }

  /** Lends a text to the core, for the next call. */
  #lend(text: string): void {
    addText(this.blocks.raw, text, 0, TextPlace.WholeContent);
  }

  #path(path: string): number {
    let number = this.#paths.get(path);
    if (number === undefined) {
      number = this.blocks.raw.pathNumber(path);
      this.#paths.set(path, number);
    }
    return number;
  }
}

const DONE =
  /\b(?:success(?:ful|fully)?|created|saved|writ(?:ten|es)|wrote|updated|overwritten|overwrote|ok|done)\b/i;
const NOT_DONE =
  /\b(?:not|never|no|false|un\w+|fail\w*|error\w*|denied|reject\w*|refus\w*|cancel\w*|abort\w*|declin\w*|would|nothing)\b|n't\b/i;

/** Whether the answer to a write says that the file was written. Whatever else it says, it may not have been. */
function hasSucceeded(answer: string): boolean {
  const start = answer.slice(0, 300);
  return DONE.test(start) && !NOT_DONE.test(start);
}

function hasText(part: MessagePart | null | undefined): part is MessagePart & { text: string } {
  return typeof part?.text === "string";
}

function isText(part: MessagePart): part is MessagePart & { text: string } {
  return part?.type === "text" && hasText(part);
}

/** Where a text of a content is, which may be a string. */
function textPlace(content: unknown, index: number, part: number): UserText["place"] {
  return typeof content === "string"
    ? { index, part: -1, keys: [] }
    : { index, part, keys: ["text"] };
}

function isModels(role: unknown): boolean {
  return role === "assistant" || role === "model";
}

/** A copy in the rest of a text that begins at `start`, as one in the text. */
function moved(copy: CopyInText, start: number): CopyInText {
  return { path: copy.path, start: copy.start + start, end: copy.end + start };
}

/** The beginning of a result with which the user approved, in words; what was read follows. */
const APPROVED = /^(?:The user approved this|\{\s*"status"\s*:\s*"approved")/;

/**
 * The files of a result that names each; none if it names no file, and undefined if it is not known where
 * they are.
 */
function listedIn(body: string, asked: readonly string[]): ListedFile[] | undefined {
  const isApproved = APPROVED.test(body);
  const first = asked[0]!;
  let from = 0;
  if (isApproved) {
    from = body.search(/\n<files?>/) + 1 || body.indexOf(`\nFile: ${first}\n`) + 1;
    if (from === 0) return undefined;
  }
  if (/^\s*<file/.test(body.slice(from, from + 40))) {
    const listed = listedFiles(body).filter(({ path }) => asked.includes(path));
    // A frame without a file has what became of it: an error, a refusal, a note on a binary file.
    const isFrame = /^\s*(?:<files>\s*)?<file>\s*<path>/.test(body.slice(from));
    return listed.length === 0 && isFrame ? undefined : listed;
  }
  const isNamed = body.startsWith(`File: `, from);
  if (!isNamed) return [];
  const files = filesRead(body, asked, from);
  // A file may begin with such a line itself, but not with the path that was asked for.
  const isHeader = asked.some((path) => body.startsWith(`File: ${path}\n`, from));
  return files.length === 0 && isHeader ? undefined : files;
}

/** Roo Code has the arguments of a read in `<args><file><path>…`. */
function argumentsOf(input: Record<string, string>): Record<string, unknown> {
  const { args, ...rest } = input;
  if (args === undefined) return rest;
  const hasRanges = /<line_range>/.test(args);
  const files = Array.from(args.matchAll(/<path>([^<]*)<\/path>/g), (found) => ({
    path: found[1]!.trim(),
    ...(hasRanges && { line_ranges: ["?"] }),
  }));
  return { ...rest, files };
}
