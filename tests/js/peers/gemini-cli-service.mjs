// The package's LoopDetectionService, with gemini-cli's own telemetry given to it as the documents say.
// gemini-cli's tests import this in place of their service (vitest.config.mjs).

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import {
  logLlmLoopCheck,
  logLoopDetected,
  logLoopDetectionDisabled,
} from "@google/gemini-cli-core/dist/src/telemetry/loggers.js";
import {
  LlmLoopCheckEvent,
  LoopDetectedEvent,
  LoopDetectionDisabledEvent,
} from "@google/gemini-cli-core/dist/src/telemetry/types.js";

const require = createRequire(path.join(process.env.TURNKEEPER_APP, "app.cjs"));
const replacement = require("turnkeeper/replace/gemini-cli");

// So that it can be seen that the tests had this, and not what it stands for.
writeFileSync(process.env.TURNKEEPER_SWAPPED, "");

export class LoopDetectionService extends replacement.LoopDetectionService {
  constructor(context) {
    super(context, {
      loopDetected: (...what) => logLoopDetected(context.config, new LoopDetectedEvent(...what)),
      loopDetectionDisabled: (...what) =>
        logLoopDetectionDisabled(context.config, new LoopDetectionDisabledEvent(...what)),
      llmLoopCheck: (...what) => logLlmLoopCheck(context.config, new LlmLoopCheckEvent(...what)),
    });
  }
}
