// The calls and results among the items of the Responses API as messages of this package, and the way back.

import type { AgentEvent } from "../../boundary/generated/shapes.js";
import { fields, parsed, type Fields } from "../fields.js";
import {
  converted,
  convertedPart,
  inputAsJson,
  originOfPart,
  partOf,
  type Message,
  type MessagePart,
} from "../messages.js";
import { callOfItem, isCallItem, isResultItem } from "./parts.js";

/** The beginning of Codex' older results: JSON with what the tool said as its first value. */
const WRAPPED = /^\s*\{\s*"output"\s*:\s*(?=")/;

/** The message that a call or a result stands for; undefined for any other item. */
export function fromItem(item: object): Message | undefined {
  if (isCallItem(item as Fields)) {
    return converted(item, "assistant", [fromCall(item as Fields, callOfItem(item as Fields))]);
  }
  if (!isResultItem(item as Fields)) return undefined;
  const { call_id, id, output } = item as Fields;
  const wrapped = wrappedIn(output);
  const made = {
    type: "tool_result",
    tool_use_id: call_id ?? id,
    content: wrapped
      ? wrapped.said
      : Array.isArray(output)
        ? (output as MessagePart[]).map(fromText)
        : output,
    ...(wrapped?.hasFailed && { is_error: true }),
  } as MessagePart;
  return converted(item, "user", [convertedPart(item, made)]);
}

/** The item of a call, with the arguments that the part has. */
export function toCallItem(origin: Fields, part: MessagePart | undefined): object {
  if (part === undefined || typeof origin.arguments !== "string") return origin;
  const json = inputAsJson(origin.arguments, part);
  return json === origin.arguments ? origin : { ...origin, arguments: json };
}

/** A call whose arguments are read only if somebody looks at them. */
export function fromCall(origin: Fields, event: AgentEvent | undefined): MessagePart {
  const made = partOf(event);
  if (made === undefined) return convertedPart(origin, { type: "tool_use" });
  const { id, name, input } = made;
  return convertedPart(origin, {
    type: "tool_use",
    id,
    name,
    get input() {
      return parsed(input);
    },
  });
}

/** A result in Codex' JSON. */
interface Wrapped {
  /** What the tool said. */
  said: unknown;
  /** Where its string begins and ends in the JSON. */
  start: number;
  end: number;
  /** Whether the JSON has an exit code other than 0. */
  hasFailed: boolean;
}

function wrappedIn(output: unknown): Wrapped | undefined {
  if (typeof output !== "string") return undefined;
  const start = WRAPPED.exec(output)?.[0].length;
  if (start === undefined) return undefined;
  // A loop, for an expression would need more stack than there is for a long text.
  let quote = output.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(output, quote)) quote = output.indexOf('"', quote + 1);
  if (quote < 0) return undefined;
  const end = quote + 1;
  const json = output.slice(start, end);
  const said = parsed(json);
  // As it was, it is no JSON.
  if (said === json) return undefined;
  const hasFailed = /"exit_code"\s*:\s*-?[1-9]/.test(output.slice(end));
  return { said, start, end, hasFailed };
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === "\\") first--;
  return (at - first) % 2 === 1;
}

/** Texts of the Responses API have other names. */
export function fromText(part: MessagePart): MessagePart {
  const { type, text: said } = fields(part);
  const isText = type === "input_text" || type === "output_text";
  return isText && typeof said === "string"
    ? convertedPart(part, { type: "text", text: said })
    : part;
}

/** The item of a result that was changed; undefined for a result that was no item. */
export function toItem(part: MessagePart): object | undefined {
  const origin = originOfPart(part);
  if (origin === undefined || !isResultItem(origin)) return undefined;
  const { output } = origin;
  const { content } = part;
  if (Array.isArray(content)) return { ...origin, output: content.map(toText) };
  const said = String(content);
  const wrapped = wrappedIn(output);
  if (said === (wrapped ? wrapped.said : output)) return origin;
  if (wrapped === undefined) return { ...origin, output: said };
  const whole = output as string;
  const { start, end } = wrapped;
  return { ...origin, output: whole.slice(0, start) + JSON.stringify(said) + whole.slice(end) };
}

export function toText(part: MessagePart): object {
  const origin = originOfPart(part);
  if (origin === undefined) return part;
  return origin.text === part.text ? origin : { ...origin, text: part.text };
}
