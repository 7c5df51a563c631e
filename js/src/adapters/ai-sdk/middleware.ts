// The AI SDK's own places to stop a loop: a middleware of the model, and a condition between steps.

import { checkOptions, invalidArgument, optional } from "../../boundary/arguments.js";
import type { AgentEvent } from "../../boundary/generated/shapes.js";
import type { LoopDetector } from "../../loop/loop-detector.js";
import { hasMethod } from "../../loop/stream-source.js";
import { type LoopListener, tell } from "../../loop/told.js";
import { fields, list, objects, text } from "../../messages/fields.js";
import { resultOf } from "../../messages/ai-sdk/parts.js";
import type { AnyMessage } from "../../messages/messages.js";
import { fromStreamPart, type AiSdkPart } from "./parts.js";

const MACHINE = "adapter";

/** What is needed of a `LoopDetector`: any object that has these members of it. */
export type AiSdkDetector = Pick<LoopDetector, "observe" | "verdict"> &
  Partial<Pick<LoopDetector, "takeFeedback">>;

/** A step of `streamText` or `generateText`. */
export type AiSdkStep = {
  readonly content: readonly AiSdkPart[];
};

/** The settings of {@link loopMiddleware} and {@link hasLooped}. */
export type AiSdkOptions = {
  /** Is told of each nudge and each stop, once. */
  onLoopDetected?: LoopListener;
};

/** The settings of {@link loopMiddleware}. */
export interface AiSdkMiddlewareOptions extends AiSdkOptions {
  /**
   * Whether the detector's hints for the model are added to the next request, as a message of the user after all
   * others. `false` leaves them to the host (`detector.takeFeedback()`). Default: `true`.
   */
  feedback?: boolean;
}

/** What a middleware is given of a call that streams. */
export type AiSdkStreamCall<R> = {
  readonly doStream: () => PromiseLike<R>;
  readonly params: { readonly prompt: readonly AnyMessage[] };
  readonly model: { readonly specificationVersion: string; doStream?(params: any): PromiseLike<R> };
};

/** What a middleware is given of a call that does not stream. */
export type AiSdkGenerateCall<R> = {
  readonly doGenerate: () => PromiseLike<R>;
  readonly params: { readonly prompt: readonly AnyMessage[] };
  readonly model: {
    readonly specificationVersion: string;
    doGenerate?(params: any): PromiseLike<R>;
  };
};

/** A middleware as `wrapLanguageModel` takes it, in any of its versions. */
export type AiSdkMiddleware = {
  readonly specificationVersion: "v3";
  readonly middlewareVersion: "v2";
  readonly wrapStream: <R>(call: AiSdkStreamCall<R>) => Promise<R>;
  readonly wrapGenerate: <R>(call: AiSdkGenerateCall<R>) => Promise<R>;
};

/** The detectors that a middleware feeds; a stop condition must not feed them again. */
const fed = new WeakSet<AiSdkDetector>();

/**
 * Makes a middleware for `wrapLanguageModel` that shows the detector all that the model says and
 * calls, and the results of its tools, which come with the next request, and tells the model of a nudge with that
 * request.
 *
 * A call that loops is held back, so that the SDK does not run it. The model's answer ends there,
 * with the finish reason `other`, after which the SDK runs none of its calls and no further step, and
 * with the report under `turnkeeper` in its provider metadata; the request is cancelled. While the
 * detector's verdict is a stop no request is made. The host starts prompts
 * (`detector.startPrompt(id, { userPrompt, model })`), tells the user (`onLoopDetected`), and, to go on, calls
 * `detector.clear()`.
 *
 * One detector watches one conversation: wrap the model for each.
 *
 * @throws `invalid_argument` for what is no detector, and for an option that is unknown or of another type.
 *
 * @example
 * ```js
 * import { LoopDetector } from "turnkeeper";
 * import { loopMiddleware } from "turnkeeper/adapters/ai-sdk";
 *
 * const detector = new LoopDetector({ identicalCalls: 10 });
 * const middleware = loopMiddleware(detector, {
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * });
 * // streamText({ model: wrapLanguageModel({ model, middleware }), tools, prompt })
 *
 * // What the SDK does with it:
 * const call = { type: "tool-call", toolCallId: "1", toolName: "ls", input: "{}" };
 * const doGenerate = async () => ({ content: Array(12).fill(call) });
 * const model = { specificationVersion: "v3" };
 * const { content } = await middleware.wrapGenerate({ doGenerate, params: { prompt: [] }, model });
 * console.log(content.length); // 9
 * ```
 */
