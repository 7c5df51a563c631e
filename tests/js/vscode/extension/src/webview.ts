// Runs in the panel: the trace's verdicts, or the error in their place, go back to the extension.

import { TurnkeeperError } from "turnkeeper";

import type { PanelAnswer } from "./panel";
import { traceVerdicts } from "./trace";

declare function acquireVsCodeApi(): { postMessage(message: PanelAnswer): void };

const api = acquireVsCodeApi();
try {
  api.postMessage({ verdicts: traceVerdicts() });
} catch (error) {
  const { code, message } = error as TurnkeeperError;
  // An error loses its class on the way.
  api.postMessage({
    error: { isTurnkeeperError: error instanceof TurnkeeperError, code, message },
  });
}
