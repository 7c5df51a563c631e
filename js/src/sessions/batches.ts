// Bytes of a saved session into the module, and what they say as batches.

import { RawSessionReader } from "../../glue/sessions/turnkeeper.js";
import { bytes, KEPT, putUtf8, refresh, release } from "../boundary/byte-buffer.js";
import { Machine, call } from "../boundary/machine.js";
import type { AgentEvent, SessionFormat } from "../boundary/generated/shapes.js";

/** The name of the machine in errors. */
export const MACHINE = "sessions";

/** The meaning of some bytes of a session, as `src/agents/sessions/batch.rs` writes it. */
export interface Batch {
  messages: object[];
  events: AgentEvent[];
  /** Texts that events have from messages: the index of either, and the keys that lead to the text. */
  quotes: [event: number, ...keys: Keys][];
  title?: string;
  model?: string;
  workingDirectory?: string;
  format?: SessionFormat;
  /** The things that were left out. A place of 0 is the file. */
  problems?: { place: number; reason: string; unit: "line" | "element"; isCutOff: boolean }[];
  /** Why nothing could be read. */
  error?: { reason: string; line?: number; kind: "broken" | "unknown" | "empty" };
}

type Keys = (string | number)[];

/** Reads a session that an agent has saved, in pieces of any size. */
export class SessionBatches extends Machine {
  /** @param name of the file, for errors */
  constructor(name: string) {
    super(MACHINE, RawSessionReader, name);
  }

  push(piece: Uint8Array | string): Batch {
    return batch(call(this, (raw: RawSessionReader) => sendBytes(piece, (all) => raw.push(all))));
  }

  end(): Batch {
    return batch(call(this, (raw: RawSessionReader) => raw.end()));
  }
}

function batch(json: string): Batch {
  const all = JSON.parse(json) as Batch;
  for (const [index, ...keys] of all.quotes) {
    const event = all.events[index] as { type: string; text: unknown; output: unknown };
    event[event.type === "tool_result" ? "output" : "text"] = at(all.messages, keys);
  }
  return all;
}

function at(value: unknown, keys: Keys): unknown {
  return keys.reduce((inside, key) => (inside as Record<string | number, unknown>)[key], value);
}

/** An event as its type declares it: a call has arguments, if only undefined ones. */
export function whole(event: AgentEvent): AgentEvent {
  if (event.type === "tool_call" && !("args" in event)) Object.assign(event, { args: undefined });
  return event;
}

/** Writes bytes, or those of a text, into the byte buffer, calls `take` with their number, and returns the answer. */
export function sendBytes<T>(content: Uint8Array | string, take: (length: number) => T): T {
  const isText = typeof content === "string";
  const most = isText ? content.length * 3 : content.length;
  // A view whose memory has grown has no bytes left.
  if (bytes.length < most || bytes.byteLength === 0) refresh(Math.max(KEPT, most));
  if (!isText) bytes.set(content);
  try {
    return take(isText ? putUtf8(content, 0, most) : most);
  } finally {
    release();
  }
}
