/** How far a watch of an agent goes. */

/**
 * `watch`: log only. `hint`: the model is told of a loop, the user of a stop, and nothing is ended. `stop`:
 * a stop ends the turn.
 */
export const MODES = ["watch", "hint", "stop"] as const;
export type Mode = (typeof MODES)[number];
export const DEFAULT_MODE: Mode = "hint";

export function isMode(name: string): name is Mode {
  return (MODES as readonly string[]).includes(name);
}
