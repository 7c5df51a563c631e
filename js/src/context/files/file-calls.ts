// What a tool call does to files, by its name and arguments, in the words of the agents that there are.

import { fields, list, text, type Fields } from "../../messages/fields.js";
import { commandOf, knownTool, plainName } from "../../messages/tools.js";
import { asksForRanges, extentOfArguments, pathOf, pathsOf, type Extent } from "./extent.js";
import { pathFrom, shellReadOf } from "./shell-reads.js";

/** What a call does to files, if it succeeds. */
export type FileCall =
  | {
      readonly does: "read";
      readonly path: string;
      readonly extent: Extent;
      readonly isShell?: true;
      /** All that it reads, if it may read several files at once. */
      readonly paths?: readonly string[];
    }
  /** Writes a whole file, which is the argument under the name `field`. */
  | {
      readonly does: "write";
      readonly path: string;
      readonly content: string;
      readonly field: string;
    }
  /** Edits a file, or may; `text` is what the arguments say. */
  | { readonly does: "edit"; readonly path: string; readonly text: string }
  /** May change, move or copy the files that the text names; a patch says how it changes each of them. */
  | { readonly does: "run"; readonly command: string; readonly patches?: readonly FilePatch[] }
  /** Asks the user, whose words are the result. */
  | { readonly does: "ask" }
  | { readonly does: "other" };

/** What a patch does to one file. */
export interface FilePatch {
  readonly path: string;
  readonly text: string;
  readonly moves: boolean;
}

/**
 * What a call does to files.
 *
 * @param readTools the host's own tools that read files, and where a path stands among the arguments of each
 */
export function fileCallOf(
  name: unknown,
  input: unknown,
  readTools: Readonly<Record<string, string>>,
): FileCall {
  const tool = typeof name === "string" ? name : "";
  const kind = knownTool(tool);
  const args = fields(input);
  const path = pathOf(args);
  const place = Object.hasOwn(readTools, tool) ? readTools[tool]! : undefined;
  const named = place === undefined ? undefined : readAt(args, place);
  if (named !== undefined) return named;
  if (place !== undefined || kind === "read") {
    const paths = path === undefined ? pathsOf(args) : [path];
    const [first] = paths;
    if (first === undefined) return { does: "other" };
    const ofFiles: Extent = asksForRanges(args) ? "unknown" : "complete";
    const extent = path === undefined ? ofFiles : extentOfArguments(args);
    return { does: "read", path: first, extent, paths };
  }
  if (kind === "write") return writeOf(path, args) ?? { does: "other" };
  if (kind === "edit-text") return textEditorCall(path, args);
  if (kind === "edit") return editOf(path, args);
  if (kind === "command") return shellCall(args);
  if (kind === "ask") return { does: "ask" };
  if (kind === "patch") {
    const patches = patchesOf(input);
    const words = patches.map(({ path, moves }) => (moves ? `mv ${path}` : path));
    return { does: "run", command: words.join(" "), patches };
  }
  // Whatever else names a file may have changed it; a tool that renames is a command that does.
  const words = Object.values(args).filter(
    (value) => typeof value === "string" && value.length < 4_096,
  );
  const isMove = /move|rename|copy/.test(plainName(tool));
  if (isMove) return { does: "run", command: ["mv", ...words].join(" ") };
  return editOf(path, args);
}

/** A read of the files whose paths stand at a place such as `operations[].path`; undefined if there is none. */
function readAt(args: Fields, place: string): FileCall | undefined {
  const steps = place.split(".");
  const last = steps.pop()!;
  let holders = [args];
  for (const step of steps) {
    holders = holders.flatMap((holder) => valuesAt(holder, step).map(fields));
  }
  const reads = holders.flatMap((holder) => {
    const { [last.replace("[]", "")]: _, ...others } = holder;
    const paths = valuesAt(holder, last).flatMap((value) => text(value) ?? []);
    return paths.map((path) => ({ path, extent: extentOfArguments(others) }));
  });
  const [first] = reads;
  if (first === undefined) return undefined;
  const isComplete = reads.every(({ extent }) => extent === "complete");
  const ofSeveral = isComplete ? "complete" : "unknown";
  const extent = reads.length === 1 ? first.extent : ofSeveral;
  return { does: "read", path: first.path, extent, paths: reads.map(({ path }) => path) };
}

/** The value of a field, or the elements of the list that it is. */
function valuesAt(holder: Fields, step: string): readonly unknown[] {
  return step.endsWith("[]") ? list(holder[step.slice(0, -2)]) : [holder[step]];
}

function editOf(path: string | undefined, args: Record<string, unknown>): FileCall {
  return path === undefined ? { does: "other" } : { does: "edit", path, text: textsIn(args) };
}

/** All texts of the arguments of a call, a line each or several. */
function textsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textsIn).join("\n");
}

function writeOf(path: string | undefined, args: Record<string, unknown>): FileCall | undefined {
  if (path === undefined) return undefined;
  const field = ["content", "contents", "file_text", "text"].find(
    (each) => typeof args[each] === "string",
  );
  if (field === undefined) return editOf(path, args);
  return { does: "write", path, field, content: args[field] as string };
}

/** Anthropic's text editor, whose argument `command` says what it does. */
function textEditorCall(path: string | undefined, args: Record<string, unknown>): FileCall {
  if (path === undefined) return { does: "other" };
  if (args.command === "view") return { does: "read", path, extent: extentOfArguments(args) };
  if (args.command === "create") return writeOf(path, args) ?? editOf(path, args);
  return editOf(path, args);
}

function shellCall(args: Record<string, unknown>): FileCall {
  const command = commandOf(args);
  if (command === undefined) return { does: "other" };
  const read = shellReadOf(command);
  if (read === undefined) return { does: "run", command };
  const directory = args.workdir ?? args.cwd ?? args.working_directory ?? args.directory;
  return {
    does: "read",
    path: pathFrom(directory, read.path),
    extent: read.extent,
    isShell: true,
  };
}

/** The files that a patch of Codex' form changes; what it moves a file to is one of them. */
function patchesOf(input: unknown): FilePatch[] {
  const args = fields(input);
  const patch = text(input) ?? text(args.patch) ?? text(args.input) ?? "";
  const headings = /^\*\*\* (Update File|Add File|Delete File|Move to): (.+)$/gm;
  const found = [...patch.matchAll(headings)];
  return found.map(({ 0: heading, 1: verb, 2: path, index }, at) => ({
    path: path!.trim(),
    text: patch.slice(index + heading.length, found[at + 1]?.index),
    moves: verb === "Move to",
  }));
}
