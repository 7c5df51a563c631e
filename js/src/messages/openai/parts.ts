// What OpenAI's messages say: those of chat completions, which most other servers speak, too, and the
// items of the Responses API.

import {
  HOST_CALLS,
  OTHER_ITEMS,
  PROVIDER_CALLS,
  type AgentEvent,
} from "../../boundary/generated/shapes.js";
import { answered, called, said } from "../events.js";
import { fields, list, text, type Fields } from "../fields.js";

/** The thinking beside a chat message's content, as DeepSeek and many servers name it, or OpenRouter. */
export function thinkingOf({ reasoning_content, reasoning }: Fields): AgentEvent[] {
  const thought = said("reasoning", reasoning_content);
  return thought.length > 0 ? thought : said("reasoning", reasoning);
}

/** The calls beside a chat message's content, each with the object that it is. */
export function callsOf({
  tool_calls,
  function_call,
}: Fields): { call: Fields; event: AgentEvent }[] {
  const calls = list(tool_calls)
    .map(fields)
    .map((call) => ({ call, event: callOf(call) }));
  if (function_call) {
    calls.push({ call: { function_call }, event: callOf({ function: function_call }) });
  }
  return calls;
}

/** The arguments stay the text that they are, so that broken JSON is compared, too. */
function callOf(call: Fields): AgentEvent {
  const { name, args } = askedIn(call);
  return withArguments(call.id, name, args);
}

/** What a call of a chat message, or a piece of one, asks for: a function, or a custom tool. */
export function askedIn(call: Fields): { name: unknown; args: unknown } {
  const { name, arguments: json, input } = fields(call.function ?? call.custom);
  return { name, args: json ?? input };
}

/** A call; no arguments at all are the same as none. */
export function withArguments(id: unknown, name: unknown, args: unknown): AgentEvent {
  return called(id, name, args === "" ? {} : args);
}

/** Whether a chat message is a tool's. */
export function isToolMessage({ role }: Fields): boolean {
  return role === "tool" || role === "function";
}

/** Whether it is an item of the Responses API that is not a message. */
export function isItem(item: Fields): boolean {
  const calls = [...HOST_CALLS, ...PROVIDER_CALLS];
  const isCall = isOf(item, calls, "_call") || isOf(item, calls, "_call_output");
  return isCall || OTHER_ITEMS.includes(item.type as string);
}

/** Whether it is a call that the host runs; the provider's own have their results in themselves. */
export function isCallItem(item: Fields): boolean {
  return isOf(item, HOST_CALLS, "_call");
}

/** Whether it is the result of a call that the host ran. */
export function isResultItem(item: Fields): boolean {
  return isOf(item, HOST_CALLS, "_call_output");
}

function isOf({ type }: Fields, calls: readonly string[], end: string): boolean {
  const kind = text(type) ?? "";
  return kind.endsWith(end) && calls.includes(kind.slice(0, -end.length));
}

/** The call that an item is: of a function, or of a tool that the provider runs, named by its type. */
export function callOfItem(item: Fields): AgentEvent | undefined {
  const kind = text(item.type) ?? "";
  if (!kind.endsWith("_call")) return undefined;
  const { id, call_id, name, arguments: json, input, action, operation, code, queries } = item;
  const isNamed = /^(function|custom_tool|mcp)_call$/.test(kind);
  const args = json ?? input ?? action ?? operation ?? code ?? queries;
  return withArguments(call_id ?? id, isNamed ? name : (text(name) ?? kind.slice(0, -5)), args);
}

/** What an item says of a call's result; a call of the provider's own has it in the same item. */
export function resultOfItem(item: Fields): AgentEvent | undefined {
  const { type, id, call_id, output, outputs, results, error } = item;
  if (!/_call(_output)?$/.test(text(type) ?? "")) return undefined;
  const given = output ?? outputs ?? results ?? error;
  if (given === undefined || given === null) return undefined;
  const isError = (output === undefined || output === null) && given === error;
  return answered(call_id ?? id, given, { isError });
}
