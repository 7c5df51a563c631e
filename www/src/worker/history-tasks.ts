// What the view of a history asks for.

import type { DedupeReport } from "turnkeeper";

import { HeldRepair } from "../../../js/src/analysis/held-repair.js";
import { escapeControls, oneLine } from "../../../js/src/analysis/plain-text.js";
import { recounted } from "../../../js/src/analysis/recount.js";
import { FORMATS } from "../../../js/src/saved/saved-session.js";
import { readMessage } from "../../../js/src/messages/any.js";
import { SavedReader } from "../../../js/src/saved/read-saved.js";
import { fields, text } from "../../../js/src/messages/fields.js";

import { Breath } from "./breath.js";
import type { Way } from "./exchange.js";
import {
  blocksOf,
  compareBlocks,
  type Block,
  type BlockKind,
  type Fate,
  type JudgedBlock,
} from "./history-blocks.js";
import { optionsOf, type Repair } from "./presets.js";
import { chunksOf, type SavedFile } from "./saved-file.js";
import { openFile } from "./session-tasks.js";

/** A history, before and after. */
export interface JudgedHistory {
  messages: number;
  messagesChanged: number;
  /** Of the whole history: UTF-16 code units, and estimated tokens by kind. */
  charactersSaved: number;
  /** What a repair says that it saves, estimated. */
  tokensSaved: number;
  before: Sizes;
  after: Sizes;
  /** What gave way, by why: how many blocks or copies, and their estimated tokens. */
  gone: { kind: GoneKind; items: number; tokens: number }[];
  /** The blocks in their order, a strip from left to right. */
  strip: StripPiece[];
  /** How long the list of blocks is. */
  rows: number;
}

export type Sizes = Record<BlockKind, number> & { total: number };

/** Neighbouring blocks of one kind and fate, by the tokens before them and their own. */
export interface StripPiece {
  kind: BlockKind;
  fate: Fate;
  start: number;
  tokens: number;
}

type GoneKind = keyof DedupeReport["kinds"];

/** A row of the list of blocks. */
export interface BlockRow {
  /** The message, from 0. */
  message: number;
  role: string;
  kind: BlockKind;
  fate: Fate;
  tokens: number;
  excerpt: string;
}

interface JudgedMessage {
  role: string;
  blocks: JudgedBlock[];
}

/** Everything that is shown of a repair, which is asked for in parts. */
interface Repaired {
  file: number;
  before: readonly object[];
  after: readonly object[];
  charactersSaved: number;
  tokensSaved: number;
  kinds: DedupeReport["kinds"];
  list: { message: number; role: string; block: JudgedBlock }[];
}

let repaired: Repaired | undefined;

/** Repairs the open history by a preset; news are the part that is done. Undefined if it is none. */
export async function judgeHistory(
  { id, repair }: { id: number; repair: Repair },
  { signal, tell }: Way,
): Promise<JudgedHistory | undefined> {
  const done = repairOf(openFile(id), repair);
  if (!done) return undefined;
  const breath = new Breath();
  const before = noSizes();
  const after = noSizes();
  let changed = 0;
  for (const [at, was] of done.before.entries()) {
    const is = done.after[at];
    if (was !== is) changed += 1;
    const message = judgedMessage(was, is);
    for (const block of message.blocks) {
      done.list.push({ message: at, role: message.role, block });
      if (block.fate !== "new") add(before, block);
      if (block.fate !== "removed") add(after, block);
    }
    if (at % 64 === 0) tell(at / done.before.length);
    await breath.take(signal);
  }
  repaired = done;
  return {
    messages: done.before.length,
    messagesChanged: changed,
    charactersSaved: done.charactersSaved,
    tokensSaved: done.tokensSaved,
    gone: goneOf(done.kinds),
    before: rounded(before),
    after: rounded(after),
    strip: stripOf(done.list),
    rows: done.list.length,
  };
}

