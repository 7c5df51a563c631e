// The terminal choice of two agents, beside models of theirs in a few lines. The seed is printed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { TerminalSelector } = turnkeeper;
const CHOICES = 4_000;
const FOLDERS = ["/p", "/p/a", "/p/a/b", "/p/b", "/q", "/q/c"];
const TASKS = [undefined, "A", "B"];
const seed = Number(process.env.TURNKEEPER_SEED ?? Date.now() % 2 ** 31);

/** Numbers from 0 to `below`, the same for a seed. */
function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Roo Code: the task's terminal in the directory, else any there, else a new one. */
function rooChoice(terminals, { workingDirectory, taskId, provider }) {
  const there = terminals.filter(
    (it) => !it.busy && it.provider === provider && it.workingDirectory === workingDirectory,
  );
  const own = there.find((it) => taskId !== undefined && it.taskId === taskId);
  const id = (own ?? there[0])?.id;
  return { action: id === undefined ? "create" : "reuse", ids: [id] };
}

/**
 * Cline: an idle terminal in the directory, else any idle one after a `cd`, else a new one. Of several,
 * Cline takes the first and the selector the one that was led least often, so any of them will do.
 */
function clineChoice(terminals, { workingDirectory }) {
  const idle = terminals.filter((it) => !it.busy);
  const there = idle.filter((it) => it.workingDirectory === workingDirectory);
  if (there.length > 0) return { action: "reuse", ids: there.map(({ id }) => id) };
  if (idle.length > 0) return { action: "reuse_with_cd", ids: idle.map(({ id }) => id) };
  return { action: "create", ids: [undefined] };
}

/** Plays random requests to a host that reads its terminals' state when it chooses. */
function play(options, model, { tasks, providers }) {
  const next = randomOf(seed);
  const pick = (list) => list[next(list.length)];
  const selector = new TerminalSelector({ platform: "posix", ...options });
  const counts = new Map();
  let terminals = [];
  let lastId = 0;
  for (let round = 0; round < CHOICES; round++) {
    // What happens between two requests: users and commands move, free and close terminals.
    for (const terminal of terminals) {
      if (next(4) === 0) terminal.busy = next(2) === 0;
      if (next(6) === 0) terminal.workingDirectory = pick(FOLDERS);
    }
    if (next(8) === 0) terminals = terminals.filter(() => next(2) === 0);
    const request = {
      workingDirectory: pick(FOLDERS),
      taskId: pick(tasks),
      provider: pick(providers),
    };
    const expected = model(terminals, request);
    selector.sync(terminals);
    const choice = selector.select(request);
    const place = `seed ${seed}, choice ${round}`;
    assert.equal(choice.action, expected.action, place);
    assert.ok(expected.ids.includes(choice.terminalId), `${place}: ${choice.terminalId}`);
    counts.set(choice.action, (counts.get(choice.action) ?? 0) + 1);
    const { workingDirectory, taskId, provider } = request;
    const id = choice.terminalId ?? ++lastId;
    if (choice.action === "create") terminals.push({ id, provider });
    Object.assign(
      terminals.find((it) => it.id === id),
      { workingDirectory, taskId, busy: next(2) === 0 },
    );
  }
  selector.dispose();
  console.log(`seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}`);
  return counts;
}

test("Roo Code's terminal choice is reproduced: 4,000 random choices, none different", () => {
  const options = { maxDirectoryChanges: 0, stealFromOtherTasks: true };
  const counts = play(options, rooChoice, { tasks: TASKS, providers: ["vscode", "execa"] });
  assert.ok(counts.get("reuse") > 500 && counts.get("create") > 300);
});

test("Cline's terminal choice is reproduced: 4,000 random choices, none different", () => {
  // Cline's terminals belong to no task, and are led as often as needed.
  const options = { reachable: "anywhere", maxDirectoryChanges: 1_000_000 };
  const counts = play(options, clineChoice, { tasks: [undefined], providers: ["vscode"] });
  assert.ok(counts.get("reuse") > 500);
  assert.ok(counts.get("reuse_with_cd") > 300 && counts.get("create") > 100);
});
