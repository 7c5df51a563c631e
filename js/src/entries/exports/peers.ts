// What belongs to the detectors of other agents.

import { LoopDetector as Detector } from "../../loop/loop-detector.js";
import type { PeerOptions } from "../../boundary/generated/shapes.js";

/** Makes and restores a {@link LoopDetector} of another agent. */
interface PeerLoopDetector {
  /**
   * @param options `profile` names the agent, and the rest is what its detection lets one set.
   * @throws `invalid_config`, naming the option in `detail.field`, for one that is unknown to the profile, of the
   * wrong type or out of range.
   */
  new (options: PeerOptions): Detector;
  /** A detector that goes on as if it had never stopped. @throws As `restore` of the package's own detector. */
  restore(snapshot: Uint8Array): Detector;
}

/**
 * Gives the verdicts of another agent's loop detection over the same events. It has the methods of the
 * package's own detector, and guards and adapters take it in its place.
 *
 * @example
 * ```js
 * import { LoopDetector } from "turnkeeper/peers";
 *
 * const detector = new LoopDetector({ profile: "roo", limit: 2 });
 * ```
 */
// The module of this entry has a class of the same name and shape for them.
export const LoopDetector = Detector as unknown as PeerLoopDetector;
export type LoopDetector = Detector;
export type {
  AgentEvent,
  LoopReport,
  LoopVerdict,
  ModelCheckRequest,
  PeerOptions,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
