/** Waits until the work is done or has failed, but no longer than some time. */
export function settledWithin(milliseconds: number, work: unknown): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const settled = () => {
      clearTimeout(timer);
      resolve();
    };
    Promise.resolve(work).then(settled, settled);
  });
}
