/** A filter for the OpenAI Agents SDK, which sees every request to the model before it is sent. */

import type { ToldCall } from "#watch";

import { type Fields, fields, text } from "../../messages/fields.js";
import { callOfItem, isResultItem } from "../../messages/openai/parts.js";

import { LoopWatch, type WatchOptions, checkedOptions } from "./loop-watch.js";
import type { SentResult } from "./repeated-results.js";

export type { WatchOptions } from "./loop-watch.js";

/** An item of a request. */
export type OpenAiAgentsItem = object;

/** A request as `callModelInputFilter` gets it. */
export type OpenAiAgentsCall<I extends OpenAiAgentsItem = OpenAiAgentsItem> = {
  modelData: { input: I[]; instructions?: string };
  agent?: object;
  context?: unknown;
};

/** The run was ended because it was in a loop; the message is for the user. */
export class LoopStopped extends Error {
  override readonly name = "LoopStopped";
}

/**
 * Makes a filter for one run, as `callModelInputFilter` of the run's settings: it tells the model of a loop
 * after the result that shows it, and in mode `stop` throws {@link LoopStopped}, which ends the run. What it
 * changes is in the copy that is sent; the history stays. A note keeps its place in the requests that follow, so
 * that a provider's prompt cache keeps working. Each message of a person among the items is a prompt.
 *
 * With `previousResponseId` or `conversationId` a request has results without their calls. Then the calls are those that
 * `agent`, which the SDK hands to the filter, has started since its first request; a result whose call is in neither is
 * not judged.
 *
 * @throws `invalid_argument`, naming the option, for one that is unknown or of another type.
 *
 * @example
 * ```js
 * import { turnkeeperFilter } from "turnkeeper/adapters/openai-agents";
 *
 * const callModelInputFilter = turnkeeperFilter({ mode: "stop" });
 * // await run(agent, "Mend the build.", { callModelInputFilter })
 * ```
 */
export function turnkeeperFilter(options?: WatchOptions) {
  const filter = new Filter(checkedOptions(options));
  return <I extends OpenAiAgentsItem>({
    modelData,
    agent,
  }: OpenAiAgentsCall<I>): { input: I[]; instructions?: string } => {
    hear(agent);
    return { ...modelData, input: filter.request(modelData.input) };
  };
}

/** An item of the last request. */
interface Item {
  words: Fields;
  /** What it is found by in the next request. Hosts shorten results, so it is the call that counts. */
  key: string;
  /** The note that stands after it. */
  note?: string | undefined;
}

/** Calls by their ids. */
type Calls = Map<unknown, { name: string; args?: unknown }>;

/** A result that is new, and its call. */
interface Finished {
  item: Item;
  call: ToldCall;
}

const RUN = "run";

/** What a filter knows of its run. */
class Filter {
  readonly #watch: LoopWatch;
  #items: readonly Item[] = [];
  /** Why the run shall end, until the next prompt. */
  #end: string | undefined;

  constructor(options: WatchOptions) {
    this.#watch = new LoopWatch("batch", options);
  }

  /** The items to send. */
  request<I extends OpenAiAgentsItem>(input: readonly I[]): I[] {
    const items = input.map(itemOf);
    const firstNew = this.#firstNew(items);
    // The newest call owns an id.
    const calls: Calls = new Map();
    let results: Finished[] = [];
    for (const [at, item] of items.entries()) {
      const { words } = item;
      keepCall(words, calls);
      if (at < firstNew) continue;
      if (isResultItem(words)) {
        const { call_id: id, name, output } = words;
        const made = calls.get(id) ?? started.get(id);
        started.delete(id);
        if (made === undefined) continue;
        results.push({ item, call: { id, name: name || made.name, args: made.args, output } });
        continue;
      }
      if (this.#watch.usersWords(words) === undefined) continue;
      this.#judge(results);
      results = [];
      this.#end = undefined;
      this.#watch.asked(RUN, words);
    }
    this.#judge(results);
    this.#items = items;
    if (this.#end !== undefined) throw new LoopStopped(this.#end);
    const sent = this.#watch.sending()(input, resultIn);
    return sent.flatMap((item, at) => {
      const { note } = items[at]!;
      return note === undefined ? item : [item, { role: "user", content: note } as unknown as I];
    });
  }

  /** The place of the first new item, which follows the last known one. Notes of items that are gone go with them. */
  #firstNew(items: readonly Item[]): number {
    const known = this.#items;
    // A history that is shorter than before was compacted, or is another. Results alone are no history.
    const isHistory = !items.every(({ words }) => isResultItem(words));
    if (items.length < known.length && isHistory) {
      this.#watch.happened(RUN, { type: "compacted" });
    }
    const keys = known.map(({ key }) => key);
    let [firstNew, unmatched] = [0, 0];
    for (const [at, item] of items.entries()) {
      const found = keys.indexOf(item.key, unmatched);
      if (found < 0) continue;
      item.note = known[found]!.note;
      firstNew = at + 1;
      unmatched = found + 1;
    }
    return firstNew;
  }

  #judge(results: readonly Finished[]): void {
    const last = results.at(-1);
    if (last === undefined) return;
    const calls = results.map(({ call }) => call);
    const { context, end } = this.#watch.happened(RUN, { type: "results", calls });
    this.#end ??= end;
    last.item.note = context;
  }
}

/** The calls that agents have started and no request has had the result of, the newest last. */
const started: Calls = new Map();
const MOST_STARTED = 1_000;

/** The agents that are listened to. One of them may have many runs, with a filter each. */
const heard = new WeakSet();

interface Emitter {
  on?(event: string, listener: (context: unknown, tool: unknown, details: unknown) => void): void;
}

function hear(agent: Emitter | undefined): void {
  if (agent === undefined || heard.has(agent)) return;
  heard.add(agent);
  agent.on?.("agent_tool_start", (_context, _tool, details) => {
    keepCall(inResponsesWords(fields(fields(details).toolCall)), started);
    if (started.size > MOST_STARTED) started.delete(started.keys().next().value);
  });
}

function keepCall(item: Fields, calls: Calls): void {
  const call = callOfItem(item);
  if (call?.type === "tool_call") calls.set(call.id, call);
}

function itemOf(item: object): Item {
  const words = inResponsesWords(item);
  const { type, call_id } = words;
  return { words, key: JSON.stringify(isResultItem(words) ? [type, call_id] : words) };
}

/** An item in the spelling of the Responses API, which the SDK's own is near to. */
function inResponsesWords(item: object): Fields {
  const { type, callId, call_id = callId, ...others } = fields(item);
  return { ...others, type: text(type)?.replace(/_call_result$/, "_call_output"), call_id };
}

function resultIn<I extends OpenAiAgentsItem>(item: I): SentResult<I> | undefined {
  const { type, call_id, output } = inResponsesWords(item);
  if (type !== "function_call_output") return undefined;
  const withText = (line: string): I => {
    return { ...item, output: typeof output === "string" ? line : { type: "text", text: line } };
  };
  const said = typeof output === "string" ? output : text(fields(output).text);
  return { text: said ?? JSON.stringify(output), call: text(call_id) ?? "", withText };
}
