import { parentPort, workerData } from "node:worker_threads";

import { InputError } from "../../saved/event-lines.js";
import type { Input } from "../files/inputs.js";

import { judge, type JudgedSession, type JudgeSettings } from "./judge.js";

/** What a worker thread says of the file that it was sent. */
export type Answer =
  | { kind: "read"; bytes: number }
  | { kind: "judged"; session: JudgedSession }
  /** What an {@link InputError} is made of, since no class crosses between threads. */
  | { kind: "problem"; problem: ConstructorParameters<typeof InputError> };

/** The life of a worker thread: it judges each file that it is sent, one after another. */
export function answerOrders(): void {
  const port = parentPort!;
  const rules = workerData as JudgeSettings;
  const answer = (message: Answer): void => port.postMessage(message);
  let work = Promise.resolve();
  port.on("message", (input: Input) => {
    work = work
      .then(() => judge(input, rules, (bytes) => answer({ kind: "read", bytes })))
      .then(
        (session) => answer({ kind: "judged", session }),
        (error: unknown) => {
          // Anything else is a mistake of the program, and ends the thread.
          if (!(error instanceof InputError)) throw error;
          const { file, message, line, isUnknown } = error;
          answer({ kind: "problem", problem: [file, message, line, isUnknown] });
        },
      );
  });
}
