/** What an event of an agent's hook means, and what can be answered to it, in no agent's dialect. */

export interface HookEvent {
  /** The agent's own name of the event. */
  name: string;
  session: string;
  /** The id of the subagent in which it happened. */
  subagent?: string;
  /** The id of the prompt that it belongs to, where the agent tells. */
  promptId?: string;
  happened: Happening;
}

export type Happening =
  /** A message in the user's name, with its text where the agent shows it. */
  | { type: "prompt"; text?: string }
  /** The model is about to be asked again, within a prompt. */
  | { type: "request" }
  | { type: "call_asked"; name: string; args: unknown }
  /** The same for a call that runs a subagent, where what happens in it comes without an id of it. */
  | { type: "subagent_asked"; name: string; args: unknown }
  | {
      type: "results";
      calls: FinishedCall[];
      /** What tells the request to the model apart to which the calls belong. */
      request?: string;
      /** Whether context that is given now may reach the model only after more calls. */
      contextIsLate?: boolean;
      /** Whether this is the report of a subagent that {@link Happening} `subagent_asked` told of. */
      endsSubagent?: boolean;
      /** A result that the agent lets a hook replace before the model sees it. */
      arrived?: {
        call: FinishedCall;
        /** The result with another text, in the tool's own shape. */
        withText(text: string): unknown;
      };
    }
  /** The agent has replaced the conversation by a summary of it. */
  | { type: "compacted" };

/** A call with its result. */
export interface FinishedCall {
  id?: string;
  name: string;
  args: unknown;
  output: string;
  isError?: boolean;
  exitCode?: number;
}

/** What there is to say; a dialect says as much of it as its agent understands at this event. */
export interface Reply {
  /** Facts for the model. */
  context?: string | undefined;
  /** A message for the user, who may go on. */
  notice?: string;
  /** The turn shall end, for this reason. */
  end?: string;
  /** The call that was asked for shall not run, for this reason. */
  refusal?: string;
  /** What stands for the result that has arrived, in the tool's own shape. */
  result?: unknown;
}

/** The language of one agent's hooks. */
export interface Dialect {
  /**
   * How the requests of a prompt are told apart: the agent tells of all calls of a request at once
   * (`batch`), says when the next one begins (`marked`), numbers them (`numbered`), or none of these.
   */
  requests: "batch" | "marked" | "numbered" | "untold";
  /** Whether results are told, or only calls before they run. */
  tellsResults: boolean;
  /** Whether the agent tells when a prompt begins. */
  tellsPrompts: boolean;
  /** Whether two events are never equal to the byte, so that an equal one is the same, told twice. */
  eventsDiffer: boolean;
  /** What is printed where there is nothing to say. */
  silence: string;
  /** What an event means; undefined if it is of no interest. `named` is the event's name on the command line. */
  read(payload: Fields, named: string | undefined): HookEvent | undefined;
  /** Whether the agent ends or refuses something because of an answer with a reason to end, at this event. */
  obeys(event: HookEvent): boolean;
  /** The answer in the agent's own fields, and no others. */
  answer(event: HookEvent, reply: Reply): object | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;
