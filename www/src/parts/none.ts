// No parts: the page is drawn while it is built, and nothing is asked.

const never = (): Promise<never> => new Promise(() => {});
export const workerSource = never;
export const analysisModule = never;
