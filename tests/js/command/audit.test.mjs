import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { CHANT, HEALTHY, PREVIEW_LOOP, file, folder, run } from "../node/replay-command.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const FORMATS = JSON.parse(readFileSync(`${SAVED}-events.json`, "utf8"));
const RESUMED = fileURLToPath(new URL("../../data/histories/resumed-task.json", import.meta.url));

const audit = (args, options) => run(["audit", ...args], options);
const standard = ["--profile", "standard"];

async function report(args) {
  const { stdout, stderr, code } = await audit(["--json", ...standard, ...args]);
  return { ...JSON.parse(stdout), stderr, code };
}

const call = (n, name = "edit", extra = {}) => ({ type: "tool_call", name, args: { n }, ...extra });
const repeated = (count, n = 0) => Array.from({ length: count }, () => call(n));

describe("the JSON", () => {
  test("names format, title and model of every fixture, and reads them all", async () => {
    const { sessions, problems, skipped, code } = await report([SAVED]);
    assert.deepEqual([code, problems, skipped], [0, [], []]);
    const facts = ({ format, title, model }) => ({ format, title, model });
    const found = sessions.map((session) => [path.basename(session.file), facts(session)]);
    // Without a name of its own a session has the user's first words.
    const inOrder = Object.entries(FORMATS).sort(([a], [b]) => (a < b ? -1 : 1));
    const expected = inOrder.map(([name, session], at) => [
      name,
      { ...facts(session), title: session.title ?? sessions[at].title },
    ]);
    assert.deepEqual(found, expected);
    // In one audit, what fixtures have in common would count once.
    const alone = await Promise.all(
      sessions.map(async ({ file }) => (await report([file])).sessions[0]),
    );
    for (const { file: name, events, calls } of alone) {
      const said = FORMATS[path.basename(name)].events;
      const lines = said.filter((line) => !/ prompt_started /.test(line));
      assert.equal(events, lines.length, name);
      assert.equal(calls, lines.filter((line) => / tool_call /.test(line)).length, name);
    }
  });

  test("takes a folder with an event a file for a session, in the order of the numbers", async () => {
    const target = path.join(folder, "store", "events");
    mkdirSync(target, { recursive: true });
    const events = JSON.parse(readFileSync(path.join(SAVED, "openhands-trajectory.json"), "utf8"));
    events.forEach((event, index) => {
      writeFileSync(path.join(target, `${index}.json`), JSON.stringify(event, null, 1));
    });
    const { sessions } = await report([path.dirname(target)]);
    const [one] = (await report([path.join(SAVED, "openhands-trajectory.json")])).sessions;
    assert.deepEqual(sessions, [{ ...one, file: target }]);
    writeFileSync(path.join(target, "7.json"), "{");
    const { problems } = await report([target]);
    assert.match(problems[0].file, /7\.json$/);
  });

  test("totals are the sums of the sessions", async () => {
    const { sessions, total } = await report([SAVED, RESUMED, PREVIEW_LOOP, CHANT, HEALTHY]);
    assert.equal(total.sessions, sessions.length);
    const fields = [
      "events",
      "calls",
      "turns",
      "commands",
      "terminalsNeeded",
      "terminalsReusable",
      "leftOut",
    ];
    const sum = (of) => sessions.reduce((all, session) => all + of(session), 0);
    for (const field of fields)
      assert.equal(
        total[field],
        sum((s) => s[field]),
        field,
      );
    for (const kind of Object.keys(total.tokens)) {
      assert.equal(
        total.tokens[kind],
        sum((s) => s.tokens[kind]),
        kind,
      );
    }
    assert.equal(
      total.usage.tokens,
      sum((s) => s.usage.tokens),
    );
    assert.equal(
      total.saveable.tokens,
      sum((s) => s.saveable.tokens),
    );
    const stops = sum(({ loops }) => loops.filter(({ action }) => action === "stop").length);
    assert.equal(total.stops, stops);
    assert.ok(stops > 0);
    for (const session of sessions) {
      const { total: all, ...kinds } = session.tokens;
      assert.equal(
        all,
        Object.values(kinds).reduce((a, b) => a + b),
        session.file,
      );
    }
  });

  test("joins what is found of one loop, and keeps two apart", async () => {
    const events = [call(1), ...repeated(34), ...[2, 3, 4, 5, 6, 7].map((n) => call(n))];
    const name = file("two-loops.jsonl", [...events, ...repeated(11, 9)]);
    const { sessions } = await report([name]);
    assert.deepEqual(
      sessions[0].loops.map(({ action, tool, firstCall, place }) => [
        action,
        tool,
        firstCall,
        place,
      ]),
      [
        ["stop", "edit", 1, 11],
        ["stop", "edit", 41, 51],
      ],
    );
    assert.equal(sessions[0].loops[0].lastCall, 30);
    assert.match(sessions[0].loops[0].message, /edit/);
  });

  test("sends commands through the terminal selector", async () => {
    const command = (command, cwd, id) =>
      call(0, "execute_command", { args: { command, cwd }, id });
    const done = (id) => ({ type: "tool_result", id, output: "" });
    const name = file("commands.jsonl", [
      command("npm test", "/a", "1"),
      done("1"),
      command("npm test", "/a", "2"),
      done("2"),
      command("npm run dev", "/a", "3"),
      command("npm test", "/a", "4"),
      done("4"),
      command("ls", "/elsewhere", "5"),
      call(0, "execute_command", { args: { cwd: "/a" } }),
    ]);
    const { sessions } = await report([name]);
    const { commands, terminalsNeeded, terminalsReusable } = sessions[0];
    assert.deepEqual([commands, terminalsNeeded, terminalsReusable], [5, 3, 2]);
  });

  test("of two thousand folders of commands has as many terminals", async () => {
    const command = (n, cwd) => [
      { type: "tool_call", id: `${n}`, name: "bash", args: { command: "ls", cwd } },
      { type: "tool_result", id: `${n}`, output: `${n}` },
    ];
    const events = Array.from({ length: 2_000 }, (_, n) => command(n, `/home/user/p${n}/x`)).flat();
    const { sessions } = await report([file("folders.jsonl", events)]);
    assert.deepEqual([sessions[0].commands, sessions[0].terminalsNeeded], [2_000, 2_000]);
  });

  test("leaves out what users and models wrote, if it is asked to", async () => {
    const secret = "a-secret-word";
    const name = file("texts.jsonl", [
      { type: "user_message" },
      ...repeated(12).map((event) => ({ ...event, args: { secret } })),
    ]);
    const history = file("texts.json", JSON.stringify([{ role: "user", content: secret }]));
    for (const how of ["--json", "--jsonl"]) {
      const { stdout } = await audit([...standard, how, name, history]);
      assert.match(stdout, new RegExp(secret));
      const without = await audit([...standard, how, "--no-text", name, history]);
      assert.doesNotMatch(without.stdout, new RegExp(secret));
      assert.match(without.stdout, /consecutive_identical_tool_calls/);
    }
    const page = path.join(folder, "no-text.html");
    await audit([...standard, "--html", page, "--no-text", name, history]);
    assert.doesNotMatch(readFileSync(page, "utf8"), new RegExp(secret));
  });

  test("escapes what a terminal would act on", async () => {
    const bad = "\u001b]0;owned\u0007\u009b\u202e\u2028";
    const name = file("hostile-audit.jsonl", [
      ...repeated(12).map((c) => ({ ...c, name: `t${bad}` })),
    ]);
    for (const args of [["--json"], [], ["-q"]]) {
      const { stdout, stderr } = await audit([...standard, ...args, name]);
      assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
    }
    assert.equal((await report([name])).sessions[0].loops[0].tool, `t${bad}`);
  });
});

