// What runs in Chromium and in Node: the fixtures, and the recorded sessions. It uses nothing but
// the package that it is given.

import { runCase } from "../node/fixture-runner.mjs";

/** Runs every case; what was wrong with each, or `null`. */
export function runFixtures(turnkeeper, cases) {
  return cases.map((fixture) => {
    try {
      runCase(turnkeeper, fixture);
      return null;
    } catch (error) {
      return String(error);
    }
  });
}

/** Every verdict on a recorded session, and the bytes of a snapshot after each prompt. */
export function recorded({ LoopDetector }, lines) {
  const detector = new LoopDetector();
  const trace = lines.map((line) => {
    if (line.type !== "prompt_started") return detector.observe(line);
    const snapshot = Array.from(detector.snapshot());
    detector.startPrompt(line.promptId, { model: line.model, userPrompt: line.userPrompt });
    return snapshot;
  });
  trace.push(Array.from(detector.snapshot()));
  detector.dispose();
  return JSON.stringify(trace);
}
