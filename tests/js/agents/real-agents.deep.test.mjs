// The real agents, headless, with the hooks that `turnkeeper install` writes, against a scripted model.
// TURNKEEPER_AGENTS names agents with commas between them, or `all`; without it, those run that start quickly.

import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { app } from "../node/installed-package.mjs";
import { program } from "./program.mjs";
import { AGENTS, Place } from "./real-agents.mjs";
import { ScriptedModel, times } from "./scripted-model.mjs";

const NOTE = "Note by Turnkeeper";
const look = { text: "I will look again.", calls: [{ shell: "cat build.log" }] };

const LOOPS = {
  equal: { steps: times(12, look), told: 4, stopped: 5 },
  alternating: {
    // On a busy machine Qwen Code loses what a command printed that ends at once.
    steps: times(14, (at) => ({ calls: [{ shell: at % 2 ? "node -p 41" : "node -p 42" }] })),
    told: 7,
    stopped: 10,
  },
};
const HEALTHY = times(15, (at) => ({ text: "Next.", calls: [{ shell: `expr ${at} + 41` }] }));

/** An agent in a place of its own, with the hooks installed in a mode, which go to the byte at the end. */
async function placeFor(t, name, steps, mode, { install = [], ...options } = {}) {
  const model = await new ScriptedModel(steps, options).listen();
  const place = new Place(name, model);
  t.after(async () => {
    await model.close();
    place.remove();
  });
  if (mode) place.turnkeeper("install", place.name, "--yes", "--mode", mode, ...install);
  return place;
}

/** What may be lost after the hooks were written, each while a session runs or before. */
const LOSSES = {
  "the program is gone": (place) => rmSync(path.join(place.state, "bin"), GONE),
  "Node is gone": (place) => place.loseNode(),
  "the state folder is gone": (place) => rmSync(place.state, GONE),
  "it was uninstalled during the session": undefined,
  "a colleague's clone has the project's files": (place) => rmSync(place.state, GONE),
};
const GONE = { recursive: true };
const SUMS = [87_140, 87_141, 87_142, 87_143];
const sums = SUMS.map((sum) => ({ text: "Next.", calls: [{ shell: `expr ${sum - 40} + 40` }] }));
const uninstalling = { calls: [{ shell: `'${program}' uninstall` }] };

/** The package as a plugin system gets it: a folder of its own. */
function packageIn(place) {
  const folder = path.join(place.root, "turnkeeper");
  cpSync(path.join(app, "node_modules/turnkeeper"), folder, { recursive: true, dereference: true });
  return folder;
}

/** Takes the hooks out: the files are as they were. */
function uninstall(place) {
  const { files } = JSON.parse(readFileSync(`${place.state}/installed.json`, "utf8"));
  place.turnkeeper("uninstall", place.name);
  assert.notEqual(files.length, 0);
  for (const { file } of files) assert.equal(contentOf(file), place.settings[file], file);
}

const contentOf = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

/** How often a text stands in the last request. */
const timesInLast = ({ model }, text) =>
  JSON.stringify(model.requests.at(-1).body).split(text).length - 1;
const failuresOf = ({ log }) => log.filter(({ what }) => what === "failure");

const named = process.env.TURNKEEPER_AGENTS;
const names = Object.keys(AGENTS).filter((name) => {
  if (named === undefined || named === "") return AGENTS[name].isQuick;
  return named === "all" || named.split(",").includes(name);
});

