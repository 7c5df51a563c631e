// The trace that the preview rule was made for: one tool, four different paths, a preview model.

/** Source of `verdicts(LoopDetector)`, for an app of any module system to contain. */
export const TRACE = `
function verdicts(LoopDetector) {
  const detector = new LoopDetector({ profile: "standard" });
  detector.startPrompt("p1", { model: "gemini-3-pro-preview" });
  const answers = ["a.ts", "b.ts", "c.ts", "d.ts"].map((path) =>
    detector.observe({ type: "tool_call", name: "read_file", args: { path } }),
  );
  return {
    actions: answers.map((verdict) => verdict.action),
    type: answers[3].report && answers[3].report.type,
  };
}
`;

export const EXPECTED = {
  actions: ["ok", "ok", "ok", "stop"],
  type: "same_tool_different_arguments",
};

/** An app that prints the verdicts, as a module and as CommonJS. */
export const printing = {
  esm: `import { LoopDetector } from "turnkeeper";
${TRACE}
console.log(JSON.stringify(verdicts(LoopDetector)));`,
  cjs: `const { LoopDetector } = require("turnkeeper");
${TRACE}
console.log(JSON.stringify(verdicts(LoopDetector)));`,
};

/** A page's script that leaves the verdicts, or what went wrong, in \`window.outcome\`. */
export const showing = `import { LoopDetector } from "turnkeeper";
${TRACE}
try {
  window.outcome = verdicts(LoopDetector);
} catch (error) {
  window.outcome = { error: String(error) };
}`;
