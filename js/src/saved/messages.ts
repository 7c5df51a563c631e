import { CallsInText, TOOLS_IN_TEXT } from "../messages/calls-in-text.js";
import { CALL_WITHOUT_NAME, answered, called, identified, textOf } from "../messages/events.js";
import { resultOf as geminiResult } from "../messages/gemini/parts.js";
import * as openai from "../messages/openai/parts.js";
import { isEvent, partsOf } from "../messages/parts.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";

import { commandResult, exitCodeIn, number } from "./exit-code.js";
import { fields, list, shown, text, type Fields } from "./fields.js";
import { formatOf, isMessage, roleOf, type Feature } from "./providers.js";
import {
  Unreadable,
  type FormatName,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
} from "./saved-session.js";

/**
 * Reads the messages of a chat, whichever provider's they are. What a message says by itself is in
 * `messages/<provider>/parts.ts`; here is what only the messages before it tell: where a turn starts,
 * and whether the user's message is the result of a call.
 */
export class MessageReader implements RecordReader {
  readonly #features = new Set<Feature>();
  readonly #given: FormatName | undefined;
  readonly #callsInText: CallsInText;
  /** Calls in the model's text, whose results are the user's next message. */
  #pendingCalls = 0;
  #isModelsTurn = false;
  #hasAnswered = false;

  /** @param format if it is known from what surrounds the messages */
  constructor(format?: FormatName) {
    this.#given = format;
    if (format === "mini-swe-agent") this.#features.add("mini-swe-agent");
    // Of other agents' models, text is text.
    const mayCallInText = format === undefined || format.startsWith("cline");
    this.#callsInText = new CallsInText(mayCallInText ? TOOLS_IN_TEXT : []);
  }

  get format(): FormatName {
    return this.#given ?? formatOf(this.#features);
  }

  read(value: unknown): Omit<SavedRecord, "place"> {
    const message = fields(value);
    const role = message.role === undefined ? "user" : roleOf(message);
    // Gemini's user need not say who is speaking.
    const isItem = message.role === undefined && !Array.isArray(message.parts);
    if (isItem) {
      const { output } = message;
      const said = openai.isResultItem(message) && isContent(output);
      return {
        ...this.#withoutRole(message),
        original: message,
        ...(said && { message: { role: "tool", content: output, path: ["output"] } }),
      };
    }
    if (message.type === "message") {
      this.#features.add("openai");
      const { content } = message;
      return {
        items: this.responseItem(message),
        original: message,
        ...(role !== undefined &&
          isContent(content) && { message: { role, content, path: ["content"] } }),
      };
    }
    if (role === undefined) {
      // In a list, so that a word has its quotes.
      const found = shown([message.role]).slice(1, -1);
      throw new Unreadable(`has the role ${found}, which no agent's has`);
    }
    const key = message.content === undefined && Array.isArray(message.parts) ? "parts" : "content";
    const content = message[key];
    return {
      items: this.message(message),
      original: message,
      ...(typeof message.model === "string" && { model: message.model }),
      ...(isContent(content) && { message: { role, content, path: [key] } }),
    };
  }

  /** The events of a message; `newTurn` is false if it goes on with the turn before. */
  message(message: Fields, newTurn = true): SavedItem[] {
    refuseDeep(message);
    switch (roleOf(message)) {
      case "system":
      case "developer":
        return [
          { event: { type: "other" }, said: { kind: "system", text: plain(message.content) } },
        ];
      case "assistant":
      case "model":
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
    return named(events);
  }

  /** A text, with the calls that are written in it, if that is how the model calls tools. */
  #text(event: TextEvent): AgentEvent[] {
    const calls = this.#callsInText.in(event.text);
    if (calls.length === 0) return [event];
    this.#features.add("calls-in-text");
    this.#pendingCalls += calls.length;
    const events: AgentEvent[] = [];
    const addText = (start: number, end?: number): void => {
      const words = event.text.slice(start, end);
      if (words.trim() !== "") events.push({ type: "text", text: words });
    };
    let at = 0;
    for (const { start, end, name, input } of calls) {
      addText(at, start);
      events.push(called(undefined, name, input));
      at = end;
    }
    addText(at);
    return events;
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
    return [...items, ...this.#said(words, message, items.length > 0)];
  }

  /** The user's words, or the results of calls in the text, which hosts send in the user's name. */
  #said(parts: string[], message: Fields, hasResults: boolean): SavedItem[] {
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
      // Words that the host says by itself start no prompt.
      const isHost =
        words.every((part) => part.startsWith("[ERROR] ")) ||
        (this.#hasAnswered && this.#features.has("mini-swe-agent"));
      items.push(
        isHost || hasResults
          ? { event: { type: "other" }, said: { kind: "system", text: output } }
          : { event: { type: "user_message" }, said: { kind: "user", text: output } },
      );
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
    return named(exitCode === undefined ? results : results.map((it) => ({ ...it, exitCode })));
  }

  #withoutRole(item: Fields): Omit<SavedRecord, "place"> {
    const isResponse = item.object === "response";
    if (!isResponse && !openai.isItem(item)) throw new Unreadable("is no message: it has no role");
    this.#features.add("openai");
    const events = isResponse ? list(item.output).flatMap(this.#item) : this.#item(item);
    return { items: this.#turn(events) };
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
    return named(all);
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

/** @throws {@link Unreadable} for a call that names no tool */
export function named(events: readonly AgentEvent[]): SavedItem[] {
  return events.map((event) => {
    if (event === CALL_WITHOUT_NAME) throw new Unreadable("has a tool call without a name");
    return { event };
  });
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

function isContent(content: unknown): content is string | unknown[] {
  return typeof content === "string" || Array.isArray(content);
}

/** A text, and the block of environment that it is or ends with. */
function cutEnvironment(part: string): [before: string, block: string] {
  if (!part.trimEnd().endsWith("</environment_details>")) return [part, ""];
  const at = part.lastIndexOf("<environment_details>");
  return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at)];
}

/** Deeper than anything that an agent writes, and not as deep as an engine can write. */
const DEEPEST = 1_000;

/** @throws {@link Unreadable} for a value that is nested so deep that it cannot be shown as text */
export function refuseDeep(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > DEEPEST) throw new Unreadable("is nested too deep");
  if (Array.isArray(value)) {
    for (const inner of value) refuseDeep(inner, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) refuseDeep((value as Fields)[key], depth + 1);
}

/**
 * The text of a content, whatever it is made of.
 *
 * @throws {@link Unreadable} for what is nested too deep
 */
export function plain(content: unknown): string {
  refuseDeep(content);
  return textOf(content);
}

/** Events that stand by themselves. */
export function events(...all: AgentEvent[]): SavedItem[] {
  return all.map((event) => ({ event }));
}

/** A call, in a format that is read on its own. */
export function callEvent(id: unknown, name: unknown, args: unknown): AgentEvent {
  return named([called(id, name, args)])[0]!.event;
}

/** A result, in a format that is read on its own. */
export function resultEvent(id: unknown, output: string, isError = false): AgentEvent {
  return answered(id, output, { isError });
}

export { exitCodeIn, geminiResult, identified, isMessage, number };
