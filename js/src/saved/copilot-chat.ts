// Chats of VS Code (Copilot Chat and other agents), `workspaceStorage/*/chatSessions/*`: the older
// `.json`, whose `requests` are the elements here, and the newer `.jsonl`, a log of changes to the same
// object (see `change-log.ts`). Read are, as `ISerializableChatRequestData` of VS Code and
// `IResultMetadata` of Copilot Chat have them: of a request `message.text`, `modelId` and, once it is
// answered, `result.metadata` with `toolCallRounds` (`id`, `thinking.text`, `response`, `toolCalls`,
// `summary`), `toolCallResults` and `summary`; else `response`, what the panel shows, with its parts
// `thinking`, `toolInvocationSerialized` and Markdown; and of the session `customTitle`.

import type { AgentEvent } from "../boundary/generated/shapes.js";

import { ChangeLog, isChange, isInitialChange } from "./change-log.js";
import { fields, list, text, type Fields } from "./fields.js";
import { callEvent, number, plain, resultEvent } from "./messages.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedItem,
  type SavedRecord,
  type SessionFacts,
} from "./saved-session.js";

/** Whether it is a request of a chat of VS Code. */
export function isCopilotRequest(value: unknown): boolean {
  const { requestId, message, response, variableData } = fields(value);
  const isMessage = typeof message === "string" || typeof fields(message).text === "string";
  return typeof requestId === "string" && isMessage && (response ?? variableData) !== undefined;
}

/** Whether a text begins like a chat: a request may be longer than what there is of the file. */
export function isCopilotBeginning(text: string): boolean {
  return COPILOT_BEGINNING.test(text);
}

