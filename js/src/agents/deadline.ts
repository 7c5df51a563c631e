/** What takes too long is given up: an agent waits for it. */

import vm from "node:vm";

const MOST_MS = 1000;

/** It took too long. */
export class TooLongError extends Error {}

let running: (() => void) | undefined;
let made: { script: vm.Script; context: vm.Context } | undefined;

/**
 * Does `work`, which is ended after a second. Node can end a script, which therefore calls it; elsewhere it ends by
 * itself.
 *
 * @throws {@link TooLongError}
 */
export function inTime<T>(work: () => T): T {
  let result: { value: T } | { error: unknown } | undefined;
  const attempted = (): void => {
    try {
      result = { value: work() };
    } catch (error) {
      result = { error };
    }
  };
  const began = performance.now();
  if (process.versions.bun === undefined) endedInTime(attempted);
  else attempted();
  const isLate = performance.now() - began > MOST_MS;
  if (result === undefined || isLate) throw new TooLongError("the event took too long");
  if ("error" in result) throw result.error;
  return result.value;
}

function endedInTime(work: () => void): void {
  made ??= {
    script: new vm.Script("run()"),
    context: vm.createContext({ run: () => running?.() }),
  };
  const outer = running;
  running = work;
  try {
    made.script.runInContext(made.context, { timeout: MOST_MS });
  } catch {
    // The time was up: there is no result.
  } finally {
    running = outer;
  }
}
