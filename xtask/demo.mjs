// The package as a user gets it, on saved sessions. It runs in an app that has the package installed:
//     node demo.mjs DATA FOLDER [--quiet]
// DATA has the sessions, and FOLDER gets what is written. With `--quiet` it is a test, which prints only what is wrong.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { LoopDetector } from "turnkeeper";
import { readSession } from "turnkeeper/sessions";

const SESSIONS = [
  {
    file: "sessions/preview-loop.jsonl",
    about: "a preview model reads and reads",
    profile: "standard",
    loops: true,
  },
  {
    file: "loops/collection/stuck-install-build-openhands.jsonl",
    about: "an agent installs and builds in turn, and the answers stay the same",
    profile: "adaptive",
    loops: true,
  },
  {
    file: "sessions/chinese-chant.jsonl",
    about: "a model writes the same passage again and again",
    profile: "adaptive",
    loops: true,
  },
  {
    file: "sessions/healthy.jsonl",
    about: "a healthy session of two prompts, in which tests fail until they pass",
    profile: "adaptive",
    loops: false,
  },
];
/** Folders of sessions as agents save them, which are audited together with those above. */
const SAVED = ["saved", "histories"];
const RESUMED = "histories/resumed-task.json";

const [data, folder, quiet] = process.argv.slice(2);
const say = quiet ? () => {} : console.log;
const isWindows = process.platform === "win32";
const program = path.resolve("node_modules/.bin", isWindows ? "turnkeeper.cmd" : "turnkeeper");
const fixture = (name) => path.join(data, name);

for (const { file, about, profile, loops } of SESSIONS) {
  say(`\n— ${about}`);
  // Nothing happens in a healthy one, so its summary says enough.
  const words = ["replay", "--fail-on-loop", "--profile", profile, ...(loops ? [] : ["--quiet"])];
  // The exit codes of `turnkeeper replay --fail-on-loop`: 0 for a healthy session, 1 for a loop.
  turnkeeper(words, [fixture(file)], file, loops ? 1 : 0);
}
say('\nThe same in Node, with `import { LoopDetector } from "turnkeeper"`:');
for (const { file, loops } of SESSIONS.filter(({ profile }) => profile === "adaptive")) {
  const { stop, count } = await play(fixture(file));
  say(stop?.report.message ?? `No loop in ${count} events.`);
  if (loops !== Boolean(stop)) fail(`${file}: the package ${stop ? "stops" : "finds no loop"}`);
}
const audited = [...SAVED, ...SESSIONS.map(({ file }) => file)].map(fixture);
const report = path.join(folder, "report.html");
const named = `${SAVED.join(", ")} and the sessions above`;
turnkeeper(["audit"], [...audited, "--html", report], named, 0);
repair();
if (!process.exitCode) {
  say(`
Each session got the expected verdict, was read, and was repaired. The audit's page: ${report}
On sessions of your own: ${program} audit FOLDER`);
}

function fail(what) {
  console.error(what);
  process.exitCode = 1;
}

/** Runs the package's command, which should end with this exit code. */
function turnkeeper(words, files, shown, expected) {
  const command = `turnkeeper ${words.join(" ")} ${shown}`;
  say(`\n${command}`);
  const { status } = spawnSync(program, [...words, ...files], {
    cwd: folder,
    stdio: ["inherit", quiet ? "ignore" : "inherit", "inherit"],
    shell: isWindows,
  });
  if (status !== expected) fail(`${command}: exit code ${status} instead of ${expected}`);
}

/** The verdict that stops a session, if one does, and how many events the session has. */
async function play(file) {
  const { events } = await readSession(readFileSync(file), { name: file });
  const detector = new LoopDetector();
  detector.startPrompt("prompt-1");
  let prompts = 1;
  const verdicts = events.map((event, at) => {
    if (event.type === "user_message" && at > 0) detector.startPrompt(`prompt-${++prompts}`);
    return detector.observe(event);
  });
  return { stop: verdicts.find(({ action }) => action === "stop"), count: events.length };
}

/** Repairs a history and shows what went. */
function repair() {
  const repaired = path.join(folder, "repaired.json");
  turnkeeper(["repair"], [fixture(RESUMED), "-o", repaired], RESUMED, 0);
  say("\nThe difference, where - is what went:");
  const kept = readFileSync(repaired, "utf8").split("\n");
  for (const [at, line] of readFileSync(fixture(RESUMED), "utf8").split("\n").entries()) {
    if (kept[0] === line) kept.shift();
    else say(`${String(at + 1).padStart(5)} - ${line.slice(0, 100)}`);
  }
  if (kept.length > 0) fail(`the repaired ${RESUMED} has what the original does not`);
}
