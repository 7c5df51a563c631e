// The one shape of messages that all machines take, and the way back to the host's own.

import { checkArray, isObject } from "../boundary/arguments.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";
import { textOf } from "./events.js";
import { fields, list, parsed, type Fields } from "./fields.js";

const MACHINE = "adapter";

/** For types alone: under it a message says of which type the host's was that it is made of. */
declare const HOST: unique symbol;

/**
 * A message as the history deduper, the assembler and the summary injector take it: that of
 * Anthropic's API. Tool results are parts of user messages. `H` is the host's own type, to which
 * `toMessages` leads back.
 */
export interface Message<H extends object = object> {
  readonly role: string;
  readonly content: string | readonly MessagePart[];
  /** Not there at run time. */
  readonly [HOST]?: H;
}

/** A part of a message. Parts that an adapter does not know are the host's own objects. */
export interface MessagePart {
  /** `text`, `thinking`, `tool_use`, `tool_result`, or the host's own. */
  readonly type?: string;
  /** Of `text`. */
  readonly text?: string;
  /** Of `thinking`. */
  readonly thinking?: string;
  /** Of `tool_use`: what its result refers to. */
  readonly id?: string;
  /** Of `tool_use`: the tool. */
  readonly name?: string;
  /** Of `tool_use`: its arguments. */
  readonly input?: unknown;
  /** Of `tool_result`: the call that it answers. */
  readonly tool_use_id?: string;
  /** Of `tool_result`: what the tool said. */
  readonly content?: string | readonly MessagePart[];
  /** Of `tool_result`: whether it failed. */
  readonly is_error?: boolean;
  readonly [field: string]: unknown;
}

/**
 * What `toMessages` of an adapter takes: messages that its `fromMessages` made of the host's, which
 * are of the type `H`, and messages of this package from elsewhere, such as an assembled prompt.
 */
export interface AnyMessage<H extends object = object> {
  readonly role?: unknown;
  readonly content?: unknown;
  /** Not there at run time. */
  readonly [HOST]?: H;
}

/** A message of any provider: each has one of these fields at least. */
export type ProviderMessage = {
  readonly role?: unknown;
  readonly content?: unknown;
  /** Gemini's. */
  readonly parts?: unknown;
  /** An item of OpenAI's Responses. */
  readonly type?: unknown;
};

/**
 * Under this name a converted message or part carries what it was made of. Copies made with `...`
 * carry it, too, so that a message whose blocks were removed finds its way back; JSON does not show
 * it. Registered, since an application may hold two copies of an adapter.
 */
const ORIGIN: unique symbol = Symbol.for("turnkeeper.origin") as never;

/** What a message was made of, and the content that it had then. */
interface Origin {
  readonly message: object;
  readonly content: unknown;
}

/** A message that stands for `message` of the host. */
export function converted(message: object, role: string, content: Message["content"]): Message {
  const origin: Origin = { message, content };
  return { role, content, [ORIGIN]: origin } as Message;
}

/** A part that stands for `part` of the host. */
export function convertedPart(part: object, made: MessagePart): MessagePart {
  return Object.defineProperty(made, ORIGIN, { value: part, enumerable: true });
}

/** What an event says, as a part; an event of another type is none. */
export function partOf(event: AgentEvent | undefined): MessagePart | undefined {
  switch (event?.type) {
    case "text":
      return { type: "text", text: event.text };
    case "reasoning":
      return { type: "thinking", thinking: event.text };
    case "tool_call":
      return { type: "tool_use", id: event.id, name: event.name, input: event.args };
    case "tool_result": {
      const { id, output, isError } = event;
      return {
        type: "tool_result",
        tool_use_id: id,
        content: textOf(output),
        ...(isError && { is_error: true }),
      };
    }
    default:
      return undefined;
  }
}

/** Whether a message stands for an item that has no role: a part of what the model said in a request. */
export function isOfItem(message: object): boolean {
  const origin = (message as { [ORIGIN]?: Origin })[ORIGIN];
  return origin !== undefined && (origin.message as Fields).role === undefined;
}

/** What a part was made of. */
export function originOfPart(part: unknown): Fields | undefined {
  return (part as { [ORIGIN]?: Fields } | null | undefined)?.[ORIGIN];
}

/**
 * The messages of a host as those of this package: what `convert` makes of each. What is no object
 * passes through as it is, and so does what `convert` hands back.
 *
 * @throws `invalid_argument` for what is no array.
 */
export function mapHistory<H extends object>(
  messages: readonly H[],
  convert: (message: H) => object,
): Message<H>[] {
  return mapEach(messages, convert) as Message<H>[];
}

/** What a provider makes of a message; it gets the host's object, if there is one, to keep its other fields. */
export type Build = (message: AnyMessage, origin: Fields | undefined) => unknown;

/**
 * Converts back: the host's own object for a message that is as it was made; for another one what
 * `build` makes of it.
 */
export function mapBack<H extends object>(messages: readonly AnyMessage<H>[], build: Build): H[] {
  return mapEach(messages, (message) => backOf(message, build)) as H[];
}

/** {@link mapBack} of one message. */
export function backOf(message: AnyMessage, build: Build): unknown {
  const origin = (message as { [ORIGIN]?: Origin })[ORIGIN];
  if (origin !== undefined && origin.content === message.content) return origin.message;
  if (origin === undefined && message.content === undefined) return message;
  return build(message, origin?.message as Fields | undefined);
}

/** Several messages may come of one. */
function mapEach<T>(messages: readonly T[], map: (message: T) => unknown): unknown[] {
  checkArray(MACHINE, messages, "messages");
  return Array.from(messages as readonly T[], (message) =>
    isObject(message) ? map(message) : message,
  ).flat();
}

/** Whether a call has the arguments that it had. */
export function hasSameInput(before: unknown, { input }: MessagePart): boolean {
  return before === input || JSON.stringify(before ?? {}) === JSON.stringify(input ?? {});
}

/** The arguments of a call as JSON: the host's own text, if they are those. */
export function inputAsJson(before: string, part: MessagePart): string {
  return hasSameInput(parsed(before), part) ? before : JSON.stringify(part.input);
}

/** The parts of a content; a string is one text part. */
export function contentParts(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return list(content) as MessagePart[];
}

/**
 * The picture of an image part, as an assembled prompt has it, or as Anthropic's messages do; base64.
 */
export function imageOf(part: MessagePart): { mediaType: string; data: string } | undefined {
  if (part?.type !== "image") return undefined;
  const { mediaType, media_type = mediaType, data } = fields(part.source ?? part);
  if (typeof media_type !== "string" || typeof data !== "string") return undefined;
  return { mediaType: media_type, data };
}
