// Messages of any provider, in the one shape that all machines take, and the way back to the provider's.

import { checkArray, checkObject, isObject, refusal } from "../boundary/arguments.js";
import { fromModelMessage, toModelMessages } from "./ai-sdk/history.js";
import { changed, fields, text, type Fields } from "./fields.js";
import { fromContent, toContents } from "./gemini/history.js";
import { backOf, converted, convertedPart, originOfPart } from "./messages.js";
import type { AnyMessage, Build, MessagePart } from "./messages.js";
import { fromChatMessage, toChatMessage } from "./openai/history.js";
import { isItem, isToolMessage } from "./openai/parts.js";
import { fromChatMessage as fromVscode, toChatMessages } from "./vscode/history.js";
import { roleOf } from "./vscode/parts.js";

/** Whose shape a message has. Anthropic's is that of this package. */
type Provider = "anthropic" | "openai" | "gemini" | "ai-sdk" | "vscode";

interface Shape {
  /** A message of this package, or the same object if it is one. */
  from(message: object): object;
  /** The way back of a message that was changed. */
  to: () => Build;
}

const SHAPES: Record<Provider, Shape> = {
  anthropic: { from: fromUntyped, to: () => toUntyped },
  openai: { from: fromChatMessage, to: () => toChatMessage },
  gemini: { from: fromContent, to: toContents },
  "ai-sdk": { from: fromModelMessage, to: toModelMessages },
  vscode: { from: fromVscode, to: () => toChatMessages() },
};

/** Parts of text need no type: Bedrock's have none. */
function fromUntyped(message: object): object {
  const { role, content } = message as AnyMessage;
  if (modelOf(content) === undefined) return message;
  return converted(message, role as string, readContent(content).content as MessagePart[]);
}

function toUntyped(message: AnyMessage, origin: Fields | undefined): object {
  return { ...origin, content: readContent(origin?.content).back(message.content) };
}

/** The type of a part; undefined for what is no object. A look at the field is all that most messages cost. */
function typeOf(part: unknown): unknown {
  return (part as Fields | null | undefined)?.type;
}

/**
 * The messages of a history as messages of this package, one for each.
 *
 * @throws `invalid_argument` for what is no array of objects, `unknown_messages`, naming the message, for one
 * that is in no provider's shape.
 */
export function readMessages(machine: string, messages: unknown): AnyMessage[] {
  checkArray(machine, messages, "messages");
  // A hole is no message, either.
  return Array.from(
    messages,
    (message, at) => ownShapeOf(message) ?? refuse(machine, message, `messages[${at}]`),
  );
}

/** {@link readMessages} of one message, which an error calls `field`. */
export function readMessage(machine: string, message: unknown, field: string): AnyMessage {
  return ownShapeOf(message) ?? refuse(machine, message, field);
}

/** Undefined for what is no object, or of no provider that is known. */
function ownShapeOf(message: unknown): AnyMessage | undefined {
  const provider = isObject(message) ? providerOf(message) : undefined;
  return provider && SHAPES[provider].from(message as object);
}

function refuse(machine: string, message: unknown, field: string): never {
  checkObject(machine, message, field);
  const must =
    "is a message of no provider that is known; readSession reads what an agent has saved";
  throw refusal("unknown_messages", machine, field, must);
}

/** The message in this package's shape; one of no provider that is known, and a tool's own, as it is. */
export function inOwnShape(message: object): AnyMessage {
  const provider = isToolMessage(message as Fields) ? undefined : providerOf(message);
  return provider === undefined ? message : SHAPES[provider].from(message);
}

/** A message with another content, in the shape that it has. `read` is what {@link readMessage} made of it. */
export function withContent<M extends object>(message: M, read: AnyMessage, content: unknown): M {
  if (read === message) return withField(message, "content", content);
  const { to } = SHAPES[providerOf(message)!];
  // A provider may have several messages for one, but not for one of its own with other texts.
  return [backOf({ ...read, content }, to())].flat()[0] as M;
}

/** A copy with another value in a field, of the same class. */
export function withField<M extends object>(message: M, field: string, value: unknown): M {
  const isPlain = Object.getPrototypeOf(message) === Object.prototype;
  return (isPlain ? { ...message, [field]: value } : changed(message, { [field]: value })) as M;
}

/** Whose shape a message has; undefined if it is none that is known. */
function providerOf(message: object): Provider | undefined {
  const { role, content, parts, tool_calls, function_call, tool_call_id } = message as Fields;
  if (content === undefined && Array.isArray(parts)) return "gemini";
  if (typeof role !== "string") {
    if (roleOf(message as Fields) !== undefined && Array.isArray(content)) return "vscode";
    if (isItem(message as Fields)) return "openai";
    // Without a role it is not the user's, and stays as it is.
    return typeof content === "string" || Array.isArray(content) ? "anthropic" : undefined;
  }
  if (tool_calls ?? function_call ?? tool_call_id ?? (role === "function" || undefined)) {
    return "openai";
  }
  if (!Array.isArray(content)) return "anthropic";
  for (const part of content) {
    const provider = providerOfPart(part);
    if (provider !== undefined) return provider;
  }
  return "anthropic";
}

/** Of a part that is not the same for several. */
function providerOfPart(part: unknown): Provider | undefined {
  switch (typeOf(part)) {
    case "tool_use":
    case "tool_result":
    case "thinking":
      return "anthropic";
    case "tool-call":
    case "tool-result":
    case "reasoning":
      return "ai-sdk";
    case "input_text":
    case "output_text":
      return "openai";
    default:
      return undefined;
  }
}

/** The content of one message, as the machines take it, and the way back. */
export interface ReadContent<C> {
  readonly content: C;
  readonly back: (content: unknown) => C;
}

/**
 * A content: a string, or the parts of any provider's message. Only parts of text are read; a fresh part of
 * text is made like those that are there.
 */
export function readContent<C>(content: C): ReadContent<C> {
  const model = modelOf(content);
  if (model === undefined) return { content, back: (made) => made as C };
  const parts = (content as readonly unknown[]).map((part) => {
    const name = textNameOf(part);
    const said = name && fields(part)[name];
    return name === undefined
      ? part
      : convertedPart(part as object, { type: "text", text: said as string });
  });
  const name = textNameOf(model)!;
  const back = (made: unknown): C => {
    if (made === parts) return content;
    return (made as unknown[]).map((part) => {
      const { type, text: said } = fields(part) as MessagePart;
      const origin = originOfPart(part);
      if (type !== "text") return part;
      if (origin === undefined) return withField(model as object, name, said);
      const before = textNameOf(origin)!;
      return origin[before] === said ? origin : withField(origin, before, said);
    }) as C;
  };
  return { content: parts as C, back };
}

/** The first part of text that is not of this package's shape, of a content that has one. */
function modelOf(content: unknown): unknown {
  if (!Array.isArray(content)) return undefined;
  for (const part of content) if (textNameOf(part) !== undefined) return part;
  return undefined;
}

/** Where a part of text that is not of this package's shape has its text. */
function textNameOf(part: unknown): "text" | "value" | undefined {
  const type = typeOf(part);
  const isOpenAi = type === "input_text" || type === "output_text";
  if (type !== undefined && !isOpenAi) return undefined;
  const { text: said, value, thought, id, metadata } = fields(part);
  if (isOpenAi) return text(said) === undefined ? undefined : "text";
  if (typeof said === "string" && !thought) return "text";
  return typeof value === "string" && id === undefined && metadata === undefined
    ? "value"
    : undefined;
}
