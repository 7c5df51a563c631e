// The texts of a message that may hold blocks, and what becomes of it: the decision is made
// in the core, on the texts that `send` gives it.

import { RawHistoryDeduper, TextPlace } from "../../glue/turnkeeper.js";
import { type PackedEdits, type Part, applyEdits, hasEdits, onlyRemoves, textOf } from "./edits.js";
import type { BlockPlacement, DedupeSettings, FreshBlock } from "../boundary/generated/shapes.js";
import type { RawMachine } from "../boundary/machine.js";
import { wasm } from "../boundary/runtime.js";
import { sendText } from "../boundary/text-buffer.js";

/** The way in which a block is put into a content. */
export interface BlockStyle {
  /** Whether a block that is there stays, and no other is added. */
  readonly keepsExisting: boolean;
  /** White space between the text before the block and the block. */
  readonly separator: string;
  /** Is told what gave way, if anything did. */
  readonly onChange?: ((change: EnvironmentChange) => void) | undefined;
}

/** What a block that was put into a content has replaced. */
export interface EnvironmentChange {
  /** The number of blocks that were removed. One that was only moved to the end does not count. */
  blocks: number;
  /** The length of their text, in UTF-16 code units. */
  characters: number;
}

interface CandidateText {
  readonly text: string;
  readonly part: number;
  readonly place: TextPlace;
}

/** The texts of a content that may hold blocks. */
export interface FoundTexts {
  readonly texts: readonly CandidateText[];
  readonly partCount: number;
  /** Whether any other part is more than white space. */
  readonly hasOtherContent: boolean;
}

const DEFAULT_SETTINGS: DedupeSettings = {
  tags: ["environment_details"],
  isEmbedded: false,
  needsEveryBlock: false,
  needsTexts: false,
};
/** The units of a fresh block that the core looks at. */
const BEGINNING = 2_000;
/** Code units. */
const enum Unit {
  Space = 0x20,
  Less = 0x3c,
  Greater = 0x3e,
  Delete = 0x7f,
}

/** Finds the blocks of contents, by the tags that it is made with. */
export class Blocks {
  readonly settings: DedupeSettings;
  readonly #opens: readonly string[];
  readonly #closes: readonly string[];
  /** Of the content that was sent: how many parts it has. */
  #partCount = 0;
  /** Of the content that was sent: whether a part that was not sent is more than white space. */
  #hasOtherContent = false;
  #raw: RawHistoryDeduper | undefined;

  /** Without a deduper, one with the usual tag is made when it is first needed. */
  constructor(raw?: RawHistoryDeduper) {
    this.settings = (raw?.settings() ?? DEFAULT_SETTINGS) as DedupeSettings;
    const { tags } = this.settings;
    this.#opens = tags.map((tag) => `<${tag}>`);
    this.#closes = tags.map((tag) => `</${tag}>`);
    this.#raw = raw;
  }

  get raw(): RawHistoryDeduper {
    if (this.#raw === undefined) {
      wasm();
      const { tags, isEmbedded } = this.settings;
      this.#raw = new RawHistoryDeduper({ tags, embedded: isEmbedded });
    }
    return this.#raw;
  }

  /** Lets go of the deduper, after a trap without freeing it; another is made when it is needed. */
  release(isTrapped = false): void {
    const raw: RawMachine | undefined = this.#raw;
    this.#raw = undefined;
    if (isTrapped) raw?.__destroy_into_raw?.();
    else raw?.free();
  }

  /** Exactly one element made of details. */
  #freshBlock(details: string): FreshBlock {
    // Most details are a block already, and this is the fastest way to see it (Node 20): few of
    // them hold a bracket between their tags, and `startsWith` takes longer than `indexOf`.
    const closeAt = details.length - this.#closes[0]!.length;
    if (details.charCodeAt(0) === Unit.Less && details.indexOf("<", 1) === closeAt) {
      if (this.#isTagged(details, 0)) return { text: details, tag: 0 };
    }
    addText(this.raw, details, 0, TextPlace.WholeContent);
    return this.raw.freshBlock() as FreshBlock;
  }

  #isTagged(details: string, tag: number): boolean {
    const open = this.#opens[tag]!;
    return details.indexOf(open) === 0 && details.endsWith(this.#closes[tag]!);
  }

  /**
   * Sends the texts that may hold blocks. Nothing is sent, and the answer is false, if the content
   * cannot need repair.
   */
  send(content: unknown, always = this.settings.needsEveryBlock): boolean {
    const found = this.find(content, always);
    if (found === undefined) return false;
    this.sendFound(found);
    return true;
  }