const COPILOT_BEGINNING =
  /^\s*\{\s*(?:"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{\s*)?"version"\s*:\s*\d+[^]{0,4000}?"(?:responderUsername|requesterUsername|initialLocation|creationDate)"\s*:/;

/** Whether it is the first line of the log of a chat. */
export function isCopilotLog(value: unknown): boolean {
  if (!isInitialChange(value)) return false;
  const { sessionId, requests } = fields(fields(value).v);
  return typeof sessionId === "string" && Array.isArray(requests);
}

/**
 * Reads a chat of VS Code. Of a log, a request is given out when the next one begins, for until then its
 * answer grows. What subagents did (`subAgentInvocationId`) is left out.
 */
export class CopilotChatReader implements RecordReader {
  readonly format = "copilot-chat";
  readonly #log = new ChangeLog();
  /** Requests of the log that have been given out. */
  #done = 0;
  /** Where the last request of the log begins. */
  #place = 0;

  read(value: unknown, place: number): ReadRecord {
    if (isChange(value)) return this.#change(value, place);
    if (!isCopilotRequest(value)) throw new Unreadable("is no request: no requestId and message");
    return requestRecord(fields(value));
  }

  property(key: string, value: unknown): SessionFacts {
    return key === "customTitle" ? titleOf(value) : {};
  }

  end(): SavedRecord | undefined {
    const record = joinedRecord(this.#requests().slice(this.#done));
    return record.items.length === 0 ? undefined : { place: this.#place, ...record };
  }

  #change(value: unknown, place: number): ReadRecord {
    const before = this.#requests();
    // Requests that are taken back have been sent all the same; the model no longer sees them.
    const count = before.length;
    const isCut = keptRequests(value) < count;
    const record = joinedRecord(isCut ? before.slice(this.#done) : []);
    if (isCut) record.items.push({ event: { type: "condensation" } });
    this.#log.apply(value);
    const requests = this.#requests();
    this.#done = isCut ? keptRequests(value) : Math.min(this.#done, requests.length);
    const finished = requests.slice(this.#done, -1);
    this.#done += finished.length;
    const { items, ...facts } = joinedRecord(finished);
    record.items = [...record.items, ...items];
    const began = this.#place;
    if (requests.length !== count || isCut) this.#place = place;
    return {
      ...record,
      ...facts,
      ...(record.items.length > 0 && { place: began || place }),
      ...modelOf(fields(requests.at(-1)).modelId),
      ...titleOf(fields(this.#log.state).customTitle),
    };
  }

  #requests(): unknown[] {
    return list(fields(this.#log.state).requests);
  }
}

/** How many requests a change keeps, if it takes some back. */
function keptRequests(change: unknown): number {
  const { k, i } = fields(change);
  const isOfRequests = Array.isArray(k) && k.length === 1 && k[0] === "requests";
  return isOfRequests && typeof i === "number" ? i : Infinity;
}

function joinedRecord(requests: readonly unknown[]): ReadRecord {
  const records = requests.map((request) => requestRecord(fields(request)));
  return {
    items: records.flatMap(({ items }) => items),
    ...modelOf(records.at(-1)?.model),
    ...(records.some(({ leftOut }) => leftOut) && { leftOut: true }),
  };
}

function requestRecord(request: Fields): ReadRecord {
  const { requestId, message, result, response, modelId } = request;
  if (typeof requestId !== "string") throw new Unreadable("has a request without a requestId");
  const said = { kind: "user", text: text(message) ?? text(fields(message).text) ?? "" } as const;
  const metadata = fields(fields(result).metadata);
  const rounds = list(metadata.toolCallRounds).map(fields);
  const shown = list(response).map(fields);
  const events = rounds.length > 0 ? roundEvents(rounds, metadata) : panelEvents(shown);
  const items: SavedItem[] = [{ event: { type: "user_message" }, said }];
  for (const event of events) items.push({ event });
  return {
    items,
    ...modelOf(modelId),
    ...(shown.some(isSubagents) && { leftOut: true }),
  };
}

/** What the model was asked and answered, round by round. */
function roundEvents(rounds: readonly Fields[], metadata: Fields): AgentEvent[] {
  const events: AgentEvent[] = [];
  const results = fields(metadata.toolCallResults);
  const { toolCallRoundId } = fields(metadata.summary);
  const isOfEarlier =
    toolCallRoundId !== undefined && !rounds.some(({ id }) => id === toolCallRoundId);
  if (isOfEarlier) events.push({ type: "condensation" });
  for (const round of rounds) {
    events.push({ type: "turn_started" });
    const { text: thought } = fields(round.thinking);
    const thinking = Array.isArray(thought) ? thought.join("") : text(thought);
    if (thinking) events.push({ type: "reasoning", text: thinking });
    if (text(round.response)) events.push({ type: "text", text: round.response as string });
    const calls = list(round.toolCalls).map(fields);
    for (const call of calls) events.push(callEvent(call.id, call.name, call.arguments));
    for (const { id } of calls) {
      const result = typeof id === "string" && Object.hasOwn(results, id) ? results[id] : undefined;
      if (result !== undefined) events.push(resultEvent(id, resultText(fields(result))));
    }
    // The rounds up to here were replaced by their summary.
    const isSummarized = round.summary !== undefined || round.id === toolCallRoundId;
    if (isSummarized) events.push({ type: "condensation" });
  }
  return events;
}

function resultText({ content }: Fields): string {
  return list(content)
    .map((each) => {
      const { value, mimeType } = fields(each);
      if (typeof mimeType === "string") return `[${mimeType}]`;
      return text(value) ?? nodeText(fields(value).node);
    })
    .join("\n");
}

/** The text of a tree of `prompt-tsx`. */
function nodeText(root: unknown): string {
  let joined = "";
  const open = [root];
  while (open.length > 0) {
    const node = fields(open.pop());
    if (typeof node.text === "string") {
      joined += node.lineBreakBefore && joined !== "" ? `\n${node.text}` : node.text;
    }
    const children = list(node.children);
    for (let at = children.length - 1; at >= 0; at -= 1) open.push(children[at]);
  }
  return joined;
}

/**
 * What the panel shows of an answer that is not finished, or was written before rounds were. The
 * arguments of most tools are not in it; what the panel says of the call stands for them.
 */
function panelEvents(shown: readonly Fields[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  let isModels = false;
  const calls = new Set<unknown>();
  const push = (event: AgentEvent): void => {
    if (!isModels) events.push({ type: "turn_started" });
    isModels = true;
    events.push(event);
  };
  for (const part of shown) {
    if (isSubagents(part)) continue;
    if (part.kind === "thinking") {
      const thought = Array.isArray(part.value) ? part.value.join("") : text(part.value);
      if (thought) push({ type: "reasoning", text: thought });
    } else if (part.kind === "toolInvocationSerialized") {
      // The same call may be written again when it has gone on.
      if (part.toolCallId !== undefined && calls.has(part.toolCallId)) continue;
      calls.add(part.toolCallId);
      push(callEvent(part.toolCallId, part.toolId, panelArguments(part)));
      const result = panelResult(part);
      if (result) {
        events.push(result);
        isModels = false;
      }
    } else if (part.kind === undefined || part.kind === "markdownContent") {
      const words = text(part.value) ?? text(fields(part.content).value);
      if (words) push({ type: "text", text: words });
    }
  }
  return events;
}

function isSubagents({ kind, subAgentInvocationId, fromSubAgent }: Fields): boolean {
  return (
    kind === "toolInvocationSerialized" &&
    (subAgentInvocationId !== undefined || fromSubAgent === true)
  );
}

function panelArguments({ toolSpecificData, resultDetails, invocationMessage }: Fields): unknown {
  const { kind, commandLine, rawInput } = fields(toolSpecificData);
  if (kind === "terminal") return { command: text(fields(commandLine).original) ?? "" };
  const { input } = fields(resultDetails);
  return rawInput ?? input ?? { says: text(invocationMessage) ?? fields(invocationMessage).value };
}

function panelResult({
  toolCallId,
  toolSpecificData,
  resultDetails,
}: Fields): AgentEvent | undefined {
  const { terminalCommandOutput, terminalCommandState } = fields(toolSpecificData);
  const printed = text(fields(terminalCommandOutput).text);
  if (printed !== undefined) {
    const exitCode = number(fields(terminalCommandState).exitCode);
    const result = resultEvent(toolCallId, printed);
    return { ...result, ...(exitCode !== undefined && { exitCode }) };
  }
  const { output, isError } = fields(resultDetails);
  if (typeof output === "string") return resultEvent(toolCallId, output, isError === true);
  if (!Array.isArray(output)) return undefined;
  const parts = output.map((each) => {
    const { value, mimeType, isText } = fields(each);
    return isText === false || value === undefined ? `[${text(mimeType) ?? "data"}]` : plain(value);
  });
  return resultEvent(toolCallId, parts.join("\n"), isError === true);
}

function titleOf(title: unknown): { title?: string } {
  return typeof title === "string" && title !== "" ? { title } : {};
}

function modelOf(model: unknown): { model?: string } {
  return typeof model === "string" ? { model } : {};
}
