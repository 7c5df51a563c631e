// turnkeeper.json: what a user's own settings change, where they hold, and that no mistake in them does harm.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { Hooks, claude } from "./hook-process.mjs";
import { launched, program } from "./program.mjs";

/** Hooks in a project, with a home folder, and what stands in the settings of each. */
class Place {
  constructor(t, { home, project } = {}, agent = "claude-code", mode = "hint") {
    this.hooks = new Hooks(t, agent, mode);
    this.home = path.join(this.hooks.root, "home");
    this.project = path.join(this.home, "work", "project");
    this.below = path.join(this.project, "src");
    mkdirSync(this.below, { recursive: true });
    mkdirSync(path.join(this.project, ".git"));
    if (home !== undefined) this.write(this.home, home);
    if (project !== undefined) this.write(this.project, project);
  }

  get env() {
    return { HOME: this.home, USERPROFILE: this.home };
  }

  write(folder, settings) {
    const content = typeof settings === "string" ? settings : JSON.stringify(settings);
    writeFileSync(path.join(folder, "turnkeeper.json"), content);
  }

  send(event, cwd = this.below) {
    return this.hooks.send({ ...event, cwd }, this.env);
  }

  /** At which of these looks at a log that does not change something is said. */
  told(looks, cwd) {
    const answers = Array.from({ length: looks }, () => this.send(claude.look(), cwd));
    return answers.flatMap((answer, at) => (answer === undefined ? [] : [at + 1]));
  }

  turnkeeper(...args) {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: this.project,
      env: { ...this.hooks.env, ...this.env, ...launched },
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }
}

test("thresholds hold by their names, and the project's before the home's", (t) => {
  const place = new Place(t, {
    home: { thresholds: { repeatedResults: 2, callsAtOnce: false } },
    project: { thresholds: { repeatedResults: 4 } },
  });
  assert.deepEqual(place.told(4), [4]);
  assert.deepEqual(place.hooks.log.length, 1);
  // In another folder the home's hold, from the next event on.
  assert.deepEqual(place.told(2, place.home), [2]);
});

test("calls of an exempt tool do not count, whatever the agent, and others do", (t) => {
  const place = new Place(t, { home: { exempt: ["mcp__ci__*"] }, project: { exempt: ["Bash"] } });
  assert.deepEqual(place.told(4), []);
  const poll = () => {
    const call = { tool_name: "mcp__ci__status", tool_input: {}, tool_response: "running" };
    return place.send({ ...claude.batch([]), tool_calls: [call] });
  };
  for (let at = 0; at < 4; at++) assert.equal(poll(), undefined);
  assert.deepEqual(place.told(3, place.home), [3]);
});

test("off switches it off for a folder and those below, and on again for a project", (t) => {
  const place = new Place(t, { home: { off: true }, project: { off: false } });
  assert.deepEqual(place.told(3, place.home), []);
  assert.deepEqual(place.hooks.sessions, []);
  assert.deepEqual(place.told(3), [3]);
  place.write(place.project, { off: true });
  assert.deepEqual(place.told(3), []);
});

test("a mistake is ignored by the hook and told by status, and what is right beside it holds", (t) => {
  const mistakes = {
    '{ "thresholds": { "repeatedResults": "9" }, "exempt": "Bash", "of": true }': [
      '"thresholds.repeatedResults" is a whole number',
      '"exempt" is a list',
      'there is no setting "of"',
    ],
    '{ "thresholds": { "repeatedResult": 9, "tools": 3 }, "off": 1 }': [
      "repeatedResult",
      "tools",
      '"off" is true or false',
    ],
    '{ "off": true': ["is no valid JSON"],
    "[]": ["is no JSON object"],
    "": ["is no valid JSON"],
  };
  for (const [settings, said] of Object.entries(mistakes)) {
    const place = new Place(t, { project: settings });
    assert.deepEqual(place.told(3, place.project), [3], settings);
    const { status, stdout } = place.turnkeeper("status");
    assert.equal(status, 0);
    for (const what of said) assert.ok(stdout.includes(what), `${what} in ${stdout}`);
  }
  const place = new Place(t, { home: { of: true, thresholds: { repeatedResults: 2, x: 1 } } });
  assert.deepEqual(place.told(2), [2]);
});

