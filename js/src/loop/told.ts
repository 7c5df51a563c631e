import type { LoopVerdict } from "../boundary/generated/shapes.js";

/** A nudge or a stop, as a host is told of it. */
export interface LoopDetectedEvent {
  type: "loop_detected";
  /** `nudge`: tell the model, the turn goes on. `stop`: the turn ends. */
  verdict: Exclude<LoopVerdict, { action: "ok" }>;
}

/**
 * Under this name a guard tells a detector of its work, and at a stream's end whether anything was understood of it. It
 * is registered, since the two may be of different entries.
 */
export const GUARDED: unique symbol = Symbol.for("turnkeeper.guarded") as never;

/** A function of the host that is told of nudges and stops. */
export type LoopListener = (event: LoopDetectedEvent) => void;

/** The verdicts that were told: a stop lasts, so that every later event gets the same one. */
const told = new WeakSet<LoopVerdict>();

/** Tells a host of a verdict, unless all is well or somebody was told of this very one. */
export function tell(verdict: LoopVerdict, listener: LoopListener | undefined): void {
  if (verdict.action === "ok" || told.has(verdict)) return;
  told.add(verdict);
  listener?.({ type: "loop_detected", verdict });
}
