import { RawHistoryDeduper } from "../../glue/turnkeeper.js";
import {
  checkString,
  invalidArgument,
  invalidConfig,
  isObject,
  notAnOption,
} from "../boundary/arguments.js";
import { type BlockStyle, Blocks, type EnvironmentChange, withoutSeparator } from "./blocks.js";
import { TurnkeeperError } from "../boundary/errors.js";
import { make, thrown } from "../boundary/machine.js";
import { plainOptions } from "../boundary/plain-value.js";
import { readContent, readMessages, withContent } from "../messages/any.js";
import { fields } from "../messages/fields.js";
import { roleOf } from "../messages/vscode/parts.js";

export type { EnvironmentChange };

const MACHINE = "history_deduper";

/** The texts of a content that are blocks. */
export interface BlockOptions {
  /**
   * The names of the tags, without brackets. Details that come without tags get the first. Default:
   * `["environment_details"]`.
   */
  tags?: string[];
  /**
   * Whether a block at the end of a text part that holds other text, too, or of a tool result's last text,
   * counts as well. Default: `false`.
   */
  embedded?: boolean;
}

/** The settings of {@link withEnvironment}. */
export interface EnvironmentOptions extends BlockOptions {
  /**
   * What becomes of a block that is there: `"replace"` puts the new one in its place, `"keep"` leaves it and
   * moves it to the end. Default: `"replace"`.
   */
  onExisting?: "replace" | "keep";
  /**
   * White space before the block. Without any, a model takes the block for the end of what the user said.
   * Default: `"\n\n"`.
   */
  separator?: string;
  /**
   * Called with what was removed, after it was. Not called if nothing that was there was removed or moved.
   */
  onChange?: (change: EnvironmentChange) => void;
}

/**
 * The content of a user message with `details` as its one block, at the end: the last part of an
 * array, which begins with the separator, or the end of a string, after the separator. The content
 * that is given does not change; if nothing has to change, it is returned as it is.
 *
 * @param content A string, or the parts of any provider's message. A part that is added is made like the parts of
 * text that are there, or else `{ type: "text", text }`.
 * @param details The state of the environment, with its tags or without. White space around it is
 * removed; in a tag that is quoted within it, `<` becomes `&lt;`, since the tag would end the block. Blank
 * details say that there is nothing to tell: none is added, and one that they replace goes, unless the content is nothing
 * else.
 * @param options `onExisting`: `"replace"` (default) lets the block replace one that is
 * there, `"keep"` leaves that one, and moves it to the end.
 * @throws `invalid_argument` for another content or other details, `invalid_config` for options,
 * and whatever `onChange` throws.
 */
export function withEnvironment<C>(content: C, details: string, options?: EnvironmentOptions): C {
  checkContent(content, "content");
  checkString(MACHINE, details, "details");
  const blocks = blocksOf(options, PLACEMENT_OPTIONS);
  const { keepsExisting, separator, onChange } = placementOf(options);
  let change: EnvironmentChange | undefined;
  const told = onChange && ((what: EnvironmentChange) => (change = what));
  let result;
  try {
    // Written out, for a spread costs more than all the rest of most calls (Node 20).
    const style = { keepsExisting, separator, onChange: told };
    const { content: given, back } = readContent(content);
    const isBlank = details.trim() === "";
    result = back(
      isBlank ? blocks.withoutBlock(given, style) : blocks.withBlock(given, details, style),
    );
  } catch (error) {
    throw released(error, blocks);
  }
  // Called last, so that whatever it throws is the host's own affair.
  if (change !== undefined) onChange?.(change);
  return result;
}

function placementOf(options: EnvironmentOptions | undefined): BlockStyle {
  if (options === undefined) return USUAL_STYLE;
  const { onExisting = "replace", onChange } = options;
  if (onExisting !== "replace" && onExisting !== "keep") {
    throw invalidConfig(MACHINE, "onExisting", "must be replace or keep");
  }
  if (onChange !== undefined && typeof onChange !== "function") {
    throw invalidConfig(MACHINE, "onChange", "must be a function");
  }
  return { keepsExisting: onExisting === "keep", separator: separatorOf(options), onChange };
}

function separatorOf(options: Pick<EnvironmentOptions, "separator"> | undefined): string {
  const { separator = "\n\n" } = options ?? {};
  if (typeof separator !== "string" || separator.trim() !== "") {
    throw invalidConfig(MACHINE, "separator", "must be white space");
  }
  return separator;
}

