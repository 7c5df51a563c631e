/** A filter for the OpenAI Agents SDK, which sees every request to the model before it is sent. */

import { DEFAULT_MODE, type Mode } from "../agents.js";
import { argumentsOf, fieldsOf, finishedCall, firstText, resultText } from "../fields.js";
import type { FinishedCall, Fields } from "../hook-event.js";
import { replaceRepeated } from "../repeated-results.js";

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
    const sent = options.dedupe === false ? input : withoutRepeated(input);
    const told = notes.map((content) => ({ role: "user", content }) as unknown as I);
    return { ...modelData, input: [...sent, ...told] };
  };
}

/** The history with each long result once; the items that change are copies. */
function withoutRepeated<I extends OpenAiAgentsItem>(input: readonly I[]): I[] {
  const sent = [...input];
  replaceRepeated(
    input.flatMap((item, at) => {
      const fields = fieldsOf(item);
      if (!isResult(fields)) return [];
      const replace = (text: string): void => {
        const output = typeof fields.output === "string" ? text : { type: "text", text };
        sent[at] = { ...item, output };
      };
      return [{ text: resultText(fields.output), call: idOf(fields), replace }];
    }),
  );
  return sent;
}

function isResult({ type }: Fields): boolean {
  return type === "function_call_result" || type === "function_call_output";
}

/** The calls of a history whose results are among its newest items. */
function finishedCalls(input: readonly object[], fresh: readonly object[]): FinishedCall[] {
  const calls = new Map(
    input
      .map(fieldsOf)
      .filter(({ type }) => type === "function_call")
      .map((it) => [idOf(it), it]),
  );
  return fresh.map(fieldsOf).flatMap((item) => {
    if (!isResult(item)) return [];
    const call = calls.get(idOf(item));
    const finished = finishedCall({
      id: idOf(item),
      name: firstText(item.name, call?.name),
      args: argumentsOf(call?.arguments),
      output: resultText(item.output),
    });
    return finished ? [finished] : [];
  });
}

function idOf({ callId, call_id: id }: Fields): string {
  return firstText(callId, id) ?? "";
}
