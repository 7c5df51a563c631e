// Compiled against the installed package: each `@ts-expect-error` is a mistake that must not compile.

import {
  LoopDetector,
  TurnkeeperError,
  type Diagnostic,
  type ErrorCode,
  type LoopReport,
  type LoopType,
} from "turnkeeper";

export function aReportSaysWhatItsTypePromises(report: LoopReport): string {
  report.type satisfies LoopType;
  switch (report.type) {
    case "chanting_identical_sentences":
    case "monologue":
      report.channel satisfies "text" | "reasoning";
      report.callKey satisfies undefined;
      // @ts-expect-error: text has no tool
      report.tool satisfies string;
      return `from the UTF-16 code unit ${report.firstIndex}`;
    case "llm_detected_loop":
    case "host_detected_loop":
      report.rule satisfies "model_check" | "host_report";
      return report.evidence;
    case "consecutive_identical_tool_calls":
    case "repeated_tool_cycle":
    case "same_tool_different_arguments":
    case "repeated_error":
      report.channel satisfies undefined;
      report.callKey satisfies string;
      return `from the call ${report.firstIndex} of ${report.tool satisfies string}`;
  }
}

export function namesAreKnown(report: LoopReport, diagnostic: Diagnostic, error: TurnkeeperError) {
  error.code satisfies ErrorCode;
  // @ts-expect-error: there is no such rule
  if (report.rule === "identical_call") return;
  // @ts-expect-error: there is no such type
  if (report.type === "loop") return;
  // @ts-expect-error: there is no such diagnostic
  if (diagnostic.code === "unclosed") return;
  // @ts-expect-error: there is no such code
  if (error.code === "invalid") return;
  error.detail?.field satisfies string | undefined;
  // @ts-expect-error: nothing else is known of an error
  error.detail?.fields;
}

export function progressIsANumberToRead(detector: LoopDetector): number {
  // @ts-expect-error: it cannot be set
  detector.progress = 1;
  return detector.progress satisfies number;
}

export function unknownSettingsDoNotCompile() {
  new LoopDetector();
  new LoopDetector({ profile: "standard", previewModel: /preview/i, previewCalls: false });
  new LoopDetector({ modelCheck: { afterTurns: 10 }, messages: { monologue: { message: "…" } } });
  // @ts-expect-error: no setting has this name
  new LoopDetector({ identicalCall: 3 });
  new LoopDetector({ tools: { wait: ["await_build"], edit: ["patch"] } });
  // @ts-expect-error: another agent's setting
  new LoopDetector({ windowSize: 3 });
  // @ts-expect-error: another agent's profile
  new LoopDetector({ profile: "roo" });
  // @ts-expect-error: no profile has this name
  new LoopDetector({ profile: "default" });
  // @ts-expect-error: no setting of the check has this name
  new LoopDetector({ modelCheck: { after: 10 } });
  // @ts-expect-error: `false` switches a rule off, `true` says nothing
  new LoopDetector({ identicalCalls: true });
}
