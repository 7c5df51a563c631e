// The trace that the preview rule was made for: one tool, four different paths, a preview model.

import { LoopDetector, type LoopType } from "turnkeeper";

const PREVIEW_MODEL = "gemini-3-pro-preview";
const PATHS = ["a.ts", "b.ts", "c.ts", "d.ts"];

export interface TraceVerdicts {
  actions: string[];
  type: LoopType | undefined;
}

export function traceVerdicts(): TraceVerdicts {
  const detector = new LoopDetector({ profile: "standard" });
  detector.startPrompt("trace", { model: PREVIEW_MODEL });
  const verdicts = PATHS.map((path) =>
    detector.observe({ type: "tool_call", name: "read_file", args: { path } }),
  );
  const last = verdicts.at(-1);
  return {
    actions: verdicts.map((verdict) => verdict.action),
    type: last && last.action !== "ok" ? last.report.type : undefined,
  };
}
