// What the page and its worker say to each other: a request, news on the way, and an answer.

/**
 * A request to the worker, or that its answer is not wanted any more; and the module of the analysis, compiled, or
 * deflated and in base64.
 */
export type Request =
  | { id: number; name: string; input: unknown }
  | { id: number; cancelled: true }
  | { module: WebAssembly.Module | string };

/** What the worker says to a request. */
export type Reply =
  | { id: number; news: unknown }
  | { id: number; answer: unknown }
  | { id: number; failure: Failure };

/** Why there is no answer; the message is for the user. */
export interface Failure {
  message: string;
  /** Of an error of the package. */
  code?: string;
  /** The option that the package does not accept. */
  field?: string;
}

/** How the worker tells what it has found so far. */
export interface Way {
  signal: AbortSignal;
  tell: (news: unknown) => void;
}

/** One thing that the worker can be asked for. */
export type Task<Input, Answer> = (input: Input, way: Way) => Answer | Promise<Answer>;

/** Everything that the worker can be asked for, by name. */
export type Tasks = Record<string, Task<never, unknown>>;
