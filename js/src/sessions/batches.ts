// Bytes of a saved session into the module, and what they say as batches.

import { RawSessionReader } from "../../glue/sessions/turnkeeper.js";
import { bytes, KEPT, refresh } from "../boundary/byte-buffer.js";
import { Machine, call } from "../boundary/machine.js";
import type { AgentEvent, SessionFormat } from "../boundary/generated/shapes.js";

/** The name of the machine in errors. */
export const MACHINE = "sessions";

/** The meaning of some bytes of a session, as `src/sessions/batch.rs` writes it. */
export interface Batch {
  events: AgentEvent[];
  messages: object[];
  title?: string;
  model?: string;
  workingDirectory?: string;
  format?: SessionFormat;
  /** The first thing that was left out. A place of 0 is the file. */
  problem?: { place: number; reason: string; unit: "line" | "element"; isCutOff: boolean };
  /** Why nothing could be read. */
  error?: { reason: string; line?: number; kind: "broken" | "unknown" | "empty" };
}

/** Reads a session that an agent has saved, in pieces of any size. */
export class SessionBatches extends Machine {
  /** @param name of the file, for errors */
  constructor(name: string) {
    super(MACHINE, RawSessionReader, name);
  }

  push(piece: Uint8Array): Batch {
    return batch(call(this, (raw: RawSessionReader) => sendBytes(piece, (all) => raw.push(all))));
  }

  end(): Batch {
    return batch(call(this, (raw: RawSessionReader) => raw.end()));
  }
}

function batch(json: string): Batch {
  return JSON.parse(json) as Batch;
}

/** An event as its type declares it: a call has arguments, if only undefined ones. */
export function whole(event: AgentEvent): AgentEvent {
  if (event.type === "tool_call" && !("args" in event)) Object.assign(event, { args: undefined });
  return event;
}

/** Writes bytes into the byte buffer, calls `take` with their number, and returns the answer. */
export function sendBytes<T>(content: Uint8Array, take: (length: number) => T): T {
  const { length } = content;
  // A view whose memory has grown has no bytes left.
  if (bytes.length < length || bytes.byteLength === 0) refresh(Math.max(KEPT, length));
  bytes.set(content);
  try {
    return take(length);
  } finally {
    if (bytes.length > KEPT) refresh(KEPT);
  }
}
