// Runs the cases of tests/fixtures/*/; see tests/fixtures/README.md. Uses nothing but
// the package, so that Chromium runs the very same code.

/** Runs one case; throws an error that names the case and the step. */
export function runCase(turnkeeper, fixture) {
  if (fixture.messages) runHistory(turnkeeper, fixture);
  else runSteps(turnkeeper, fixture);
}

function runHistory({ dedupeHistory, HistoryDeduper }, fixture) {
  const { name, options, messages, result = messages, report = {} } = fixture;
  const before = JSON.stringify(messages);
  const got = dedupeHistory(messages, options);
  same(got.messages, result, name);
  for (const [field, expected] of Object.entries(report)) {
    same(got.report[field], expected, `${name}: ${field}`);
  }
  same(JSON.stringify(messages), before, `${name}: the input`);
  got.messages.forEach((message, at) => {
    const isSame = message === messages[at];
    same(isSame, JSON.stringify(message) === JSON.stringify(messages[at]), `${name}: ${at}`);
  });
  const again = dedupeHistory(got.messages, options);
  same(
    again.messages.every((message, at) => message === got.messages[at]),
    true,
    `${name}, again`,
  );
  if (options?.recent !== undefined || options?.sections !== undefined) return;
  const deduper = new HistoryDeduper(options);
  const pushed = messages.map((message) => deduper.push(message));
  same(pushed, result, `${name}, one by one`);
  same(deduper.report, got.report, `${name}, one by one: the report`);
  deduper.dispose();
}

function runSteps({ LoopDetector }, { name, options, steps }) {
  let detector = new LoopDetector(options);
  try {
    steps.forEach((step, at) => {
      const place = `${name}, step ${at}`;
      if (step.snapshot) {
        const snapshot = detector.snapshot();
        const restored = LoopDetector.restore(snapshot);
        same(Array.from(restored.snapshot()), Array.from(snapshot), place);
        detector.dispose();
        detector = restored;
      } else {
        runStep(detector, step, place);
      }
    });
  } finally {
    detector.dispose();
  }
}

function runStep(detector, step, place) {
  if (step.startPrompt) {
    const { id, ...rest } = step.startPrompt;
    detector.startPrompt(id, rest);
  } else if (step.event) {
    const event = { ...step.event };
    if (step.times !== undefined) event.text = event.text.repeat(step.times);
    for (let count = 0; count < (step.repeat ?? 1); count++) {
      const verdict = detector.observe(event);
      expectVerdict(verdict, step, place);
      same(detector.verdict, verdict, place);
    }
  } else if (step.clear) {
    detector.clear();
  } else if (step.disable) {
    detector.disable();
  } else if (step.enable) {
    detector.enable();
  } else if (step.takeModelCheck !== undefined) {
    same(detector.takeModelCheck() !== undefined, step.takeModelCheck, place);
  } else if (step.answerModelCheck !== undefined) {
    expectVerdict(detector.answerModelCheck(step.answerModelCheck), step, place);
  } else if (step.blind) {
    same(detector.blind, step.blind, place);
  } else {
    throw new Error(`${place}: unknown step ${JSON.stringify(step)}`);
  }
}

function expectVerdict(verdict, step, place) {
  same(verdict.action, step.verdict ?? "ok", place);
  for (const [field, expected] of Object.entries(step.report ?? {})) {
    same(verdict.report[field], expected, `${place}: ${field}`);
  }
}

function same(got, expected, place) {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${place}: got ${left}, expected ${right}`);
}