for (const name of names) {
  const { stops, loop = "equal" } = AGENTS[name];
  const { steps, told, stopped } = LOOPS[loop];
  const label = `${name} (${AGENTS[name].package})`;
  const onlyWatches = stops === "nothing";

  test(`${label}: a loop is stopped, and the model was told before`, async (t) => {
    const place = await placeFor(t, name, steps, "stop");
    await place.prompt();
    const { requests } = place.model;
    if (onlyWatches) {
      assert.equal(requests.at(-1).isOver, true, place.output);
      assert.deepEqual(
        place.log.map(({ what, mode }) => [what, mode]),
        [["went_on", "watch"]],
      );
    } else {
      const seen = JSON.stringify(place.log, undefined, 1);
      assert.equal(place.model.requestsWith(NOTE)[0], told, `${seen}\n${place.output}`);
      if (stops === "ends") assert.equal(requests.length, stopped, seen);
      // What the note quotes is no answer.
      else assert.equal(timesInLast(place, /(?<!“)Compiling/), stopped);
    }
    assert.deepEqual(failuresOf(place), []);
    uninstall(place);
  });

  test(`${label}: fifteen healthy calls pass without a word`, async (t) => {
    const place = await placeFor(t, name, HEALTHY, "hint");
    await place.prompt();
    assert.equal(place.model.requests.length, HEALTHY.length + 1, place.output);
    assert.deepEqual(place.model.requestsWith(NOTE), []);
    assert.deepEqual(place.log, []);
    const needsDatabase = ["goose", "kilo", "opencode"].includes(name);
    if (needsDatabase && process.env.TURNKEEPER_NODE24 === undefined) return;
    // The audit finds the session where the agent has kept it, and reads it.
    const { sessions, problems } = JSON.parse(place.turnkeeper("audit", "--json", "--no-history"));
    const seen = sessions.map(({ agent, calls, blind }) => ({ agent, calls, blind }));
    assert.deepEqual(
      [seen, problems],
      [[{ agent: place.name, calls: HEALTHY.length, blind: [] }], []],
    );
  });

  // Codex runs them one after the other, and its hooks tell nothing of requests.
  if (!["codex", "goose"].includes(name)) {
    test(`${label}: equal calls of one request are one step`, async (t) => {
      const step = { calls: times(2, { shell: "cat build.log" }) };
      const place = await placeFor(t, name, times(2, step), "stop");
      await place.prompt();
      assert.equal(place.model.requests.length, 3, place.output);
      // On a busy machine one of two hooks at once may not get its turn.
      const said = place.log.filter(({ why }) => !/lock did not become free/.test(why));
      assert.deepEqual(said, []);
    });
  }

  test(`${label}: two sessions in one folder are kept apart, and a state that cannot be kept breaks nothing`, async (t) => {
    const place = await placeFor(t, name, times(2, look), "stop", { eachSession: true });
    // Not all can start twice at once.
    const first = place.prompt("Watch the build.");
    if (place.name !== "claude-code") await first;
    await Promise.all([first, place.prompt("Look at the log.")]);
    // Two looks each, and both sessions end.
    assert.equal(place.model.requests.length, 6, place.output);
    assert.deepEqual(place.log, []);
    const folder = path.join(place.state, "sessions");
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "{");
    await place.prompt("Read the log.");
    assert.equal(place.model.requests.length, 9, place.output);
  });
}

for (const name of names.filter((it) => it !== "goose")) {
  test(`${name}: hooks of the project are run, and go to the byte`, async (t) => {
    const { steps } = LOOPS[AGENTS[name].loop ?? "equal"];
    const place = await placeFor(t, name, steps, "stop", { install: ["--project"] });
    await place.prompt();
    assert.notEqual(place.model.requestsWith(NOTE).length, 0, place.output);
    assert.deepEqual(failuresOf(place), []);
    uninstall(place);
  });

  for (const [what, lose] of Object.entries(LOSSES)) {
    const isProject = what.startsWith("a colleague");
    test(`${name} goes on when ${what}`, async (t) => {
      const steps = lose ? sums : [uninstalling, ...sums];
      const install = isProject ? ["--project"] : [];
      const place = await placeFor(t, name, steps, "stop", { install });
      lose?.(place);
      await place.prompt();
      assert.equal(place.model.requests.length, steps.length + 1, place.output);
      // Every command has run, and nothing was refused beside what the agent always says.
      for (const sum of SUMS) assert.notEqual(timesInLast(place, `${sum}`), 0, place.output);
      const refusals = place.model.requests.map(
        ({ body }) => JSON.stringify(body).match(/denied|hook error|turnkeeper-hook/gi)?.length,
      );
      assert.equal(refusals.at(-1), refusals[0]);
    });
  }
}

// Twice, and a shell for each file, since a tool may show a file that is read again as it likes.
const LONG = { calls: [{ shell: "seq 100000 100700" }] };
for (const name of names.filter((name) => ["claude-code", "copilot-cli"].includes(name))) {
  test(`${name}: with --economy a long result is sent once`, async (t) => {
    const place = await placeFor(t, name, [LONG, LONG], "hint", { install: ["--economy"] });
    await place.prompt();
    assert.equal(timesInLast(place, "100555"), 1, place.output);
    assert.equal(timesInLast(place, "[The same "), 1, place.output);
    assert.deepEqual(failuresOf(place), []);
    uninstall(place);
  });
}

