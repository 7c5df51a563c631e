/** What is kept of a session between two of its events. */
export interface SessionRecord {
  version: 1;
  /** The id of the running prompt, and how many there were. */
  promptId?: string;
  prompts: number;
  /** Whether the detector has to hear of a prompt, a compaction or a request that has begun since. */
  promptBegan: boolean;
  compacted: boolean;
  requestBegan: boolean;
  /** The request of the last results, where the agent numbers them. */
  lastRequest?: string;
  /** The calls of the running request, where the agent tells of each by itself. */
  requestCalls?: string[];
  /** When the last results had been judged, in milliseconds since 1970. */
  resultsAt: number;
  /** The detector's snapshot. */
  detector?: Uint8Array;
  /** Why the turn was ended, until the next prompt. */
  ended?: string;
  /** Facts that the model has not been told yet. */
  untold: string[];
  /** The call that is refused when it comes next, and the fact to say then. */
  refuseNext?: { call: string; fact: string };
  /** Long results that the context has, as pairs of a hash and what names its call. */
  results?: [hash: string, call: string][];
  /** Hashes of the last events, since two settings files may both name the hook. */
  lastEvents: string[];
}

export function freshRecord(): SessionRecord {
  return {
    version: 1,
    prompts: 0,
    promptBegan: false,
    compacted: false,
    requestBegan: true,
    resultsAt: 0,
    untold: [],
    lastEvents: [],
  };
}