/**
 * A content, a message or messages without the blocks, for a host that puts them back on a stack or into a queue. A
 * content may be empty then; a message that is nothing but a block stays, and so do those that are not the user's.
 * A value without a block is returned as it is. Of a string, the separator before the block goes, too, so that any number
 * of rounds leaves the text as it was.
 *
 * @param options `separator`: what {@link withEnvironment} was given, if it was not `"\n\n"`.
 * @throws `invalid_argument` for what is none of the three, `unknown_messages`, naming the message, for one in no
 * provider's shape, `invalid_config` for options.
 */
export function stripEnvironment<C>(
  content: C,
  options?: BlockOptions & Pick<EnvironmentOptions, "separator">,
): C {
  const isOne = isMessage(content);
  if (!isOne) checkContent(content, "content");
  const blocks = blocksOf(options, ["separator"]);
  const separator = separatorOf(options);
  if (isOne) return stripMessages(blocks, separator, [content])[0]!;
  if (Array.isArray(content) && content.some(isMessage)) {
    return stripMessages(blocks, separator, content as readonly object[]) as C;
  }
  try {
    const { content: given, back } = readContent(content);
    return back(stripContent(blocks, separator, given));
  } catch (error) {
    throw released(error, blocks);
  }
}

/** Parts of a content have neither a role nor parts of their own. */
function isMessage(value: unknown): value is object {
  if (!isObject(value)) return false;
  const { role, parts } = fields(value);
  return typeof role === "string" || roleOf({ role }) !== undefined || Array.isArray(parts);
}

function stripMessages<M extends object>(
  blocks: Blocks,
  separator: string,
  messages: readonly M[],
): M[] {
  const read = readMessages(MACHINE, messages);
  try {
    return messages.map((message, at) => {
      const { role, content } = read[at]!;
      if (role !== "user" || !(typeof content === "string" || Array.isArray(content)))
        return message;
      const rest = stripContent(blocks, separator, content as string | unknown[]);
      return rest === content || rest.length === 0
        ? message
        : withContent(message, read[at]!, rest);
    });
  } catch (error) {
    throw released(error, blocks);
  }
}

function stripContent<C>(blocks: Blocks, separator: string, given: C): C {
  const rest = blocks.strip(given) as C;
  const isText = typeof given === "string" && typeof rest === "string" && rest !== given;
  return isText ? (withoutSeparator(given, rest, separator) as C) : rest;
}

const USUAL_STYLE: BlockStyle = { keepsExisting: false, separator: "\n\n", onChange: undefined };
/** The options of {@link withEnvironment} that do not say what a block is. */
const PLACEMENT_OPTIONS = ["onExisting", "separator", "onChange"];

const usual = new Blocks();
/** The blocks of the last call that was told what they are; to look at options costs more than most calls. */
let last = usual;

function blocksOf(options: object | undefined, others: readonly string[]): Blocks {
  if (options === undefined) return usual;
  if (!isObject(options) || Array.isArray(options)) {
    throw invalidConfig(MACHINE, "options", "must be an object");
  }
  for (const name of Object.keys(options)) {
    if (name !== "tags" && name !== "embedded" && !others.includes(name)) {
      throw invalidConfig(MACHINE, name, notAnOption(["tags", "embedded", ...others]));
    }
  }
  const { tags, embedded } = options as BlockOptions;
  if (tags === undefined && (embedded === undefined || embedded === false)) return usual;
  if (isSame(last, tags, embedded)) return last;
  const plain = plainOptions(MACHINE, { tags, embedded });
  const raw = make(MACHINE, RawHistoryDeduper, plain);
  last.release();
  return (last = new Blocks(raw));
}

function isSame({ settings }: Blocks, tags: unknown, embedded: unknown): boolean {
  const wanted = tags ?? usual.settings.tags;
  return (
    settings.isEmbedded === (embedded ?? false) &&
    Array.isArray(wanted) &&
    wanted.length === settings.tags.length &&
    settings.tags.every((tag, at) => tag === wanted[at])
  );
}

function checkContent(content: unknown, field: string): void {
  if (typeof content === "string" || Array.isArray(content)) return;
  throw invalidArgument(MACHINE, field, "must be a string or an array");
}

/** After a trap the deduper cannot be used; the next call makes another. */
function released(error: unknown, blocks: Blocks): unknown {
  const failure = thrown(error, MACHINE);
  if (failure instanceof TurnkeeperError && failure.code === "poisoned") blocks.release(true);
  return failure;
}