// Agents whose plugin sees what is sent; Kilo runs opencode's.
for (const name of names.filter((name) => ["opencode", "pi", "cline"].includes(name))) {
  test(`${name}: a long result is sent once`, async (t) => {
    const place = await placeFor(t, name, [LONG, LONG], name === "cline" ? undefined : "hint");
    if (name === "cline") {
      cpSync(packageIn(place), path.join(place.home, ".cline/plugins/turnkeeper"), {
        recursive: true,
      });
    }
    await place.prompt();
    assert.equal(timesInLast(place, "100555"), 1, place.output);
    assert.equal(timesInLast(place, "[The same "), 1, place.output);
  });
}

// opencode, and Kilo, which is opencode underneath, put it into the request that makes the summary.
const COMPACTING = { codex: "requests", "qwen-code": "requests", opencode: "others" };
for (const name of names.filter((name) => name in COMPACTING)) {
  test(`${name} gets the ledger when it compacts a conversation that is nearly full`, async (t) => {
    const steps = times(6, (at) => ({ calls: [{ shell: `expr ${at} + 41` }] }));
    const place = await placeFor(t, name, steps, "hint", { fullAt: 3 });
    await place.prompt("Watch the build.");
    const bodies = place.model[COMPACTING[name]].map(({ body }) => JSON.stringify(body));
    const told = bodies.filter((body) => body.includes("Record by Turnkeeper"));
    assert.notEqual(told.length, 0, place.output);
    assert.match(told[0], /(?:>|&gt;) \W*Watch the build\./);
    assert.match(told[0], /expr 2 \+ 41 \(once\): [^;]*; its last line: (?:Output: )?43/);
    assert.doesNotMatch(bodies[0], /Record by Turnkeeper/);
    assert.deepEqual(failuresOf(place), []);
  });
}

if (names.includes("claude-code")) {
  const listed = (at) => ({ calls: [{ shell: `cat build.log | head -${at + 1}` }] });

  test("Claude Code gets the ledger after a compaction", async (t) => {
    const place = await placeFor(t, "claude-code", times(3, listed), "hint");
    await place.prompt("Watch the build.");
    await place.prompt("/compact", { goesOn: true });
    assert.deepEqual(place.model.requestsWith("Record by Turnkeeper"), []);
    await place.prompt("Go on.", { goesOn: true });
    const [first] = place.model.requestsWith("Record by Turnkeeper");
    const body = JSON.stringify(place.model.requests[first - 1].body);
    assert.match(body, /> Watch the build\./);
    assert.match(body, /cat build\.log \| head -3 \(once\): /);
    assert.deepEqual(failuresOf(place), []);
  });

  test("Claude Code: a subagent's loop ends it, and the main agent is told why", async (t) => {
    const task = { description: "watch", prompt: "Watch.", subagent_type: "general-purpose" };
    const steps = [
      { calls: [{ tool: "Agent", args: { ...task, run_in_background: false } }] },
      ...times(5, look),
      { calls: [{ shell: "ls" }] },
    ];
    const place = await placeFor(t, "claude-code", steps, "stop");
    await place.prompt();
    assert.equal(place.model.requests.length, 8, place.output);
    assert.deepEqual(place.model.requestsWith("a subagent was ended"), [7, 8]);
  });

  test("Claude Code: a session whose state is broken goes on", async (t) => {
    const place = await placeFor(t, "claude-code", times(2, look), "stop", { eachSession: true });
    await place.prompt();
    for (const file of place.sessions) writeFileSync(file, "{");
    await place.prompt("Go on.", { goesOn: true });
    assert.equal(place.model.requests.length, 4);
  });
}

if (names.includes("gemini-cli")) {
  test("gemini-cli: each subagent is watched for itself, and none for the main agent", async (t) => {
    const steps = ["parser", "lexer", "printer", "linker"].flatMap((part) => [
      { calls: [{ tool: "invoke_agent", args: { agent_name: "generalist", prompt: `${part}?` } }] },
      { calls: [{ shell: "cat build.log" }] },
      {
        calls: [{ tool: "complete_task", args: { result: { response: `The ${part} is fine.` } } }],
      },
    ]);
    const place = await placeFor(t, "gemini-cli", steps, "stop");
    await place.prompt();
    assert.equal(place.model.requests.length, steps.length + 1, place.output);
    assert.deepEqual(place.log, []);
    assert.equal(place.sessions.length, 5);
  });
}

if (names.includes("cline")) {
  test("Cline takes the package as a plugin", async (t) => {
    const place = await placeFor(t, "cline", LOOPS.alternating.steps);
    const folder = path.join(place.home, ".cline/plugins/turnkeeper");
    cpSync(packageIn(place), folder, { recursive: true });
    await place.prompt();
    assert.equal(place.model.requestsWith(NOTE)[0], LOOPS.alternating.told, place.output);
  });
}
