// Runs the cases of tests/data/*/; see tests/data/README.md. Uses nothing but
// the package, so that every runtime runs the very same code.

import { digest } from "./digest.mjs";

/**
 * Runs one case; throws an error that names the case and the step. The digest of the machine's snapshot at
 * the end, if it is a case of one that has any.
 */
export function runCase(turnkeeper, fixture) {
  const snapshot = run(turnkeeper, fixture);
  return snapshot && digest(snapshot);
}

function run(turnkeeper, fixture) {
  if (fixture.messages) return runHistory(turnkeeper, fixture);
  if (fixture.content !== undefined) return runContent(turnkeeper, fixture);
  if (fixture.events && !fixture.steps) return runTerminals(turnkeeper, fixture);
  if (fixture.platform) return runPaths(turnkeeper, fixture);
  const isOfInjector = fixture.steps.some(({ call, steps }) => call || steps);
  return isOfInjector ? runTurns(turnkeeper, fixture) : runSteps(turnkeeper, fixture);
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

function runContent({ stripEnvironment, withEnvironment }, fixture) {
  const { name, options, content, details, result, stripped, change } = fixture;
  const before = JSON.stringify(content);
  if (stripped) {
    same(stripEnvironment(content, options), stripped, name);
  } else {
    const changes = [];
    const told = { ...options, onChange: (one) => changes.push(one) };
    const got = withEnvironment(content, details, told);
    same(got, result, name);
    same(changes, change ? [change] : [], `${name}: what was told`);
    same(withEnvironment(got, details, told) === got, true, `${name}, again`);
    same(changes.length, change ? 1 : 0, `${name}, again: what was told`);
  }
  same(JSON.stringify(content), before, `${name}: the input`);
}

function runSteps({ LoopDetector }, { name, options, events, steps }) {
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
      } else if (step.play !== undefined) {
        play(detector, events, step, place);
      } else {
        runStep(detector, step, place);
      }
    });
    return detector.snapshot();
  } finally {
    detector.dispose();
  }
}

const VERDICTS = { "-": "ok", n: "nudge", S: "stop" };

/** Events by their names, and what each gives. */
function play(detector, events, step, place) {
  const names = step.play.split(" ");
  const verdicts = step.gives.split(" ");
  same(names.length, verdicts.length, place);
  names.forEach((name, at) => {
    const verdict = VERDICTS[verdicts[at]];
    const report = verdict === "ok" ? undefined : step.report;
    runStep(detector, { event: events[name], verdict, report }, `${place}, ${name} at ${at}`);
  });
}

function runStep(detector, step, place) {
  if (step.startPrompt) {
    const { id, ...rest } = step.startPrompt;
    detector.startPrompt(id, rest);
  } else if (step.event) {
    const event = { ...step.event };
    // The format of the case carries none.
    if (event.type === "tool_call" && !("args" in event)) event.args = undefined;
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
    const request = detector.takeModelCheck();
    same(request !== undefined, step.takeModelCheck, place);
    if (step.reason !== undefined) same(request.reason, step.reason, place);
  } else if (step.answerModelCheck !== undefined) {
    expectVerdict(detector.answerModelCheck(step.answerModelCheck), step, place);
  } else if (step.blind) {
    same(detector.blind, step.blind, place);
  } else if (step.takeFeedback) {
    const taken = detector.takeFeedback();
    const isAsExpected = (part, at) => taken[at]?.includes(part);
    same(taken.length, step.takeFeedback.length, place);
    same(step.takeFeedback.every(isAsExpected), true, `${place}, ${JSON.stringify(taken)}`);
  } else if (step.counts) {
    same(detector.counts, step.counts, place);
  } else if (step.progress !== undefined) {
    const off = Math.abs(detector.progress - step.progress);
    same(off < 1e-12, true, `${place}, ${detector.progress}`);
  } else if (step.prompt) {
    same(detector.prompt, step.prompt, place);
  } else {
    throw new Error(`${place}: unknown step ${JSON.stringify(step)}`);
  }
}

