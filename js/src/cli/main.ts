import { isMainThread } from "node:worker_threads";

import { answerOrders } from "./audit/worker.js";
import { runCommand } from "./program.js";
import { endMistaken, endWhenOutputFails } from "./terminal/output.js";

// `audit` starts this file again in its worker threads, so that there is one bundle of the command.
if (isMainThread) {
  endWhenOutputFails();
  process.on("uncaughtException", endMistaken);
  await runCommand(process.argv.slice(2)).catch(endMistaken);
} else {
  answerOrders();
}
