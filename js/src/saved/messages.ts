import type { AgentEvent } from "../boundary/generated/shapes.js";
import { isHostsAnswer, usersWordsIn } from "../messages/authors.js";
import { CallsInText, TOOLS_IN_TEXT } from "../messages/calls-in-text.js";
import { answered, called, said } from "../messages/events.js";
import { fields, list, text, type Fields } from "../messages/fields.js";
import * as openai from "../messages/openai/parts.js";
import { isEvent, partsOf } from "../messages/parts.js";
import { commandResult, exitCodeIn, number } from "./exit-code.js";
import { events as itemsOf, facts, hostSaid, plain, refuseDeep, shown, userSaid } from "./items.js";
import { formatOf, roleOf, type Feature } from "./providers.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SessionFormat,
} from "./saved-session.js";

/**
 * Reads the messages of a chat, whichever provider's they are. What a message says by itself is in
 * `messages/<provider>/parts.ts`; here is what only the messages before it tell: where a turn starts,
 * and whether the user's message is the result of a call.
 */
export class MessageReader implements RecordReader {
  readonly #features = new Set<Feature>();
  readonly #given: SessionFormat | undefined;
  readonly #callsInText: CallsInText;
  /** Calls in the model's text, whose results are the user's next message. */
  #pendingCalls = 0;
  #isModelsTurn = false;
  #hasAnswered = false;

  /** @param format if it is known from what surrounds the messages */
  constructor(format?: SessionFormat) {
    this.#given = format;
    if (format === "mini-swe-agent") this.#features.add("mini-swe-agent");
    // Of other agents' models, text is text.
    const mayCallInText = format === undefined || format.startsWith("cline");
    this.#callsInText = new CallsInText(mayCallInText ? TOOLS_IN_TEXT : []);
  }

  get format(): SessionFormat {
    return this.#given ?? formatOf(this.#features);
  }

  read(value: unknown): ReadRecord {
    const message = fields(value);
    const role = roleOf(message);
    // Gemini's user need not say who is speaking.
    if (message.role === undefined && !Array.isArray(message.parts)) {
      const key = openai.isResultItem(message) ? "output" : undefined;
      return recordOf(this.#withoutRole(message), message, key);
    }
    if (message.type === "message") {
      this.#features.add("openai");
      return recordOf(this.responseItem(message), message, role && "content");
    }
    if (role === undefined && message.role !== undefined) {
      // In a list, so that a word has its quotes.
      const found = shown([message.role]).slice(1, -1);
      throw new Unreadable(`has the role ${found}, which no agent's has`);
    }
    const key = message.content === undefined && Array.isArray(message.parts) ? "parts" : "content";
    return {
      ...recordOf(this.message(message), message, key),
      ...facts({ model: message.model }),
    };
  }

  /** The events of a message; `newTurn` is false if it goes on with the turn before. */
  message(message: Fields, newTurn = true): SavedItem[] {
    refuseDeep(message);
    switch (roleOf(message)) {
      case "system":
      case "developer":
        return [hostSaid(plain(message.content))];
      case "assistant":
      case "model":
        if (isHostsAnswer(message)) return [hostSaid(plain(message.content ?? message.parts))];
        return this.#assistant(message, newTurn);
      case "tool":
      case "function":
        this.#isModelsTurn = false;
        return this.#toolMessage(message);
      case "exit":
        return [{ event: { type: "finished" } }];
      default:
        this.#isModelsTurn = false;
        return this.#user(message);
    }
  }

  #assistant(message: Fields, newTurn: boolean): SavedItem[] {
    this.#hasAnswered = true;
    if (newTurn) this.#pendingCalls = 0;
    const native = this.#parts(message).concat(list(message.output).flatMap(this.#item));
    this.#callsInText.startMessage(native.some(isCall));
    const events: AgentEvent[] = newTurn ? [{ type: "turn_started" }] : [];
    for (const event of native) {
      if (event.type !== "text") events.push(event);
      else for (const each of this.#text(event)) events.push(each);
    }
    if (!events.some(isCall)) {
      for (const event of this.#miniSweCalls(message, native)) events.push(event);
    }
    return itemsOf(events);
  }

  /** A text, with the calls that are written in it, if that is how the model calls tools. */
  #text(event: TextEvent): AgentEvent[] {
    const pieces = this.#callsInText.cut(event.text);
    const calls = pieces.filter((piece) => typeof piece !== "string");
    if (calls.length === 0) return [event];
    this.#features.add("calls-in-text");
    this.#pendingCalls += calls.length;
    return pieces.flatMap((piece) => {
      if (typeof piece !== "string") return called(undefined, piece.name, piece.input);
      return piece.trim() === "" ? [] : said("text", piece);
    });
  }

  /** mini-swe-agent says beside the message what it ran, or has it in a block of the text. */
  #miniSweCalls(message: Fields, events: readonly AgentEvent[]): AgentEvent[] {
    const actions = list(fields(message.extra).actions);
    if (actions.length > 0) this.#features.add("mini-swe-agent");
    if (!this.#features.has("mini-swe-agent")) return [];
    let commands = actions.map((action) => text(fields(action).command) ?? text(action) ?? "");
    if (commands.length === 0) {
      const written = events.map((event) => (event.type === "text" ? event.text : "")).join("\n");
      commands = [...fencedCommands(written)];
    }
    this.#pendingCalls += commands.length;
    return commands.map((command) => called(undefined, "bash", { command }));
  }

  #parts(message: Fields): AgentEvent[] {
    return partsOf(message, (provider) => this.#features.add(provider)).filter(isEvent);
  }

  #user(message: Fields): SavedItem[] {
    const items: SavedItem[] = [];
    const words: string[] = [];
    for (const event of this.#parts(message)) {
      if (event.type === "text") words.push(event.text);
      else if (event.type === "tool_result") items.push({ event });
    }
    if (words.some((part) => part.includes("<environment_details>"))) {
      this.#features.add("environment");
    }
    return [...items, ...this.#said(words, message)];
  }

  /** The user's words, or the results of calls in the text, which hosts send in the user's name. */
  #said(parts: string[], message: Fields): SavedItem[] {
    const cut = parts.map(cutEnvironment);
    const words = cut.map(([before]) => before).filter((part) => part.trim() !== "");
    const blocks = cut.map(([, block]) => block).filter((block) => block !== "");
    const items: SavedItem[] = [];
    const output = words.join("\n");
    if (this.#pendingCalls > 0 && words.length > 0) {
      // Several calls in one text are answered together.
      this.#pendingCalls = 0;
      const exitCode = number(fields(message.extra).returncode) ?? exitCodeIn(output);
      items.push({ event: answered(undefined, output, { exitCode }) });
      if (/<(feedback|user_message|answer)>|^\[TASK RESUMPTION\]/.test(output)) {
        items.push({ event: { type: "user_message" } });
      }
    } else if (words.length > 0) {
      // mini-swe-agent has no further words of a person.
      const isOver = this.#hasAnswered && this.#features.has("mini-swe-agent");
      items.push(userSaid(output, !isOver && usersWordsIn(message) !== undefined));
    }
    if (blocks.length > 0) {
      const text = blocks.join("\n");
      items.push({ event: { type: "other" }, said: { kind: "environment", text } });
    }
    return items;
  }

