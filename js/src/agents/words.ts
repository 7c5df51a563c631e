/** What is said of a loop, and to whom. */

import type { LoopReport } from "turnkeeper";

/** A fact for the model's context, which gives no orders and says who it is from. */
export function asNote(fact: string): string {
  return `Note by Turnkeeper, which counts repeated steps: ${fact}`;
}

/** What the user reads, with how to go on. */
export function messageFor(report: LoopReport, goesOn: boolean): string {
  const next = goesOn
    ? "The agent goes on; interrupt it if this is no use."
    : "A new message lets it go on.";
  return `Turnkeeper: ${report.fact} ${next} TURNKEEPER=off in the environment switches this off.`;
}

/** What the main agent is told of a subagent that was ended. */
export function noteOfEnded(report: LoopReport): string {
  return asNote(`a subagent was ended because it was in a loop. ${report.fact}`);
}
