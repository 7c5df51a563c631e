/** What is kept of a session between two of its events. */
export interface SessionRecord {
  version: 1;
  /** The agent's id of the running prompt, and how many prompts there were. */
  promptId?: string;
  prompts: number;
  /** The user's words of the running prompt; none, if only a new id told of it. */
  words?: string;
  /** Whether the agent has told of a prompt by the user's message. */
  tellsMessages: boolean;
  /** Whether the detector has to hear of a prompt, a compaction or a request that has begun since. */
  promptBegan: boolean;
  compacted: boolean;
  requestBegan: boolean;
  /** The request of the last results, where the agent numbers them. */
  lastRequest?: string;
  /** The calls of the running request, where the agent tells of each before it runs. */
  asked?: AskedCalls;
  /** The calls of the running request, where the agent tells of the result of each by itself. */
  requestCalls?: string[];
  /** When the last results had been judged, in milliseconds since 1970. */
  resultsAt: number;
  /** The detector's snapshot, and the user's thresholds as JSON that it was made with. */
  detector?: Uint8Array;
  thresholds?: string;
  /** Why the turn was ended, until the next prompt. */
  ended?: EndOfTurn;
  /** Facts that the model has not been told yet. */
  untold: string[];
  /** The call that is refused when it comes next, and the fact to say then. */
  refuseNext?: { call: string; fact: string };
  /** Long results that the context has, as pairs of a hash and what names its call. */
  results?: [hash: string, call: string][];
  /** Subagents that run now, where the agent gives them no ids. */
  subagents?: RunningSubagents;
  subagentsBegun?: number;
  /** Hashes of the last events, since two settings files may both name the hook. */
  lastEvents: string[];
}

export interface AskedCalls {
  /** Each different call, and how many of it have no result yet. */
  calls: { call: string; open: number }[];
  /** Whether a result has come since the last of them. */
  isAnswered: boolean;
  /** How often one came after results while others had none yet. */
  late: number;
}

export interface EndOfTurn {
  /** What is said to end the turn and to refuse its calls. */
  reason: string;
  rule: string;
  tool?: string;
  count: number;
  /** Whether the agent has got it in an answer that ends or refuses something. */
  isTold: boolean;
}

/** Subagents of which the first began while no other ran. */
export interface RunningSubagents {
  /** Stands for their id. */
  id: number;
  /** The calls that began those which still run. */
  calls: string[];
  /** How many ran at once at most. */
  most: number;
  /** How often each of their calls has come, by its hash, where several ran at once. */
  seen: Record<string, number>;
}

export function freshRecord(): SessionRecord {
  return {
    version: 1,
    prompts: 0,
    tellsMessages: false,
    promptBegan: false,
    compacted: false,
    requestBegan: true,
    resultsAt: 0,
    untold: [],
    lastEvents: [],
  };
}
