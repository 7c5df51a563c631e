// gemini-cli as it is published.

import { LoopDetectionService } from "@google/gemini-cli-core/dist/src/services/loopDetectionService.js";

/** As much of gemini-cli's configuration as its loop detection asks for. */
const config = {
  getDisableLoopDetection: () => false,
  getDebugMode: () => false,
  getTelemetryEnabled: () => false,
  getUsageStatisticsEnabled: () => false,
  getSessionId: () => "bench",
};

export function contender() {
  const service = new LoopDetectionService({ config });
  service.reset("bench");
  return {
    name: "gemini-cli",
    proseEvent: (value) => ({ type: "content", value }),
    callEvent: (name, args) => ({
      type: "tool_call_request",
      value: { callId: "1", name, args, isClientInitiated: false, prompt_id: "bench" },
    }),
    take: (event) => service.addAndCheck(event),
    hasFired: () => service.loopDetected,
    /** The answer says how often it has taken prose for Markdown since, and forgotten the text. */
    countResets: () => {
      let resets = 0;
      const reset = service.resetContentTracking;
      service.resetContentTracking = (...given) => {
        resets += 1;
        return reset.apply(service, given);
      };
      return () => resets;
    },
  };
}