function goneOf(kinds: DedupeReport["kinds"]): JudgedHistory["gone"] {
  const all = Object.entries(kinds) as [GoneKind, { items: number; tokens: number }][];
  return all
    .filter(([, { items }]) => items > 0)
    .map(([kind, { items, tokens }]) => ({ kind, items, tokens: Math.round(tokens) }));
}

function repairOf(file: SavedFile, repair: Repair): Repaired | undefined {
  if (!FORMATS[file.format].isHistory || file.history.messages.length === 0) return undefined;
  const shortened = file.history.shorten(optionsOf(repair));
  const { before, after } = shortened;
  const { charactersSaved, tokensSaved, kinds } = recounted(shortened);
  return { file: file.id, before, after, charactersSaved, tokensSaved, kinds, list: [] };
}

function judgedMessage(was: object, is: object | undefined): JudgedMessage {
  const before = blocksIn(was);
  const after = was === is || !is ? before : blocksIn(is);
  const { role } = readMessage("page", was, "message");
  return { role: (text(role) ?? "").slice(0, 40), blocks: compareBlocks(before, after) };
}

function blocksIn(message: object): Block[] {
  const read = readMessage("page", message, "message");
  return blocksOf(roleOf(read), read.content);
}

function roleOf(message: object): string {
  return text(fields(message).role) ?? "";
}

function noSizes(): Sizes {
  return {
    system: 0,
    environment: 0,
    user: 0,
    text: 0,
    reasoning: 0,
    calls: 0,
    results: 0,
    images: 0,
    total: 0,
  };
}

function add(sizes: Sizes, { kind, tokens }: JudgedBlock): void {
  sizes[kind] += tokens;
  sizes.total += tokens;
}

function rounded(sizes: Sizes): Sizes {
  const all = Object.entries(sizes).map(([kind, tokens]) => [kind, Math.round(tokens)]);
  return Object.fromEntries(all) as Sizes;
}

/** The most pieces that can be told apart on a wide screen. */
const WIDEST = 500;

function stripOf(list: Repaired["list"]): StripPiece[] {
  const total = list.reduce((sum, { block }) => sum + block.tokens, 0);
  const least = total / WIDEST;
  const strip: StripPiece[] = [];
  let start = 0;
  for (const { block } of list) {
    const last = strip.at(-1);
    const { kind, fate, tokens } = block;
    if (last && ((last.kind === kind && last.fate === fate) || last.tokens < least)) {
      // What is too thin to be seen is part of its neighbour, and the larger one gives the colour.
      if (tokens > last.tokens) Object.assign(last, { kind, fate });
      last.tokens += tokens;
    } else {
      strip.push({ kind, fate, start, tokens });
    }
    start += tokens;
  }
  return strip;
}

/** Some rows of the list of blocks, from `from` up to `to`. */
export function historyRows({
  id,
  from,
  to,
}: {
  id: number;
  from: number;
  to: number;
}): BlockRow[] {
  if (repaired?.file !== id) return [];
  return repaired.list.slice(from, to).map(({ message, role, block }) => ({
    message,
    role: escapeControls(role),
    kind: block.kind,
    fate: block.fate,
    tokens: Math.round(block.tokens),
    excerpt: oneLine(block.text, 400),
  }));
}

/** The repaired file: only what changed is written anew, everything else stays byte for byte. */
export async function repairedFile(
  { id, repair }: { id: number; repair: Repair },
  { signal, tell }: Way,
): Promise<Blob> {
  const file = openFile(id);
  const reader = new SavedReader(file.name);
  const held = new HeldRepair(optionsOf(repair));
  const breath = new Breath();
  for await (const piece of reader.pieces(chunksOf(file.name, file.blob, tell))) {
    held.take(piece);
    await breath.take(signal);
  }
  const { rest } = held.end();
  return new Blob([...rest] as BlobPart[], { type: file.blob.type });
}