const MIRRORED = { same: "same", parent: "child", child: "parent", unrelated: "unrelated" };

function runPaths(turnkeeper, { name, platform, caseSensitive, relations = [], refused = [] }) {
  const { pathRelation } = turnkeeper;
  const rules = caseSensitive === undefined ? { platform } : { platform, caseSensitive };
  for (const [a, b, expected] of relations) {
    const place = `${name}: ${a} and ${b}`;
    same(pathRelation(a, b, rules), expected, place);
    same(pathRelation(b, a, rules), MIRRORED[expected], place);
  }
  const whole = platform === "posix" ? "/x" : "C:\\x";
  for (const path of refused) {
    const isRefused = (call, field) => {
      const place = `${name}: ${JSON.stringify(path)}`;
      same(refusalOf(turnkeeper, call), ["invalid_argument", field], place);
    };
    isRefused(() => pathRelation(path, whole, rules), "a");
    isRefused(() => pathRelation(whole, path, rules), "b");
  }
}

function runTerminals(turnkeeper, { name, options, events }) {
  const { TerminalSelector } = turnkeeper;
  let selector = new TerminalSelector(options);
  try {
    events.forEach((event, at) => {
      const place = `${name}, event ${at}`;
      const run = () => {
        if (!event.snapshot) return runEvent(selector, event, place);
        const snapshot = selector.snapshot();
        const restored = TerminalSelector.restore(snapshot);
        same(Array.from(restored.snapshot()), Array.from(snapshot), place);
        same(restored.terminals, selector.terminals, place);
        same(restored.log, [], place);
        selector.dispose();
        selector = restored;
      };
      if (event.error === undefined) return run();
      const [code, field] = refusalOf(turnkeeper, run) ?? [];
      same(code, event.error, place);
      if (event.field !== undefined) same(field, event.field, place);
    });
    return selector.snapshot();
  } finally {
    selector.dispose();
  }
}

function runEvent(selector, event, place) {
  if (event.register) {
    selector.register({ provider: "vscode", ...event.register });
  } else if (event.sync) {
    const all = event.sync.map((terminal) => ({ provider: "vscode", ...terminal }));
    const told = selector.sync(all).map(({ field }) => field);
    same(told, event.told ?? [], place);
  } else if (event.update) {
    const { id, ...change } = event.update;
    selector.update(id, change);
  } else if (event.select) {
    const request = { command: "make", provider: "vscode", ...event.select };
    for (const name of Object.keys(request)) if (request[name] === null) delete request[name];
    const choice = selector.select(request);
    same(selector.log.at(-1), choice, place);
    for (const [field, expected] of Object.entries(event.choice)) {
      same(choice[field] ?? null, expected, `${place}: ${field} of ${JSON.stringify(choice)}`);
    }
    const { action, close } = choice;
    const ofTerminal = ["terminalId", "tier", "relation", "directory", "changesLeft"];
    const more = { create: [], wait: ["waitFor"] }[action] ?? ofTerminal;
    const closed = close === undefined ? [] : ["close"];
    if (action === "create") closed.push("workingDirectory");
    same(Object.keys(choice), ["action", ...more, ...closed, "command", "reason"], place);
    if (event.choice.command === undefined) {
      same(choice.command !== (request.command ?? ""), action === "reuse_with_cd", place);
    }
  } else if (event.cancel !== undefined) {
    selector.cancel(event.cancel);
  } else if (event.releaseTask !== undefined) {
    selector.releaseTask(event.releaseTask);
  } else if (event.terminals) {
    const { terminals } = selector;
    same(terminals.length, event.terminals.length, place);
    event.terminals.forEach((expected, at) => {
      for (const [field, value] of Object.entries(expected)) {
        same(
          terminals[at][field] ?? null,
          value,
          `${place}: ${field} of ${JSON.stringify(terminals[at])}`,
        );
      }
    });
  } else if (event.stand) {
    for (let at = 0; at < event.stand; at++) {
      const request = { command: "make", provider: "vscode", workingDirectory: event.in };
      const { action, terminalId } = selector.select(request);
      same([action, terminalId], ["reuse", event.terminal], place);
      selector.update(terminalId, { busy: false });
    }
  } else if (event.flood) {
    for (let at = 0; at < event.flood; at++) {
      const request = { command: "make", provider: "nobody", taskId: `task ${at}` };
      const choice = selector.select({ ...request, workingDirectory: `/flood/${at}` });
      same(choice.action, "create", place);
    }
  } else {
    throw new Error(`${place}: unknown event ${JSON.stringify(event)}`);
  }
}

