/** A filter for the OpenAI Agents SDK, which sees every request to the model before it is sent. */

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
  }: OpenAiAgentsCall<I>): { input: I[]; instructions?: string } => {
    return { ...modelData, input: filter.request(modelData.input) };
  };
}

/** A note, and the call after whose result it stands. */
interface Note {
  call: string;
  content: string;
}

const RUN = "run";

/** What a filter knows of its run. */
class Filter {
  readonly #watch: LoopWatch;
  readonly #notes: Note[] = [];
  /** The calls whose results were seen, and the number of items of the request before. */
  readonly #seen = new Set<unknown>();
  #length = 0;
  /** Why the run shall end, until the next prompt. */
  #end: string | undefined;

  constructor(options: WatchOptions) {
    this.#watch = new LoopWatch("batch", options);
  }

  /** The items to send. */
  request<I extends OpenAiAgentsItem>(input: readonly I[]): I[] {
    const items = input.map(inResponsesWords);
    const made = items.map((item) => fields(callOfItem(item)));
    const calls = new Map(made.map((call) => [call.id, call]));
    let results: Fields[] = [];
    for (const item of items.slice(this.#firstNew(items))) {
      if (isResultItem(item)) {
        results.push(item);
        continue;
      }
      if (this.#watch.usersWords(item) === undefined) continue;
      this.#judge(results, calls);
      results = [];
      this.#end = undefined;
      this.#watch.asked(RUN, item);
    }
    this.#judge(results, calls);
    this.#length = items.length;
    if (this.#end !== undefined) throw new LoopStopped(this.#end);
    return this.#withNotes(this.#watch.sending()(input, resultIn), items);
  }

  /** The place of the first item that is new. A history that is shorter than before was compacted, or is another. */
  #firstNew(items: readonly Fields[]): number {
    if (items.length >= this.#length) return this.#length;
    this.#watch.happened(RUN, { type: "compacted" });
    const isKnown = items.map((item) => isResultItem(item) && this.#seen.has(item.call_id));
    return 1 + isKnown.lastIndexOf(true);
  }

  #judge(results: readonly Fields[], calls: ReadonlyMap<unknown, Fields>): void {
    const finished = results.map(({ call_id: id, name, output }) => {
      const { name: called, args } = fields(calls.get(id));
      return { id, name: name || called, args, output };
    });
    for (const { call_id } of results) this.#seen.add(call_id);
    if (finished.length === 0) return;
    const { context, end } = this.#watch.happened(RUN, { type: "results", calls: finished });
    this.#end ??= end;
    const call = text(results.at(-1)?.call_id) ?? "";
    if (context !== undefined) this.#notes.push({ call, content: context });
  }

  /** Notes of results that are gone go with them. */
  #withNotes<I extends OpenAiAgentsItem>(sent: readonly I[], items: readonly Fields[]): I[] {
    return sent.flatMap((item, at) => {
      const { call_id } = items[at]!;
      if (!isResultItem(items[at]!)) return item;
      const notes = this.#notes.filter(({ call }) => call === call_id);
      return [item, ...notes.map(({ content }) => ({ role: "user", content }) as unknown as I)];
    });
  }
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
