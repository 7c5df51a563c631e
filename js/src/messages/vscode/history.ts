// The chat messages of VS Code's language models as messages of this package, and the way back. They are
// instances of classes that the host hands in, and are known here by the fields that they have.

import { invalidArgument } from "../../boundary/arguments.js";
import { changed, fields, type Fields } from "../fields.js";
import {
  converted,
  convertedPart,
  hasSameInput,
  imageOf,
  mapBack,
  mapHistory,
  originOfPart,
  partOf,
  contentParts,
  type AnyMessage,
  type Build,
  type Message,
  type MessagePart,
} from "../messages.js";
import { eventsOfPart, isResult, Role, roleOf } from "./parts.js";

/** The module `vscode`, as far as new messages and parts need it. */
export interface VscodeChat {
  readonly LanguageModelChatMessage: new (role: any, content: any) => object;
  readonly LanguageModelTextPart: new (value: string) => object;
  readonly LanguageModelToolCallPart: new (callId: string, name: string, input: object) => object;
  readonly LanguageModelToolResultPart: new (callId: string, content: any[]) => object;
  /** Of newer versions; needed for pictures only. */
  readonly LanguageModelDataPart?: new (data: any, mimeType: string) => object;
}

/**
 * Chat messages in Anthropic's shape, for a host that reads or writes both; {@link toMessages} converts
 * back. `dedupeHistory` and the like take chat messages as they are. One message comes out for each that is given.
 */
export function fromMessages<H extends object>(messages: readonly H[]): Message<H>[] {
  return mapHistory(messages, fromChatMessage);
}

/** A message of this package for one of VS Code's. */
export function fromChatMessage(message: object): object {
  const { content } = message as AnyMessage;
  const name = roleOf(message as Fields);
  if (name === undefined || !Array.isArray(content)) return message;
  return converted(message, name, content.map(fromPart));
}

function fromPart(part: object): MessagePart {
  const given = fields(part);
  const { value } = given;
  const made = partOf(eventsOfPart(given)?.[0]);
  if (made === undefined) {
    return typeof value === "string"
      ? convertedPart(part, { type: "text", text: value })
      : (part as MessagePart);
  }
  if (!isResult(given)) return convertedPart(part, made);
  const content = (given.content as object[]).map(fromPart);
  return convertedPart(part, { ...made, content });
}

/**
 * Converts back. A message that is as {@link fromMessages} made it comes out as the object that it was
 * made of (`===`); in one that was changed, only the changes are new, of the same classes as before. Messages and parts that were not made by it, such as an assembled prompt or a fresh block of
 * environment, become new objects of the module `vscode`; a system message becomes one of the user.
 *
 * @param vscode The module, where something new may be among the messages.
 * @throws `invalid_argument` if something is new and `vscode` is missing, or lacks its class.
 */
export function toMessages<H extends object = any>(
  messages: readonly AnyMessage<H>[],
  vscode?: VscodeChat,
): H[] {
  return mapBack(messages, toChatMessages(vscode));
}

/** Makes VS Code's messages of messages of this package. */
export function toChatMessages(vscode?: VscodeChat): Build {
  return (message, origin) => {
    const parts = contentParts(message.content).map((part) => toPart(part, vscode));
    if (origin) return changed(origin, { content: parts });
    const role = message.role === "assistant" ? Role.Assistant : Role.User;
    return make(vscode, "LanguageModelChatMessage", role, parts);
  };
}

function toPart(part: MessagePart, vscode: VscodeChat | undefined): object {
  const origin = originOfPart(part);
  const { type, text, thinking, id, name, input, tool_use_id, content } = fields(part);
  switch (type) {
    case "text":
      if (origin) return origin.value === text ? origin : changed(origin, { value: text });
      return make(vscode, "LanguageModelTextPart", text);
    case "thinking":
      return origin ?? make(vscode, "LanguageModelTextPart", thinking);
    case "tool_use":
      if (origin) return hasSameInput(origin.input, part) ? origin : changed(origin, { input });
      return make(vscode, "LanguageModelToolCallPart", id, name, input);
    case "tool_result": {
      const before = (origin?.content ?? []) as readonly object[];
      // A notice in the place of a file is in a part like those that were there.
      const model = before.find((part) => typeof fields(part).value === "string");
      const said =
        typeof content === "string" && model
          ? [changed(fields(model), { value: content })]
          : contentParts(content).map((part) => toPart(part, vscode));
      if (!origin) return make(vscode, "LanguageModelToolResultPart", tool_use_id, said);
      const isSame = said.length === before.length && said.every((part, at) => part === before[at]);
      return isSame ? origin : changed(origin, { content: said });
    }
    default: {
      const image = imageOf(part);
      if (image === undefined) return part;
      const data = Uint8Array.from(atob(image.data), (unit) => unit.charCodeAt(0));
      return make(vscode, "LanguageModelDataPart", data, image.mediaType);
    }
  }
}

function make(vscode: VscodeChat | undefined, name: keyof VscodeChat, ...args: any[]): object {
  const Class = vscode?.[name] as (new (...args: any[]) => object) | undefined;
  if (Class === undefined) {
    throw invalidArgument("adapter", "vscode", `must be the module vscode, with its ${name}`);
  }
  return new Class(...args);
}