describe("bad input", () => {
  test("gets one line each, the rest is done, and the exit code is 2", async () => {
    const target = path.join(folder, "bad-audit");
    mkdirSync(path.join(target, "sub"), { recursive: true });
    const write = (name, content) => writeFileSync(path.join(target, name), content);
    write("good.jsonl", `${JSON.stringify(call(1))}\n`);
    write("broken.jsonl", `${JSON.stringify(call(1))}\n{"type":\n`);
    write("empty.json", "");
    write("binary.jsonl", Buffer.from([0x1f, 0x8b, 8, 0]));
    write("cut.json", '[{"role":"user","content":"Hi."},{"role":"ass');
    write("notes.md", "# Notes\n");
    write("settings.json", '{"theme":"dark"}');
    write("config.json", '{\n  // The theme.\n  "theme": "dark",\n}');
    write(".turnkeeper-123456789-0123456789abcdef.tmp", `${JSON.stringify(call(1))}\n`);
    symlinkSync(target, path.join(target, "sub", "up"));
    symlinkSync("nowhere.jsonl", path.join(target, "dangling.jsonl"));
    write("secret.jsonl", "");
    chmodSync(path.join(target, "secret.jsonl"), 0);
    const { sessions, problems, skipped, code, stderr } = await report([target]);
    assert.equal(code, 2);
    // Of those that break off, what stands before counts.
    assert.deepEqual(
      sessions.map((session) => path.basename(session.file)),
      ["broken.jsonl", "cut.json", "good.jsonl"],
    );
    const reasons = Object.fromEntries(problems.map((p) => [path.basename(p.file), p.reason]));
    // The superuser may read everything, and an empty file is a session that has not begun.
    const isRefused = process.getuid?.() !== 0;
    assert.deepEqual(Object.keys(reasons).sort(), [
      "broken.jsonl",
      "cut.json",
      "dangling.jsonl",
      ...(isRefused ? ["secret.jsonl"] : []),
      "up",
    ]);
    assert.match(reasons["broken.jsonl"], /is not JSON/);
    assert.match(reasons["cut.json"], /breaks off at element 2/);
    assert.match(reasons.up, /link to a folder around it/);
    if (isRefused) assert.match(reasons["secret.jsonl"], /may not be read/);
    assert.deepEqual(
      skipped.map((skip) => path.basename(skip.file)),
      [
        "binary.jsonl",
        "config.json",
        "empty.json",
        "notes.md",
        ...(isRefused ? [] : ["secret.jsonl"]),
        "settings.json",
      ],
    );
    assert.equal(stderr.trimEnd().split("\n").length, problems.length);
    for (const line of stderr.trimEnd().split("\n")) assert.match(line, /^turnkeeper: /);
  });

  test("that is named by itself is never skipped", async () => {
    const name = file("settings.json", '{"theme":"dark"}');
    const { code, problems, stderr } = await report([name]);
    assert.equal(code, 2);
    assert.match(problems[0].reason, /line 1 is an object with "theme"/);
    assert.match(stderr, /^turnkeeper: [^\n]*settings\.json is [^\n]*\n$/);
  });

  test("that does not exist, and options that are none", async () => {
    for (const args of [
      ["/no/such/file"],
      ["--profile", "nobody", HEALTHY],
      ["--wrong", HEALTHY],
    ]) {
      const { code, stdout, stderr } = await audit(args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
      if (args[0] !== "/no/such/file") assert.equal(stdout, "");
    }
  });

  test("a conversation that Cline keeps twice counts once", async () => {
    const target = path.join(folder, "task");
    mkdirSync(target);
    for (const [from, to] of [
      ["cline-history.json", "api_conversation_history.json"],
      ["cline-ui-messages.json", "ui_messages.json"],
    ]) {
      writeFileSync(path.join(target, to), readFileSync(path.join(SAVED, from)));
    }
    const { sessions, skipped } = await report([target]);
    assert.deepEqual([sessions.length, sessions[0].format, skipped.length], [1, "cline", 1]);
  });

  test("a session that was repaired in place counts once", async () => {
    const target = path.join(folder, "repaired-in-place");
    mkdirSync(target);
    writeFileSync(path.join(target, "history.json"), readFileSync(RESUMED));
    assert.equal((await run(["repair", "--in-place", target])).code, 0);
    writeFileSync(path.join(target, "alone.json.bak"), readFileSync(RESUMED));
    const { sessions, skipped } = await report([target]);
    assert.deepEqual(
      sessions.map((session) => path.basename(session.file)),
      ["alone.json.bak", "history.json"],
    );
    assert.match(skipped[0].reason, /^is what history\.json beside it was before its repair$/);
  });
});

describe("exit codes", () => {
  test("are 0, 1 with --fail-on-loop, and 2 whatever else", async () => {
    const broken = file("broken-audit.jsonl", "{\n");
    const codes = [
      [[PREVIEW_LOOP], 0],
      [["--fail-on-loop", PREVIEW_LOOP, "--model", "preview"], 1],
      [["--fail-on-loop", HEALTHY], 0],
      [["--fail-on-loop", PREVIEW_LOOP, "--model", "preview", broken], 2],
    ];
    for (const [args, expected] of codes) {
      assert.equal((await audit([...standard, ...args])).code, expected, args.join(" "));
    }
  });
});

describe("the table", () => {
  test("fits into 80 columns, and says what to do", async () => {
    const name = file("looping.jsonl", [...repeated(12), { type: "text", text: "漢字 🙂" }]);
    const { stdout, code } = await audit([...standard, SAVED, RESUMED, CHANT, name]);
    assert.equal(code, 0);
    for (const line of stdout.split("\n")) {
      // A command to copy stays in one line.
      assert.ok([...line].length <= 80 || /^ {2}.*: turnkeeper /.test(line), line);
    }
    const words = stdout.replace(/\s+/g, " ");
    assert.match(words, /^all time: \d+ sessions, ~\$\d/);
    assert.match(words, /loops: .* after the first nudges; most by/);
    assert.match(words, /turnkeeper replay \S+\.jsonl/);
    assert.match(words, /\d+ more sessions \(--all\)/);
    const all = await audit([...standard, "--all", SAVED, RESUMED, CHANT, name]);
    const rows = all.stdout.split("\n");
    const head = rows.findIndex((line) => line.startsWith("session "));
    const count = Object.keys(FORMATS).length + 3;
    assert.equal(rows.slice(head + 1).indexOf(""), count);
    for (const line of (await audit(["--help"])).stdout.split("\n")) {
      assert.ok([...line].length <= 80, line);
    }
  });

  test("has colours only where they are wanted", async () => {
    for (const [env, expected] of [
      [{}, false],
      [{ FORCE_COLOR: "1" }, true],
      [{ NO_COLOR: "1" }, false],
    ]) {
      const { stdout } = await audit([...standard, HEALTHY], { env });
      assert.equal(stdout.includes("\u001b["), expected);
    }
  });
});

describe("the page", () => {
  const HTML = `"><img src=x onerror="owned=1"><script>owned=1</script></style></svg>`;

  test("is one file that loads nothing, and hostile contents are text in it", async () => {
    const events = repeated(12).map((event) => ({ ...event, name: `edit${HTML}\u001b\u202e` }));
    const name = file(`x${HTML.replaceAll("/", "-")}.jsonl`, events);
    const page = path.join(folder, "report.html");
    const { code, stderr } = await audit([...standard, "--html", page, name, "/no/<b>file"]);
    assert.equal(code, 2);
    assert.match(stderr, /the report is in /);
    const html = readFileSync(page, "utf8");
    assert.match(html, /^<!doctype html>/);
    assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    assert.doesNotMatch(
      html,
      /<(script|img|iframe|object|embed|link|b>file)|onerror="|<[a-z]+ style=/,
    );
    assert.doesNotMatch(html, /https?:|url\(|@import/);
    assert.doesNotMatch(html, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(html, /&lt;script>owned=1/);
    assert.match(html, /<svg class="timeline".*call-edit.*loop-stop/);
    assert.equal(html.match(/<style>/g).length, 1);
  });

  test("is not written where it cannot be, and nothing is left behind", async () => {
    const page = path.join(folder, "no-such-folder", "report.html");
    const { code, stdout, stderr } = await audit([...standard, "--html", page, HEALTHY]);
    assert.equal(code, 2);
    assert.equal(stdout, "", "nothing is read before the place is known to be good");
    assert.match(stderr, /report\.html cannot be written: its folder does not exist/);
    assert.equal(existsSync(path.dirname(page)), false);
  });

  test("replaces an older one in one step", async () => {
    const page = path.join(folder, "again.html");
    writeFileSync(page, "<!doctype html>old");
    await audit([...standard, "--html", page, HEALTHY]);
    assert.match(readFileSync(page, "utf8"), /<\/html>/);
    const left = readdirSync(folder).filter((name) => name.includes(".tmp"));
    assert.deepEqual(left, []);
  });
});
