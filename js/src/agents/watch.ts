import { RawWatch, usersWords as wordsOf } from "../../glue/watch/turnkeeper.js";
import { Machine, call, callFunction } from "../boundary/machine.js";
import type { LoopDetectedEvent } from "../loop/told.js";
import type { Mode } from "./modes.js";
import type { LogLine } from "./state/activity.js";

const MACHINE = "watch";

/** A settings file's name, what is in it, and whether it is a project's. */
export type SettingsFile = readonly [name: string, content: string, isOfProject: boolean];

/** A happening in a session, as an agent's own process tells of it. */
export type Happening =
  /** A message in the user's name. */
  | { type: "prompt"; text?: string }
  /** The model is about to be asked again, within a prompt. */
  | { type: "request" }
  | { type: "call_asked"; name: string; args: unknown }
  | { type: "results"; calls: readonly ToldCall[] }
  /** The conversation was replaced by a summary of it. */
  | { type: "compacted" };

/** A call with its result, in any shape that agents use. */
export interface ToldCall {
  id?: unknown;
  name: unknown;
  args: unknown;
  output: unknown;
  isError?: boolean | undefined;
  exitCode?: number;
}

/** The answer, as far as there is one. */
export interface Reply {
  /** Facts for the model. */
  context?: string;
  /** A message for the user, who may go on. */
  notice?: string;
  /** The turn shall end, for this reason. */
  end?: string;
  /** The call that was asked for shall not run, for this reason. */
  refusal?: string;
}

/** The answer to a happening, and the lines of the log. */
export interface Heard {
  reply: Reply;
  log: LogLine[];
  /** The user is told this of a stop, once for each. */
  stopped?: string;
  /** The loop that was found. */
  verdict?: LoopDetectedEvent["verdict"];
}

export interface AgentWatchOptions {
  mode: Mode;
  /** How the agent tells the requests of a prompt apart. */
  requests: "batch" | "marked";
  settings: readonly SettingsFile[];
}

/** Watches the sessions of an agent, and judges them as the hooks do. */
export class AgentWatch extends Machine {
  constructor(options: AgentWatchOptions) {
    super(MACHINE, RawWatch, options);
  }

  happened(session: string, happened: Happening, promptId?: string): Heard {
    const json = JSON.stringify(happened);
    return this.#heard((raw) => raw.happened(session, json, promptId, Date.now()));
  }

  /** A message in the user's name, which is a prompt unless the agent or its host wrote all of it. */
  asked(session: string, message: object, promptId?: string): Heard {
    const json = JSON.stringify(message);
    return this.#heard((raw) => raw.asked(session, json, promptId, Date.now()));
  }

  /** The work of a session whose conversation is replaced by a summary, as facts. */
  ledger(session: string): string | undefined {
    return call(this, (raw: RawWatch) => raw.ledger(session));
  }

  /** Keeps facts for the next answer in which the model can be told. */
  tellLater(session: string, facts: string): void {
    call(this, (raw: RawWatch) => raw.tellLater(session, facts));
  }

  #heard(work: (raw: RawWatch) => string): Heard {
    return JSON.parse(call(this, work)) as Heard;
  }
}

/** The user's words in a message that begins a prompt, empty for a timer or a picture; undefined if it begins none. */
export function usersWords(message: object): string | undefined {
  const json = JSON.stringify(message);
  return callFunction(MACHINE, () => wordsOf(json));
}