  /**
   * The texts that may hold blocks. There are none if the content cannot need repair: it has no such text,
   * or one, with one block at most, at its end.
   */
  find(content: unknown, always = this.settings.needsEveryBlock): FoundTexts | undefined {
    if (typeof content === "string") {
      if (!this.#ends(content) || !(always || this.#isRepeated(content))) return undefined;
      const texts = [{ text: content, part: 0, place: TextPlace.WholeContent }];
      return { texts, partCount: 1, hasOtherContent: false };
    }
    if (!Array.isArray(content)) return undefined;
    const length = content.length;
    const last = length - 1;
    // One block at the end is as it should be, so most messages are done after a look at that.
    const isDone = !always && !this.settings.isEmbedded && this.#isOneBlock(content[last] as Part);
    const end = isDone ? last : length;
    let first = 0;
    while (first < end && this.#candidate(content[first] as Part) === undefined) first++;
    if (first >= end) return undefined;
    if (!always && first === last && !this.#isRepeated(textOf(content[first]) as string)) {
      return undefined;
    }
    let hasOtherContent = false;
    const texts: CandidateText[] = [];
    for (let at = 0; at < length; at++) {
      const part = content[at] as Part;
      const text = this.#candidate(part);
      if (text === undefined) {
        hasOtherContent ||= !isBlank(part);
      } else {
        const place = part.type === "text" ? TextPlace.TextPart : TextPlace.ToolResult;
        texts.push({ text, part: at, place });
      }
    }
    return { texts, partCount: length, hasOtherContent };
  }

  /** Repairs the message of which the content was sent by itself. */
  repair(index: number, userIndex: number): PackedEdits {
    return this.raw.repairMessage(index, userIndex, this.#partCount, this.#hasOtherContent);
  }

  /** Takes in the message of a whole history of which the content was sent. */
  read(index: number, userIndex: number): void {
    this.raw.readMessage(index, userIndex, this.#partCount, this.#hasOtherContent);
  }

  /** The content without its blocks. */
  strip(content: unknown): unknown {
    if (!this.send(content, true)) return content;
    const edits = this.raw.strip(this.#partCount, this.#hasOtherContent);
    return hasEdits(edits) ? applyEdits(content, edits).content : content;
  }

  /** The content with the block of those details as its last. */
  withBlock(content: unknown, details: string, style: BlockStyle): unknown {
    const block = this.#freshBlock(details);
    return typeof content === "string"
      ? this.#stringWithBlock(content, block, style)
      : this.#partsWithBlock(content as readonly Part[], block, style);
  }

  /** The content without the block that details would replace; nothing but that block stays as it is. */
  withoutBlock(content: unknown, style: BlockStyle): unknown {
    if (style.keepsExisting || !this.send(content, true)) return content;
    const [tag] = this.settings.tags;
    const placement = this.#place({ text: `<${tag}></${tag}>`, tag: 0 }, false);
    if (!hasEdits(placement.edits)) return content;
    const edited = applyEdits(content, placement.edits).content as string | unknown[];
    const rest =
      typeof edited === "string"
        ? withoutSeparator(content as string, edited, style.separator)
        : edited;
    if (rest.length === 0 || (typeof rest === "string" && rest.trim() === "")) return content;
    tellChange(style, placement, "");
    return rest;
  }

  #partsWithBlock(parts: readonly Part[], fresh: FreshBlock, style: BlockStyle): readonly Part[] {
    const text = style.separator + fresh.text;
    const last = parts[parts.length - 1];
    const isThere = last?.type === "text" && last.text === text;
    const added = { type: "text", text };
    if (!this.send(parts, !isThere)) return isThere ? parts : [...parts, added];
    const placement = this.#place(fresh, style.keepsExisting);
    const { edits, addsBlock } = placement;
    // All there is to do is to put the last part in its own place.
    if (isThere && onlyRemoves(edits, parts.length - 1)) return parts;
    const edited = hasEdits(edits) ? (applyEdits(parts, edits).content as Part[]) : parts;
    tellChange(style, placement, isThere && addsBlock ? text : "");
    return addsBlock ? [...edited, added] : edited;
  }

  #stringWithBlock(content: string, fresh: FreshBlock, style: BlockStyle): string {
    const { separator, keepsExisting } = style;
    const { text: block } = fresh;
    const placement = this.send(content, true) ? this.#place(fresh, keepsExisting) : undefined;
    if (placement === undefined || !hasEdits(placement.edits)) {
      if (placement?.addsBlock === false) return content;
      // After a fence that nobody closed even this block is a quotation.
      if (content === "" || content.endsWith(block)) return content || block;
      return content + separator + block;
    }
    const edited = applyEdits(content, placement.edits).content as string;
    if (!placement.addsBlock) {
      tellChange(style, placement, "");
      return edited;
    }
    const end = edited.length - placement.whiteSpaceAfter;
    const between = placement.followsOtherBlock ? separator : "";
    const result = edited.slice(0, end) + between + block + edited.slice(end);
    const isThere = content.endsWith(block, content.length - placement.whiteSpaceAfter);
    if (result !== content) tellChange(style, placement, isThere ? block : "");
    return result;
  }

  #place({ text, tag }: FreshBlock, keepsExisting: boolean): BlockPlacement {
    const raw = this.raw;
    // What it tells of is in its first line.
    addText(raw, text.slice(0, BEGINNING), this.#partCount, TextPlace.WholeContent);
    return raw.placeBlock(
      tag,
      keepsExisting,
      this.#partCount,
      this.#hasOtherContent,
    ) as BlockPlacement;
  }

  #candidate(part: Part | null | undefined): string | undefined {
    const type = part?.type;
    let text;
    if (type === "text") text = part!.text;
    else if (this.settings.isEmbedded && type === "tool_result") text = textOf(part!);
    if (typeof text !== "string" || !this.#ends(text)) return undefined;
    return this.settings.isEmbedded || this.#begins(text) ? text : undefined;
  }

  /** Whether a part is a block without a bracket between its tags; to look for brackets is fastest. */
  #isOneBlock(part: Part | null | undefined): boolean {
    const text = part?.type === "text" ? part.text : undefined;
    if (typeof text !== "string") return false;
    const open = text.charCodeAt(0) === Unit.Less ? 0 : text.indexOf("<");
    const close = text.indexOf("<", open + 1);
    if (close <= 0) return false;
    for (const tag of this.#closes) if (close === text.length - tag.length) return true;
    return false;
  }

  #ends(text: string): boolean {
    const unit = text.charCodeAt(text.length - 1);
    // Neither a bracket nor white space.
    if (unit > Unit.Space && unit <= Unit.Delete && unit !== Unit.Greater) return false;
    const trimmed = unit === Unit.Greater ? text : text.trimEnd();
    for (const close of this.#closes) if (trimmed.endsWith(close)) return true;
    return false;
  }

  /** Whether an opening tag begins the text. */
  #begins(text: string): boolean {
    const trimmed = text.trimStart();
    for (const open of this.#opens) if (trimmed.startsWith(open)) return true;
    return false;
  }

  /** Whether the text can hold two blocks of a tag. */
  #isRepeated(text: string): boolean {
    return this.#closes.some((close) => {
      const first = text.indexOf(close);
      return first >= 0 && text.includes(close, first + close.length);
    });
  }