export function loopMiddleware(
  detector: AiSdkDetector,
  options: AiSdkMiddlewareOptions = {},
): AiSdkMiddleware {
  const watch = new Watch(detector, options, ["onLoopDetected", "feedback"]);
  const feedback = optional(MACHINE, options.feedback, "boolean", "options.feedback") ?? true;
  /** Hints for the model; those of a request that failed, too: the SDK repeats it. */
  const unsent: string[] = [];
  fed.add(detector);

  /** Asks the model, with the hints after all that the prompt has. */
  async function send<P extends { readonly prompt: readonly AnyMessage[] }, R>(
    params: P,
    ask: () => PromiseLike<R>,
    askWith: (params: P) => PromiseLike<R>,
  ): Promise<R> {
    if (feedback) unsent.push(...(detector.takeFeedback?.() ?? []));
    if (unsent.length === 0) return ask();
    const content = unsent.map((text) => ({ type: "text", text }));
    const prompt = [...params.prompt, { role: "user", content }];
    const answer = await askWith({ ...params, prompt });
    unsent.length = 0;
    return answer;
  }

  return {
    specificationVersion: "v3",
    middlewareVersion: "v2",

    async wrapStream<R>({ doStream, params, model }: AiSdkStreamCall<R>): Promise<R> {
      if (!watch.request(params.prompt)) return { stream: ended(model, watch) } as R;
      const answer = await send(params, doStream, (told) => model.doStream!(told));
      const { stream } = answer as { stream: ReadableStream<AiSdkPart> };
      return { ...answer, stream: guarded(stream, model, watch) };
    },

    async wrapGenerate<R>({ doGenerate, params, model }: AiSdkGenerateCall<R>): Promise<R> {
      const mayAsk = watch.request(params.prompt);
      if (!mayAsk) return { content: [], warnings: [], ...ending(model, watch) } as R;
      const answer = await send(params, doGenerate, (told) => model.doGenerate!(told));
      const content = list(fields(answer).content) as AiSdkPart[];
      const first = content.findIndex((part) => !watch.sees(part));
      if (first < 0) return answer;
      const { finishReason, providerMetadata } = ending(model, watch);
      return {
        ...answer,
        content: content.slice(0, first),
        finishReason,
        providerMetadata: { ...fields(fields(answer).providerMetadata), ...providerMetadata },
      };
    },
  };
}

/** A detector, and who is told of its verdicts. */
class Watch {
  readonly #detector: AiSdkDetector;
  readonly #tell: AiSdkOptions["onLoopDetected"];
  /**
   * The calls whose results the last request brought, but for those that the model has made again since, under the same
   * id: the SDK repeats a request that has failed.
   */
  #results = new Set<unknown>();

  /** @param options the names of the options that there are */
  constructor(detector: AiSdkDetector, given: AiSdkOptions, options: readonly string[]) {
    if (!hasMethod(detector, "observe")) {
      throw invalidArgument(MACHINE, "detector", "must be a LoopDetector");
    }
    checkOptions(MACHINE, given, options);
    const { onLoopDetected } = given;
    if (onLoopDetected !== undefined && typeof onLoopDetected !== "function") {
      throw invalidArgument(MACHINE, "options.onLoopDetected", "must be a function");
    }
    this.#detector = detector;
    this.#tell = onLoopDetected;
  }

  get verdict() {
    return this.#detector.verdict;
  }

  /** Whether the stream may go on after this part. */
  sees(part: AiSdkPart): boolean {
    const event = fields(part).type === "stream-start" ? undefined : fromStreamPart(part);
    if (event === undefined) return true;
    const mayGoOn = this.observe(event);
    // A call that is held back gets no result.
    if (mayGoOn && event.type === "tool_call") this.#results.delete(event.id);
    return mayGoOn;
  }

