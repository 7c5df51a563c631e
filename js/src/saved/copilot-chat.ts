// Chats of VS Code (Copilot Chat and other agents), `workspaceStorage/*/chatSessions/*`: the older
// `.json`, whose `requests` are the elements here, and the newer `.jsonl`, a log of changes to the same
// object (see `change-log.ts`). Read are, as `ISerializableChatRequestData` of VS Code and
// `IResultMetadata` of Copilot Chat have them: of a request `message.text`, `modelId` and, once it is
// answered, `result.metadata` with `toolCallRounds` (`id`, `thinking.text`, `response`, `toolCalls`,
// `summary`), `toolCallResults` and `summary`; else `response`, what the panel shows, with its parts
// `thinking`, `toolInvocationSerialized` and Markdown; and of the session `customTitle`.

import type { AgentEvent } from "../boundary/generated/shapes.js";
import { answered, called, said } from "../messages/events.js";
import { fields, list, objects, text, type Fields } from "../messages/fields.js";
import { ChangeLog, isChange, isInitialChange } from "./change-log.js";
import { condensed, events, facts, plain, userSaid } from "./items.js";
import {
  Unreadable,
  type ReadRecord,
  type RecordReader,
  type SavedRecord,
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

  property(key: string, value: unknown): ReturnType<typeof facts> {
    return key === "customTitle" ? facts({ title: value }) : {};
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
    if (isCut) record.items.push(condensed());
    this.#log.apply(value);
    const requests = this.#requests();
    this.#done = isCut ? keptRequests(value) : Math.min(this.#done, requests.length);
    const finished = requests.slice(this.#done, -1);
    this.#done += finished.length;
    const { items, ...rest } = joinedRecord(finished);
    record.items = [...record.items, ...items];
    const began = this.#place;
    if (requests.length !== count || isCut) this.#place = place;
    return {
      ...record,
      ...rest,
      ...(record.items.length > 0 && { place: began || place }),
      ...facts({
        model: fields(requests.at(-1)).modelId,
        title: fields(this.#log.state).customTitle,
      }),
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
    ...facts({ model: records.at(-1)?.model }),
    ...(records.some(({ leftOut }) => leftOut) && { leftOut: true }),
  };
}

function requestRecord(request: Fields): ReadRecord {
  const { requestId, message, result, response, modelId } = request;
  if (typeof requestId !== "string") throw new Unreadable("has a request without a requestId");
  const words = text(message) ?? text(fields(message).text) ?? "";
  const metadata = fields(fields(result).metadata);
  const rounds = objects(metadata.toolCallRounds);
  const shown = objects(response);
  const answer = rounds.length > 0 ? roundEvents(rounds, metadata) : panelEvents(shown);
  return {
    items: [userSaid(words), ...events(answer)],
    ...facts({ model: modelId }),
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
    events.push(...thought(fields(round.thinking).text), ...said("text", round.response));
    const calls = objects(round.toolCalls);
    for (const call of calls) events.push(called(call.id, call.name, call.arguments));
    for (const { id } of calls) {
      const result = typeof id === "string" && Object.hasOwn(results, id) ? results[id] : undefined;
      if (result !== undefined) events.push(answered(id, resultText(fields(result))));
    }
    // The rounds up to here were replaced by their summary.
    const isSummarized = round.summary !== undefined || round.id === toolCallRoundId;
    if (isSummarized) events.push({ type: "condensation" });
  }
  return events;
}

/** A thought, which may come in pieces. */
function thought(value: unknown): AgentEvent[] {
  return said("reasoning", Array.isArray(value) ? value.join("") : value);
}

function resultText({ content }: Fields): string {
  return objects(content)
    .map(({ value, mimeType }) => {
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
      thought(part.value).forEach(push);
    } else if (part.kind === "toolInvocationSerialized") {
      // The same call may be written again when it has gone on.
      if (part.toolCallId !== undefined && calls.has(part.toolCallId)) continue;
      calls.add(part.toolCallId);
      push(called(part.toolCallId, part.toolId, panelArguments(part)));
      const result = panelResult(part);
      if (result) {
        events.push(result);
        isModels = false;
      }
    } else if (part.kind === undefined || part.kind === "markdownContent") {
      said("text", text(part.value) ?? fields(part.content).value).forEach(push);
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
    return answered(toolCallId, printed, { exitCode: fields(terminalCommandState).exitCode });
  }
  const { output, isError } = fields(resultDetails);
  if (typeof output !== "string" && !Array.isArray(output)) return undefined;
  const parts = objects(output).map(({ value, mimeType, isText }) =>
    isText === false || value === undefined ? `[${text(mimeType) ?? "data"}]` : plain(value),
  );
  const shown = typeof output === "string" ? output : parts.join("\n");
  return answered(toolCallId, shown, { isError: isError === true });
}
