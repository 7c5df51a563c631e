// How each kind of row is measured. Every measurement answers with lines of the table.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import * as blockBaseline from "./contenders/block-baseline.mjs";
import { contender as clineBaseline } from "./contenders/cline-baseline.mjs";
import { contender as geminiCli } from "./contenders/gemini-cli.mjs";
import { contender as historyBaseline } from "./contenders/history-baseline.mjs";
import * as summaryBaseline from "./contenders/summary-baseline.mjs";
import { contender as terminalsBaseline } from "./contenders/terminals-baseline.mjs";
import {
  addressOf,
  assembleContender,
  historyContender,
  inspectContender,
  terminalsContender,
  contender as turnkeeper,
  turnContender,
} from "./contenders/turnkeeper.mjs";
import { history, stateOf } from "./histories.mjs";
import { callArguments, proseDeltas } from "./inputs.mjs";
import { audit, hook, ownProcess, wholeFile } from "./programs.mjs";
import { definitions, files, macroPrompt, promptOf } from "./prompts.mjs";
import { median, race, raceOfPromises, time } from "./stopwatch.mjs";
import { line } from "./table.mjs";

/** Arguments of a round fill at most so many bytes, so that they do not measure the memory. */
const ROUND_BYTES = 8e6;
const PEERS = { geminiCli, clineBaseline };

export const measure = {
  prose,
  calls,
  histories,
  assemble,
  inspect,
  turns,
  terminals,
  startUp,
  audit,
  wholeFile,
  ownProcess,
  hook,
  ageing,
};

function prose(row, rounds) {
  const deltas = proseDeltas(row.input);
  const entrants = enter(row);
  const resets = entrants.find(({ countResets }) => countResets)?.countResets();
  const feeds = new Map(
    entrants.map((contender) => [contender, endless(deltas.map(contender.proseEvent))]),
  );
  const events = (contender, count) => feeds.get(contender)(count);
  const [ours, theirs] = race(entrants, { rounds, most: deltas.length, events });
  expectQuiet(entrants);
  if (resets() > 0) throw new Error(`gemini-cli forgot its text ${resets()} times`);
  return [line(row, entrants[1].name, ours, theirs)];
}

function calls(row, rounds) {
  const most = Math.max(16, Math.min(20_000, Math.floor(ROUND_BYTES / row.input.size)));
  const texts = callArguments({ ...row.input, count: most });
  const entrants = enter(row);
  const turns = new Map(entrants.map((contender) => [contender, 0]));
  // Each call is a fresh object, as it is when it comes from a model.
  const events = (contender, count) => {
    const first = turns.get(contender);
    turns.set(contender, first + count);
    return Array.from({ length: count }, (_, place) =>
      contender.callEvent("write_file", JSON.parse(texts[(first + place) % most])),
    );
  };
  const [ours, theirs] = race(entrants, { rounds, most, events });
  expectQuiet(entrants);
  return [line(row, entrants[1].name, ours, theirs)];
}

/** What is done to a user message, to a whole history, or to the content of a turn. */
function histories(row, rounds) {
  const all = history(2_000);
  const users = all.filter(({ role }) => role === "user");
  // Written when the task was resumed.
  const stale = users.filter(({ content }) => content.length > 2);
  const message = users.filter(({ content }) => content.length === 2);
  const turn = ({ content }, at) => ({ content: content.slice(0, 1), details: stateOf(at) });
  const inputs = { message, stale, whole: [all], shortened: [all], turn: message.map(turn) };
  const feed = endless(inputs[row.what]);
  const events = (_, count) => feed(count);
  const entrants = [historyContender(row.what), historyBaseline(row.what)];
  const most = { whole: 200, shortened: 20 }[row.what] ?? 20_000;
  const [ours, theirs] = race(entrants, { rounds, most, events });
  return [line(row, entrants[1].name, ours, theirs)];
}

/** A prompt with all the files that it refers to, as one flat string. */
async function assemble(row, rounds) {
  const all = files(row.language);
  const host = { readFile: async ({ path }) => all.get(path) };
  let turn = 0;
  const entrants = [assembleContender(), blockBaseline.assembleContender()];
  const event = () => ({ prompt: promptOf(all, turn++), all, host });
  const [ours, theirs] = await raceOfPromises(entrants, { rounds, event, use: flatten });
  return [line(row, entrants[1].name, ours, theirs)];
}

/** Makes one string of one that was put together, as whoever sends it has to. */
function flatten(text) {
  if (!(Buffer.byteLength(text) > 4.9e6)) throw new Error("the block is not whole");
}

/** A prompt as it is looked at on every key press. */
async function inspect(row, rounds) {
  const entrants = [
    await inspectContender(definitions(row.macros)),
    blockBaseline.inspectContender(),
  ];
  const prompt = macroPrompt(row);
  const events = (_, count) => Array.from({ length: count }, () => prompt);
  const [ours, theirs] = race(entrants, { rounds, most: 2_000, events });
  return [line(row, entrants[1].name, ours, theirs)];
}

