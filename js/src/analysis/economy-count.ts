import { isItem } from "../messages/openai/parts.js";
import { dedupeHistory } from "turnkeeper";
import type { DedupeReport } from "turnkeeper";
import type { FormatName, SavedRecord } from "../saved/saved-session.js";

import { emptyKinds, type Economy, type EconomyKind } from "./economy.js";
import { deduperMessages, messageOf, type FileMessage } from "./saved-history.js";
import type { TokenPrices } from "./token-prices.js";

/** Larger histories are not looked at: all their messages have to be held. */
const MOST_CHARACTERS = 200_000_000;

/** Counts what of a history is redundant. Holds its messages. */
export class EconomyCount {
  #messages: FileMessage[] = [];
  #characters = 0;
  #root: string | undefined;

  take(record: SavedRecord): void {
    this.#root ??= record.workingDirectory;
    const message = record.message || isMessage(record.original) ? messageOf(record) : undefined;
    if (message === undefined) return;
    this.#characters += charactersOf(message);
    if (this.#characters > MOST_CHARACTERS) this.#messages = [];
    else this.#messages.push(message);
  }

  /** Undefined if the session holds no messages. */
  end(format: FormatName, prices: TokenPrices): Economy | undefined {
    const messages = this.#messages;
    if (messages.length === 0) return undefined;
    const given = deduperMessages(format, messages);
    const { messages: shortened, report } = dedupeHistory(given, {
      economy: "resume",
      repeatedResults: true,
      ...(this.#root !== undefined && { root: this.#root }),
    });
    const { duplicate, environment, file, result } = report.kinds;
    const answers = given.map((_, at) => answersRequest(given, messages, at));
    const economy: Economy = { ...carried(given, answers), kinds: emptyKinds() };
    economy.kinds.duplicates = costing(duplicate, prices);
    economy.kinds.environment = costing(environment, prices);
    economy.kinds.results = costing(result, prices);
    const places = placesOf(shortened, report, answers);
    for (const place of ["edits", "reads", "mentions"] as const) {
      const { items, characters, requestCharacters } = places[place];
      const share = file.characters === 0 ? 0 : characters / file.characters;
      const tokens = Math.round(file.tokens * share);
      economy.kinds[place] = costing({ items, characters, tokens, requestCharacters }, prices);
    }
    return economy;
  }
}

/** Whether it is a message, or an item of OpenAI's Responses. */
function isMessage(original: object | undefined): boolean {
  const message = original as FileMessage | undefined;
  return message !== undefined && (typeof message.role === "string" || isItem(message));
}

/** Characters of the history, and over all requests. */
function carried(
  messages: readonly object[],
  answers: readonly boolean[],
): Pick<Economy, "characters" | "requestCharacters"> {
  let characters = 0;
  let requestCharacters = 0;
  messages.forEach((message, at) => {
    // What the model says was not sent with the request that it answers.
    if (answers[at]) requestCharacters += characters;
    characters += charactersOf(message);
  });
  return { characters, requestCharacters };
}

/**
 * Whether a message is the first that answers a request: a call that is an item of its own belongs to what
 * the model said before it.
 */
function answersRequest(
  given: readonly object[],
  messages: readonly FileMessage[],
  at: number,
): boolean {
  return isModels(given[at]) && !(isItem(messages[at]!) && isModels(given[at - 1]));
}

function isModels(message: object | undefined): boolean {
  const { role } = (message ?? {}) as FileMessage;
  return role === "assistant" || role === "model";
}

/** All texts of a message's content, without what says what they are, and without the bytes of pictures. */
function charactersOf(message: object): number {
  const { content, parts = content, tool_calls } = message as FileMessage;
  return lengthOf(parts, 0) + lengthOf(tool_calls, 0);
}

function lengthOf(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > 100) return 0;
  const { type, ...rest } = value as FileMessage;
  if (type === "image") return 0;
  return Object.values(rest).reduce<number>((sum, inner) => sum + lengthOf(inner, depth + 1), 0);
}

type Totals = DedupeReport["kinds"]["file"];

function costing(totals: Totals, { cacheWrite, cacheRead }: TokenPrices): EconomyKind {
  const { items, characters, tokens, requestCharacters } = totals;
  const sent = characters === 0 ? 0 : (tokens * requestCharacters) / characters;
  const written = Math.min(sent, tokens);
  const dollars = (written * cacheWrite + (sent - written) * cacheRead) / 1e6;
  return { items, characters, tokens, requestCharacters, dollars };
}

type Place = "edits" | "reads" | "mentions";

/** The copies of files that went, by what showed them: what stands around their lines tells. */
function placesOf(
  shortened: readonly object[],
  { files }: DedupeReport,
  answers: readonly boolean[],
): Record<Place, Omit<Totals, "tokens">> {
  const none = (): Omit<Totals, "tokens"> => ({ items: 0, characters: 0, requestCharacters: 0 });
  const places = { edits: none(), reads: none(), mentions: none() };
  const requestsBefore: number[] = [];
  let requests = 0;
  for (const answersOne of answers) {
    requestsBefore.push(requests);
    if (answersOne) requests += 1;
  }
  const shown = new Map<string, ShownCopies>();
  for (const { index, part, characters } of files) {
    const { content } = shortened[index] as { content: string | unknown[] };
    const key = `${index} ${part}`;
    const copies = shown.get(key) ?? new ShownCopies(textOf(part < 0 ? content : content[part]));
    shown.set(key, copies);
    const total = places[copies.next()];
    total.items += 1;
    total.characters += characters;
    total.requestCharacters += characters * (requests - requestsBefore[index]!);
  }
  return places;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { text, content } = (value ?? {}) as FileMessage;
  if (typeof text === "string") return text;
  return Array.isArray(content) ? content.map(textOf).join("\n") : textOf(content ?? "");
}

/** What each of the lines that stand for copies in a text is within, in their order. */
class ShownCopies {
  readonly #found: Iterator<RegExpMatchArray>;
  readonly #isMention: boolean;
  readonly #isFailure: boolean;

  constructor(text: string) {
    this.#found = text.matchAll(/(<\w+ path="[^"<\n]+"[^<>\n]*>\r?\n?)?\[An older copy of /g);
    this.#isMention = /^\[read_file for [^\n]*'\]\n/.test(text);
    this.#isFailure = /^The tool execution failed/m.test(text);
  }

  next(): Place {
    const [, tag] = (this.#found.next().value as RegExpMatchArray | undefined) ?? [];
    if (tag === undefined) return this.#isMention ? "mentions" : "reads";
    return tag.startsWith("<final_file_content") || this.#isFailure ? "edits" : "mentions";
  }
}
