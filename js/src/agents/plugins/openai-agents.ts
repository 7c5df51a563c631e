/** A filter for the OpenAI Agents SDK, which sees every request to the model before it is sent. */

import { DEFAULT_MODE, type Mode } from "../agents.js";
import { text } from "../../messages/fields.js";
import { callOfItem, isResultItem } from "../../messages/openai/parts.js";
import { fieldsOf, finishedCall, firstText, resultText } from "../fields.js";
import type { FinishedCall, Fields } from "../hook-event.js";
import { type SentResult, repeatsReplaced } from "../repeated-results.js";

import { LoopWatch } from "./loop-watch.js";

/** Settings of {@link turnkeeperFilter}. */
export interface OpenAiAgentsOptions {
  /** `hint`: the model is told of a loop as a fact. `stop`: a stop ends the run. `hint` by default. */
  mode?: Mode;
  /** Whether results that came before are sent once. True by default. */
  dedupe?: boolean;
}

/** An item of a request. */
export type OpenAiAgentsItem = object;

/** A request as `callModelInputFilter` gets it. */
export interface OpenAiAgentsCall<I extends OpenAiAgentsItem = OpenAiAgentsItem> {
  modelData: { input: I[]; instructions?: string };
  agent?: object;
  context?: unknown;
}

/** The run was ended because it was in a loop; the message is for the user. */
export class LoopStopped extends Error {
  override readonly name = "LoopStopped";
}

/**
 * Makes a filter for one run, as `callModelInputFilter` of the run's settings: it tells the model of a loop
 * in the request that follows, and in mode `stop` throws {@link LoopStopped}, which ends the run. What it
 * changes is in the copy that is sent; the history stays.
 *
 * @example
 * ```js
 * import { turnkeeperFilter } from "turnkeeper/adapters/openai-agents";
 *
 * const callModelInputFilter = turnkeeperFilter({ mode: "stop" });
 * // await run(agent, "Mend the build.", { callModelInputFilter })
 * ```
 */
export function turnkeeperFilter(options: OpenAiAgentsOptions = {}) {
  const watch = new LoopWatch(options.mode ?? DEFAULT_MODE, "batch");
  const notes: string[] = [];
  let seen = 0;
  return <I extends OpenAiAgentsItem>({
    modelData,
  }: OpenAiAgentsCall<I>): { input: I[]; instructions?: string } => {
    const { input } = modelData;
    // A history that is shorter than before was compacted, or is another one.
    const fresh = input.slice(seen <= input.length ? seen : 0);
    seen = input.length;
    const calls = finishedCalls(input, fresh);
    const { context, end } =
      calls.length === 0 ? {} : watch.happened("run", { type: "results", calls });
    if (end !== undefined) throw new LoopStopped(end);
    if (context !== undefined) notes.push(context);
    const sent = options.dedupe === false ? input : repeatsReplaced()(input, resultIn);
    const told = notes.map((content) => ({ role: "user", content }) as unknown as I);
    return { ...modelData, input: [...sent, ...told] };
  };
}

/** An item in the spelling of the Responses API, which the SDK's own is near to. */
function inResponsesWords(item: object): Fields {
  const { type, callId, call_id = callId, ...others } = fieldsOf(item);
  return { ...others, type: text(type)?.replace(/_call_result$/, "_call_output"), call_id };
}

function resultIn<I extends OpenAiAgentsItem>(item: I): SentResult<I> | undefined {
  const { type, call_id, output } = inResponsesWords(item);
  if (type !== "function_call_output") return undefined;
  const withText = (said: string): I => {
    return { ...item, output: typeof output === "string" ? said : { type: "text", text: said } };
  };
  return { text: resultText(output), call: text(call_id) ?? "", withText };
}

/** The calls of a history whose results are among its newest items. */
function finishedCalls(input: readonly object[], fresh: readonly object[]): FinishedCall[] {
  const made = input.map((item) => fieldsOf(callOfItem(inResponsesWords(item))));
  const calls = new Map(made.map((call) => [call.id, call]));
  return fresh
    .map(inResponsesWords)
    .filter(isResultItem)
    .flatMap(({ call_id: id, name, output }) => {
      const { name: called, args } = fieldsOf(calls.get(id));
      return finishedCall({ id, name: firstText(name, called), args, output }) ?? [];
    });
}