/** A turn after a hundred others: a round of thinking, a prompt for each phase, and a summary. */
function turns(row, rounds) {
  const summary = "Read the code of a module and wrote a test for it. ".repeat(5);
  const insight = "it works";
  const parts = { capability: "You edit code.", direction: "Test first.", workspace: summary };
  const entrants = [turnContender(), summaryBaseline.turnContender()].map((injector) => {
    injector.startTurn({ task: summary });
    for (let turn = 1; turn <= 100; turn++) {
      injector.addMessage({ role: "user", content: summary });
      injector.addMessage({ role: "assistant", content: summary });
      injector.storeSummary({ summary, insights: [insight, insight], turn });
      injector.startTurn();
    }
    const take = (round) => {
      injector.startTurn();
      injector.addThinkingRound(round);
      for (const phase of ["thinking", "action"]) {
        const { workspaceContext } = injector.buildPrompt(phase, parts);
        // Makes one string of one that was put together, as whoever sends it has to.
        if (Buffer.byteLength(workspaceContext) < 20_000)
          throw new Error("the prompt is not whole");
      }
      // In the place of the newest, so that there are as many as before.
      injector.storeSummary({ summary, insights: [insight, round], turn: 100 });
    };
    return { name: injector.name, take };
  });
  const events = (_, count) => Array.from({ length: count }, (_, at) => `${insight} ${at}`);
  const [ours, theirs] = race(entrants, { rounds, most: 2_000, events });
  return [line(row, entrants[1].name, ours, theirs)];
}

/** Idle terminals, each in a directory of its own, and commands of a task for the last directories. */
function terminals(row, rounds) {
  const at = (id) => `/home/me/project-${id % 10}/packages/part-${id}/src`;
  const all = Array.from({ length: row.count }, (_, id) => ({
    id,
    provider: "vscode",
    workingDirectory: at(id),
  }));
  const requests = Array.from({ length: 8 }, (_, turn) => ({
    command: `npm test -- --shard ${turn}`,
    workingDirectory: at(Math.max(0, row.count - 1 - turn)),
    taskId: "task",
    provider: "vscode",
  }));
  const feed = endless(requests);
  const entrants = [terminalsContender(all), terminalsBaseline(all)];
  for (const request of requests) {
    const [ours, theirs] = entrants.map(({ take }) => take(request).terminalId);
    if (ours === undefined || ours !== theirs) throw new Error(`${ours} is not ${theirs}`);
  }
  const events = (_, count) => feed(count);
  const [ours, theirs] = race(entrants, { rounds, most: 20_000, events });
  return [line(row, entrants[1].name, ours, theirs)];
}

/** A message at the place 2,000 of a history beside one at the place 10. */
function ageingHistory(row, rounds) {
  const messages = history(2_000);
  const results = { young: [], old: [] };
  for (let round = 0; round < 40 * rounds; round++) {
    // The same messages for both, so that nothing but the age differs.
    for (const [age, list] of [
      [10, results.young],
      [1_980, results.old],
    ]) {
      const { take, end } = historyContender("message");
      time(take, messages.slice(0, age));
      list.push(time(take, messages.slice(1_980)));
      end();
    }
  }
  const [ours, theirs] = [median(results.old), median(results.young)];
  return [line({ ...row, target: 1 / (1 + row.within) }, "its 10th", ours, theirs)];
}

function ageing(row, rounds) {
  return row.of === "histories" ? ageingHistory(row, rounds) : ageingTurns(row, rounds);
}

/** A turn with prose, a call and its result after a thousand events, and after a million. */
function ageingTurns(row, rounds) {
  const texts = callArguments({ ...row.input, count: 4_000 });
  const prose = proseDeltas({ language: "english", shortest: 100, longest: 200 });
  const turns = (first, count) =>
    Array.from({ length: count }, (_, place) => {
      const turn = first + place;
      const id = `call-${turn}`;
      return [
        { type: "turn_started" },
        { type: "text", text: prose[turn % prose.length] },
        { type: "tool_call", id, name: "edit", args: JSON.parse(texts[turn % texts.length]) },
        { type: "tool_result", id, output: `${turn} lines changed` },
      ];
    });
  const [thousand, million] = [250, 250_000];
  const old = turnkeeper(row.profile);
  for (let age = 0; age < million; age += thousand) time(old.takeTurn, turns(age, thousand));
  const results = { young: [], old: [] };
  for (let round = 0; round < 9 * rounds; round++) {
    const young = turnkeeper(row.profile);
    const first = round * thousand;
    time(young.takeTurn, turns(first, thousand));
    results.young.push(time(young.takeTurn, turns(first + thousand, thousand)));
    results.old.push(time(old.takeTurn, turns(first + thousand, thousand)));
    expectQuiet([young, old]);
  }
  const [ours, theirs] = [median(results.old), median(results.young)];
  return [line({ ...row, target: 1 / (1 + row.within) }, "its 250th", ours, theirs)];
}

/** From before the import to the first verdict, in a process that did nothing else. */
function startUp(row, rounds) {
  const results = { ours: [], theirs: [] };
  for (let round = 0; round < Math.min(rounds, 9); round++) {
    results.ours.push(startOnce("turnkeeper", addressOf(row.subpath)));
    if (round < 3) results.theirs.push(startOnce("gemini-cli"));
  }
  return [line(row, "gemini-cli", median(results.ours), median(results.theirs))];
}

function startOnce(what, ...addresses) {
  const script = fileURLToPath(new URL("start-up.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, what, ...addresses], {
    encoding: "utf8",
  });
  const nanoseconds = Number(/^first verdict (\d+)$/m.exec(stdout)?.[1]);
  if (status !== 0 || !(nanoseconds > 0)) throw new Error(`start-up of ${what}: ${stderr}`);
  return nanoseconds;
}

/** Turnkeeper, and whom the row names. */
function enter(row) {
  return [turnkeeper(row.profile), PEERS[row.peer]()];
}

/** A detector that has fired is latched, and then costs nothing. */
function expectQuiet(entrants) {
  for (const contender of entrants) {
    if (contender.hasFired()) throw new Error(`${contender.name} took healthy input for a loop`);
  }
}

/** Goes through the events again and again, from where it was left. */
function endless(events) {
  let at = 0;
  return (count) => Array.from({ length: count }, () => events[at++ % events.length]);
}