test("a project's file may be more patient than the user and never less", (t) => {
  const strict = new Place(t, { project: { thresholds: { repeatedResults: 1, callsAtOnce: 1 } } });
  assert.deepEqual(strict.told(3), [3]);
  assert.match(
    strict.turnkeeper("status").stdout,
    /"thresholds\.repeatedResults" would stop sooner/,
  );
  assert.equal(strict.hooks.log.filter(({ what }) => what === "ignored").length, 2);
  const patient = new Place(t, {
    home: { thresholds: { repeatedResults: 5 } },
    project: { thresholds: { repeatedResults: 4 } },
  });
  assert.deepEqual(patient.told(5), [5]);
  const install = ["install", "--project", "--yes", "--threshold"];
  const refused = new Place(t).turnkeeper(...install, "repeatedResults=1");
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /would stop sooner/);
});

test("the user is told once that a project's file leaves nothing to find", (t) => {
  for (const project of [{ off: true }, { exempt: ["*"] }]) {
    const place = new Place(t, { project });
    const answers = [...Array(6)].map(() => place.send(claude.look())).filter(Boolean);
    assert.equal(answers.length, 1);
    assert.match(answers[0].systemMessage, /finds no loops here: .*turnkeeper\.json/);
    assert.match(place.turnkeeper("status").stdout, /finds no loops here: .*turnkeeper\.json/);
    assert.deepEqual(
      place.hooks.log.map(({ what }) => what),
      ["silenced"],
    );
  }
  const own = new Place(t, { home: { off: true } });
  assert.equal(own.send(claude.look()), undefined);
});

test("thousands of entries in a project's file cost a hook nothing", (t) => {
  const names = (entry) => Array.from({ length: 4_000 }, (_, at) => entry(`k${at}`));
  for (const project of [
    { thresholds: Object.fromEntries(names((name) => [name, 1])) },
    { exempt: names((name) => `*${name}*`) },
    Object.fromEntries(names((name) => [name, 1])),
  ]) {
    const place = new Place(t, { project });
    assert.deepEqual(place.told(3), [3]);
    assert.deepEqual(
      place.hooks.log.map(({ what }) => what),
      ["nudge"],
    );
    assert.match(place.turnkeeper("status").stdout, /more than 300 entries/);
  }
});

test("what is no file in the place of settings keeps no hook waiting", (t) => {
  for (const make of ["mkfifo", "mkdir"]) {
    const place = new Place(t);
    const made = spawnSync(make, [path.join(place.project, "turnkeeper.json")]);
    if (made.status !== 0) continue;
    assert.deepEqual(place.told(3), [3], make);
  }
  const long = new Place(t, { project: `{ "off": true, "x": "${"x".repeat(100_000)}" }` });
  assert.deepEqual(long.told(3), [3]);
});

test("install writes the same settings, beside those that are there", (t) => {
  const place = new Place(t, { project: '{\n  "exempt": ["Bash"]\n}\n' });
  const given = ["--threshold", "repeatedResults=4", "--threshold", "callsAtOnce=false"];
  const exempt = ["--exempt", "mcp__ci__*", "--exempt", "Bash"];
  const install = ["install", "claude-code", "--project", "--yes"];
  const { status, stderr } = place.turnkeeper(...install, ...given, ...exempt);
  assert.equal(status, 0, stderr);
  const read = () => JSON.parse(readFileSync(path.join(place.project, "turnkeeper.json"), "utf8"));
  assert.deepEqual(read(), {
    exempt: ["Bash", "mcp__ci__*"],
    thresholds: { repeatedResults: 4, callsAtOnce: false },
  });
  assert.match(
    place.turnkeeper("status").stdout,
    /repeatedResults 4, callsAtOnce off, Bash exempt/,
  );
  assert.equal(place.turnkeeper("install", "--project", "--off", "--yes").status, 0);
  assert.equal(read().off, true);
  for (const wrong of ["repeatedResults", "repeatedResults=0", "repeatedResult=3", "=3"]) {
    assert.equal(place.turnkeeper(...install, "--threshold", wrong).status, 2, wrong);
  }
});

test("where a project has a mode of its own, the hook of the user's settings has it as well", (t) => {
  const place = new Place(t, {}, "claude-code", "stop");
  place.told(1);
  const file = path.join(place.hooks.state, "installed.json");
  const files = [
    { agents: ["claude-code"], mode: "stop", file: path.join(place.home, ".claude/settings.json") },
    {
      agents: ["claude-code"],
      mode: "watch",
      file: path.join(place.project, ".claude/settings.local.json"),
      project: place.project,
    },
  ];
  writeFileSync(file, JSON.stringify({ version: 1, files }));
  assert.deepEqual(place.told(6), []);
  assert.notDeepEqual(place.told(6, place.home), []);
});