  /** No code of the host's runs in here, so nothing can remain half sent. */
  sendFound({ texts, partCount, hasOtherContent }: FoundTexts): void {
    this.#partCount = partCount;
    this.#hasOtherContent = hasOtherContent;
    for (const { text, part, place } of texts) addText(this.raw, text, part, place);
  }
}

/** Adds a text for the next call. */
export function addText(
  raw: RawHistoryDeduper,
  text: string,
  part: number,
  place: TextPlace,
): void {
  sendText(text, (length) => {
    raw.addText(length, part, place);
    return 0;
  });
}

/** Tells what gave way to a block, of which `same` was there already. */
function tellChange({ onChange }: BlockStyle, placement: BlockPlacement, same: string): void {
  if (onChange === undefined || !hasEdits(placement.edits)) return;
  onChange({
    blocks: placement.blocksRemoved - (same === "" ? 0 : 1),
    characters: placement.charactersRemoved - same.length,
  });
}

/** A text that has lost its block, without the separator that stood before that. */
export function withoutSeparator(given: string, text: string, separator: string): string {
  // A block goes before the white space at a text's end.
  const after = given.length - given.trimEnd().length;
  const before = text.slice(0, text.length - after);
  if (!before.endsWith(separator)) return text;
  return before.slice(0, before.length - separator.length) + text.slice(before.length);
}

function isBlank(part: Part | null | undefined): boolean {
  const text = part?.type === "text" ? part.text : undefined;
  return typeof text === "string" && text.trim() === "";
}
