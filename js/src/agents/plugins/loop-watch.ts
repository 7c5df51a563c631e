/** Watches the sessions of an agent in the agent's own process, and judges them as the hooks do. */

import {
  AgentWatch,
  type AgentWatchOptions,
  type Happening,
  type Heard,
  type Reply,
  type ToldCall,
  usersWords,
} from "#watch";

import { checkOptions, invalidArgument, oneOf } from "../../boundary/arguments.js";
import { DEFAULT_MODE, MODES, type Mode, isMode } from "../modes.js";
import type { LoopListener } from "../../loop/told.js";
import type { LogLine } from "../state/activity.js";

import { type SentResult, repeatsReplaced } from "./repeated-results.js";

/** Settings of whatever watches an agent in the agent's own process: plugins, a middleware, a filter. */
export interface WatchOptions {
  /**
   * `watch`: nothing is said. `hint`: the model is told of a loop as a fact, and the user of a stop. `stop`: a stop
   * ends the run. Left out, it is `hint`; for a plugin the mode of `turnkeeper install`, if that was run.
   */
  mode?: Mode;
  /** Whether results that came before are sent once. True by default. */
  dedupe?: boolean;
  /** Is told of each nudge and each stop, once. */
  onLoopDetected?: LoopListener;
  /** Is told of each stop, in the words for the user. */
  onStop?: (message: string) => void;
}

const OPTIONS = ["mode", "dedupe", "onLoopDetected", "onStop"] as const;
const MACHINE = "watch";

/** @throws `invalid_argument`, naming the option, for one that is unknown or of another type */
export function checkedOptions(options: WatchOptions = {}): WatchOptions {
  checkOptions(MACHINE, options, OPTIONS);
  const { mode, dedupe } = options;
  const refuse = (name: string, must: string) => invalidArgument(MACHINE, `options.${name}`, must);
  if (mode !== undefined && !isMode(mode)) throw refuse("mode", `must be ${oneOf(MODES)}`);
  if (dedupe !== undefined && typeof dedupe !== "boolean")
    throw refuse("dedupe", "must be a boolean");
  for (const name of ["onLoopDetected", "onStop"] as const) {
    const told: unknown = options[name];
    if (told !== undefined && typeof told !== "function") throw refuse(name, "must be a function");
  }
  return options;
}

export class LoopWatch {
  readonly #watch: () => AgentWatch;
  readonly #dedupe: boolean;
  readonly #listeners: Pick<WatchOptions, "onLoopDetected" | "onStop">;
  #made: AgentWatch | undefined;

  /**
   * @param requests how the agent tells requests apart
   * @param options as {@link checkedOptions} hands them out
   */
  constructor(
    requests: AgentWatchOptions["requests"],
    { mode = DEFAULT_MODE, dedupe = true, ...listeners }: WatchOptions,
    settings: AgentWatchOptions["settings"] = [],
  ) {
    // The module is compiled when something happens.
    this.#watch = () => (this.#made ??= new AgentWatch({ mode, requests, settings }));
    this.#dedupe = dedupe;
    this.#listeners = listeners;
  }

  /** A message in the user's name, which is a prompt unless the agent or its host wrote all of it. */
  asked(session: string, message: object, promptId?: string): void {
    this.#hear((watch) => watch.asked(session, message, promptId));
  }

  /** The words of a person in a message; undefined if an agent or its host wrote all of it. */
  usersWords(message: object): string | undefined {
    return this.isOff ? undefined : this.#attempted(() => usersWords(message));
  }

  /** A function for the parts of a conversation that is sent, which leaves each long result in it once. */
  sending(): <T>(
    parts: readonly T[],
    resultIn: (part: T) => SentResult<T> | undefined,
  ) => readonly T[] {
    return this.#dedupe ? repeatsReplaced() : (parts) => parts;
  }

  /** What there is to say to something that happened; nothing after a failure of ours. A stop is told of once. */
  happened(session: string, happened: Happening, promptId?: string): Reply {
    return this.#hear((watch) => watch.happened(session, happened, promptId));
  }

  /** What there is to say to a call that has ended; nothing to one that could not be read. */
  finished(session: string, call: ToldCall): Reply {
    return this.happened(session, { type: "results", calls: [call] });
  }

  /** What was done in a session whose conversation is replaced by a summary, as facts. */
  ledger(session: string): string | undefined {
    return this.#attempted((watch) => watch.ledger(session));
  }

  /** Keeps facts for the next answer in which the model can be told. */
  tellLater(session: string, facts: string): void {
    this.#attempted((watch) => watch.tellLater(session, facts));
  }

  #hear(work: (watch: AgentWatch) => Heard): Reply {
    if (this.isOff) return {};
    const heard = this.#attempted(work);
    if (heard === undefined) return {};
    this.log(heard.log);
    const { verdict, stopped } = heard;
    const { onLoopDetected, onStop } = this.#listeners;
    if (verdict !== undefined) onLoopDetected?.({ type: "loop_detected", verdict });
    if (stopped !== undefined) onStop?.(stopped);
    return heard.reply;
  }

  #attempted<T>(work: (watch: AgentWatch) => T): T | undefined {
    try {
      return this.run(() => work(this.#watch()));
    } catch (error) {
      this.log([{ what: "failure", why: String(error) }]);
      return undefined;
    }
  }

  /** Does what an event asks for. */
  protected run<T>(work: () => T): T {
    return work();
  }

  /** Begins anew with the next event. */
  protected forget(): void {
    this.#made = undefined;
  }

  protected get isOff(): boolean {
    return false;
  }

  /** Hears what was done, for each thing that happened. */
  protected log(_lines: readonly LogLine[]): void {}
}