  observe(event: AgentEvent): boolean {
    const verdict = this.#detector.observe(event);
    tell(verdict, this.#tell);
    return verdict.action !== "stop";
  }

  /** Whether the model may be asked: observes what is new in the prompt, all after the last answer. */
  request(prompt: readonly AnyMessage[]): boolean {
    let at = prompt.length;
    while (at > 0 && prompt[at - 1]?.role !== "assistant") at--;
    const before = this.#results;
    this.#results = new Set();
    for (const message of prompt.slice(at)) {
      if (message.role !== "tool") continue;
      for (const part of objects(message.content)) {
        if (part.type !== "tool-result") continue;
        const result = resultOf(part);
        this.#results.add(result.id);
        if (!before.has(result.id) && !this.observe(result)) return false;
      }
    }
    return this.observe({ type: "turn_started" });
  }
}

/** What is needed of a model. */
interface Model {
  readonly specificationVersion: string;
}

/** The stream of a model that is not asked. */
function ended(model: Model, watch: Watch): ReadableStream<AiSdkPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] } as AiSdkPart);
      controller.enqueue({ type: "finish", ...ending(model, watch) });
      controller.close();
    },
  });
}

/** The stream of a model up to where it loops; what was begun then is ended. */
function guarded(
  source: ReadableStream<AiSdkPart>,
  model: Model,
  watch: Watch,
): ReadableStream<AiSdkPart> {
  const reader = source.getReader();
  const open = new Map<string, AiSdkPart>();
  return new ReadableStream<AiSdkPart>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        try {
          if (watch.sees(value)) {
            keepOpen(open, value);
            return controller.enqueue(value);
          }
        } catch (error) {
          await reader.cancel(error).catch(() => {});
          throw error;
        }
        for (const end of open.values()) controller.enqueue(end);
        controller.enqueue({ type: "finish", ...ending(model, watch) });
        controller.close();
        // This cancels the request. How the source takes it does not matter any more.
        await reader.cancel().catch(() => {});
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function keepOpen(open: Map<string, AiSdkPart>, part: AiSdkPart): void {
  const { type, id } = fields(part);
  const match = /^(.*)-(start|end)$/.exec(text(type) ?? "");
  if (match === null) return;
  const key = `${match[1]} ${String(id)}`;
  if (match[2] === "end") open.delete(key);
  else if (id !== undefined) open.set(key, { type: `${match[1]}-end`, id } as AiSdkPart);
}

/** The end of an answer that was cut off, in the words of the model's version. */
function ending({ specificationVersion }: Model, { verdict }: Watch) {
  const isOld = specificationVersion === "v2";
  const report = verdict.action === "ok" ? undefined : { ...verdict.report };
  return {
    finishReason: isOld ? "other" : { unified: "other", raw: "loop_detected" },
    usage: isOld ? {} : { inputTokens: {}, outputTokens: {} },
    providerMetadata: { turnkeeper: { report } },
  };
}

/**
 * A condition for `stopWhen`: true once the detector has stopped. If no {@link loopMiddleware} feeds
 * the detector, the condition shows it each step, its calls with their results; then a step that
 * loops has been run, and none follows it.
 *
 * @throws As {@link loopMiddleware}.
 *
 * @example
 * ```js
 * import { LoopDetector } from "turnkeeper";
 * import { hasLooped } from "turnkeeper/adapters/ai-sdk";
 *
 * const detector = new LoopDetector();
 * const stopWhen = hasLooped(detector, {
 *   onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
 * });
 * // generateText({ model, tools, prompt, stopWhen: [stepCountIs(50), stopWhen] })
 *
 * // What the SDK does with it, after each step:
 * const call = { type: "tool-call", toolCallId: "1", toolName: "ls", input: {} };
 * const result = { ...call, type: "tool-result", output: "a.ts" };
 * const steps = [];
 * do steps.push({ content: [call, result] });
 * while (!stopWhen({ steps }));
 * console.log(steps.length); // 5
 * ```
 */
export function hasLooped(
  detector: AiSdkDetector,
  options: AiSdkOptions = {},
): (state: { readonly steps: readonly AiSdkStep[] }) => boolean {
  const watch = new Watch(detector, options, ["onLoopDetected"]);
  let seen = 0;
  return ({ steps }) => {
    // Fewer steps than before are those of another call.
    if (steps.length <= seen) seen = 0;
    const fresh = fed.has(detector) ? [] : steps.slice(seen);
    seen = steps.length;
    for (const { content } of fresh) {
      watch.observe({ type: "turn_started" });
      for (const part of content) if (!watch.sees(part)) return true;
    }
    return detector.verdict.action === "stop";
  };
}