  #toolMessage(message: Fields): SavedItem[] {
    const exitCode = number(fields(message.extra).returncode);
    const results = this.#parts(message);
    return itemsOf(exitCode === undefined ? results : results.map((it) => ({ ...it, exitCode })));
  }

  #withoutRole(item: Fields): SavedItem[] {
    const isResponse = item.object === "response";
    if (!isResponse && !openai.isItem(item)) throw new Unreadable("is no message: it has no role");
    this.#features.add("openai");
    return this.#turn(isResponse ? list(item.output).flatMap(this.#item) : this.#item(item));
  }

  /** An item of OpenAI's Responses; a turn starts with the first that is the model's. */
  responseItem(item: Fields): SavedItem[] {
    if (item.type === "message" || item.type === undefined) {
      const isModels = item.role === "assistant";
      const newTurn = !this.#isModelsTurn;
      const items = this.message(item, isModels && newTurn);
      this.#isModelsTurn = isModels;
      return items;
    }
    return this.#turn(this.#item(item));
  }

  #turn(events: AgentEvent[]): SavedItem[] {
    const all: AgentEvent[] = [];
    for (const event of events) {
      const isModels = event.type !== "tool_result" && event.type !== "condensation";
      if (isModels && !this.#isModelsTurn) all.push({ type: "turn_started" });
      this.#isModelsTurn = isModels;
      all.push(event);
    }
    return itemsOf(all);
  }

  readonly #item = (value: unknown): AgentEvent[] => {
    refuseDeep(value);
    const item = fields(value);
    if (item.type === "message") return this.#parts(item);
    const isOutput = String(item.type).endsWith("_output");
    return openai
      .eventsOfItem(item)
      .map((event) => (isOutput ? commandResult(event, item) : event));
  };
}

type TextEvent = Extract<AgentEvent, { type: "text" }>;

function isCall({ type }: AgentEvent): boolean {
  return type === "tool_call";
}

/** What is in the blocks of a text that are fenced as commands. */
function fencedCommands(written: string): string[] {
  const commands: string[] = [];
  const open = /```(?:bash|sh|mswea_bash_command)[ \t]*\r?\n/g;
  for (let found = open.exec(written); found; found = open.exec(written)) {
    const end = written.indexOf("\n```", open.lastIndex);
    // An unclosed fence runs to the end.
    if (end < 0) break;
    commands.push(written.slice(open.lastIndex, end).trim());
    open.lastIndex = end + 4;
  }
  return commands;
}

/** @param key of the content, if the deduper is to look at it */
function recordOf(items: SavedItem[], original: Fields, key?: string): ReadRecord {
  const content = key && original[key];
  const hasContent = key !== undefined && (typeof content === "string" || Array.isArray(content));
  return { items, original, ...(hasContent && { path: [key] }) };
}

/** A text, and the block of environment that it is or ends with. */
function cutEnvironment(part: string): [before: string, block: string] {
  if (!part.trimEnd().endsWith("</environment_details>")) return [part, ""];
  const at = part.lastIndexOf("<environment_details>");
  return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at)];
}
