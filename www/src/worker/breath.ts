/** How long the worker may be without looking at its messages, in milliseconds. */
const SLICE = 40;

/** Lets the worker hear now and then, during long work, that nobody wants the result any more. */
export class Breath {
  #since = performance.now();

  /** @throws the signal's reason if somebody has begun something else meanwhile */
  async take(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#since > SLICE) {
      // A message and not a timeout: those come late in a tab that is not looked at.
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(undefined);
      });
      this.#since = performance.now();
    }
    signal.throwIfAborted();
  }
}