/** Code and field of the typed error of a call; nothing if it throws none. */
function refusalOf({ TurnkeeperError }, call) {
  try {
    call();
  } catch (error) {
    if (error instanceof TurnkeeperError) return [error.code, error.detail?.field];
    throw error;
  }
  return undefined;
}

function expectVerdict(verdict, step, place) {
  same(verdict.action, step.verdict ?? "ok", place);
  for (const [field, expected] of Object.entries(step.report ?? {})) {
    same(verdict.report[field], expected, `${place}: ${field}`);
  }
}

function runTurns({ SummaryInjector, TurnkeeperError }, { name, options, steps }) {
  let injector = new SummaryInjector(options);
  const run = (list, place) =>
    list.forEach((step, at) => {
      const here = `${place}, step ${at}`;
      if (step.repeat) {
        for (let number = 1; number <= step.repeat; number++) {
          const numbered = JSON.stringify(step.steps).replaceAll("{n}", number);
          run(JSON.parse(numbered), `${here}, time ${number}`);
        }
      } else if (step.snapshot) {
        const { log } = injector;
        const snapshot = injector.snapshot();
        injector.dispose();
        injector = SummaryInjector.restore(snapshot);
        same(Array.from(injector.snapshot()), Array.from(snapshot), here);
        same(injector.log, [], `${here}: the log before was ${JSON.stringify(log)}`);
      } else if (step.throws) {
        const before = injector.snapshot();
        same(refused(injector, step, TurnkeeperError), [step.throws, step.field], here);
        same(Array.from(injector.snapshot()), Array.from(before), `${here}: something changed`);
      } else {
        expectAnswer(answerOf(injector, step), step, `${here}: ${step.call}`);
      }
    });
  run(steps, name);
  const left = injector.snapshot();
  injector.dispose();
  return left;
}

/** What a call, or the property of that name, gives. */
function answerOf(injector, { call, with: given = [] }) {
  if (!(call in injector)) throw new Error(`${call} is not there`);
  const found = injector[call];
  return typeof found === "function" ? found.apply(injector, given) : found;
}

function refused(injector, step, TurnkeeperError) {
  try {
    return ["nothing was thrown", answerOf(injector, step)];
  } catch (error) {
    if (!(error instanceof TurnkeeperError) || error.machine !== "summary_injector") throw error;
    return [error.code, step.field && error.detail?.field];
  }
}

function expectAnswer(got, step, place) {
  if (step.call === "takeFoldRequest" && got !== undefined) {
    const { prompt, ...rest } = got;
    same(prompt.includes(`${got.fromTurn} to ${got.toTurn}`), true, `${place}: ${prompt}`);
    got = rest;
  }
  if ("gives" in step) same(sorted(got ?? null), sorted(step.gives), place);
  if (step.numbers) {
    same(
      got.map(({ number }) => number),
      step.numbers,
      place,
    );
  }
  if (step.lines) same(got, step.lines.join("\n"), place);
  for (const [field, expected] of Object.entries(step.has ?? {})) {
    same(sorted(got[field]), sorted(expected), `${place}: ${field}`);
  }
}

/** The same with the keys of each object in order. */
function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function same(got, expected, place) {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${place}: got ${left}, expected ${right}`);
}
