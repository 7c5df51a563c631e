// `turnkeeper` without a path: the sessions of every agent, where each keeps them.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { file, folder, run } from "../node/replay-command.mjs";

import { database, makeHome, sessionsOfAgents } from "./audit-home.mjs";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));

let homes = 0;
const newHome = () => path.join(folder, `home-${++homes}`);

/** Runs the command in a home folder; nothing of the real one is seen. */
const at = (home, args, env = {}) =>
  run(args, { env: { HOME: home, XDG_STATE_HOME: path.join(home, "state"), ...env } });

async function report(home, args = ["--since", "all"], env) {
  const { stdout, stderr, code } = await at(home, ["audit", "--json", ...args], env);
  return { ...JSON.parse(stdout), stderr, code };
}

const agentsIn = ({ sessions }) => [...new Set(sessions.map(({ agent }) => agent))].sort();

describe("sessions are found", () => {
  test("of every agent, without a word about folders that are not there", async () => {
    const home = newHome();
    const agents = makeHome(home, "linux");
    const all = await report(home);
    assert.deepEqual([all.code, all.stderr, all.problems], [0, "", []]);
    assert.deepEqual(agentsIn(all), agents);
    assert.equal(all.sessions.length, agents.length);
    const empty = newHome();
    mkdirSync(empty);
    const none = await at(empty, []);
    assert.deepEqual([none.code, none.stderr], [0, ""]);
    assert.match(none.stdout, /no session of any agent was found/);
  });

  test("where variables have moved them, and only there", async () => {
    const home = newHome();
    makeHome(home, "linux");
    const moved = newHome();
    const copy = (to, from) => {
      const file = path.join(moved, to);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, readFileSync(path.join(SAVED, from)));
    };
    copy("claude/projects/-site/a.jsonl", "claude-code.jsonl");
    copy("codex/sessions/2026/01/01/rollout-b.jsonl", "codex-rollout.jsonl");
    copy("gemini/.gemini/tmp/site/chats/session-c.json", "gemini-cli-session.json");
    copy("copilot/session-state/d/events.jsonl", "copilot-cli.jsonl");
    copy("pi/sessions/--site--/e.jsonl", "pi.jsonl");
    copy("kimi/sessions/0a/f/wire.jsonl", "kimi.jsonl");
    copy("qwen/projects/-site/chats/g.jsonl", "qwen-code.jsonl");
    const env = {
      CLAUDE_CONFIG_DIR: path.join(moved, "claude"),
      CODEX_HOME: path.join(moved, "codex"),
      GEMINI_CLI_HOME: path.join(moved, "gemini"),
      COPILOT_HOME: path.join(moved, "copilot"),
      PI_CODING_AGENT_DIR: path.join(moved, "pi"),
      KIMI_SHARE_DIR: path.join(moved, "kimi"),
      QWEN_RUNTIME_DIR: path.join(moved, "qwen"),
    };
    const agents = "claude-code,codex,gemini-cli,copilot-cli,pi,kimi,qwen-code";
    const { sessions } = await report(home, ["--since", "all", "--agent", agents], env);
    assert.equal(sessions.length, 7);
    for (const { file } of sessions) assert.ok(file.startsWith(moved), file);
  });

  test("of one agent with --agent, and by a path", async () => {
    const home = newHome();
    makeHome(home, "linux");
    assert.deepEqual(agentsIn(await report(home, ["--since", "all", "--agent", "pi,codex"])), [
      "codex",
      "pi",
    ]);
    const [claude] = sessionsOfAgents("linux")["claude-code"];
    const named = await report(home, [path.join(home, claude)]);
    assert.deepEqual(agentsIn(named), ["claude-code"]);
    const wrong = await at(home, ["audit", "--agent", "nobody"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /"nobody" is none of claude-code, codex/);
  });

  test("by the times in them, else by the file's own", async () => {
    const home = newHome();
    const now = Date.now();
    const day = (n) => new Date(now - n * 86_400_000);
    const claude = (name, time) => {
      const file = path.join(home, ".claude/projects/-site", name);
      mkdirSync(path.dirname(file), { recursive: true });
      const text = readFileSync(path.join(SAVED, "claude-code.jsonl"), "utf8");
      const dated = text.replaceAll(
        /"timestamp": ?"[^"]*"/g,
        `"timestamp":"${time.toISOString()}"`,
      );
      writeFileSync(file, dated);
    };
    claude("new.jsonl", day(2));
    claude("old.jsonl", day(20));
    const task = path.join(
      home,
      ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json",
    );
    mkdirSync(path.dirname(task), { recursive: true });
    writeFileSync(task, '[{"role":"user","content":"Go."},{"role":"assistant","content":"Done."}]');
    utimesSync(task, day(10), day(10));
    const names = async (...args) =>
      (await report(home, args)).sessions.map(({ file }) => path.basename(file)).sort();
    assert.deepEqual(await names(), ["new.jsonl"]);
    assert.deepEqual(await names("--since", "12d"), ["api_conversation_history.json", "new.jsonl"]);
    assert.deepEqual(await names("--since", "30d", "--until", "15d"), ["old.jsonl"]);
    assert.equal((await names("--since", "all")).length, 3);
    const wrong = await at(home, ["audit", "--since", "yesterday"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /7d, 24h, 2w/);
  });

  test("by days, the last of them whole, as the user's clock has them", async () => {
    const home = newHome();
    const session = file(
      "october.jsonl",
      ["2026-10-03T22:00:00Z", "2026-10-04T23:30:00Z"].map((timestamp, n) => ({
        type: n === 0 ? "user" : "assistant",
        uuid: `u${n}`,
        sessionId: "s",
        timestamp,
        message: { role: n === 0 ? "user" : "assistant", content: "Go." },
      })),
    );
    const env = { TZ: "Asia/Shanghai" };
    const shown = async (...args) => (await at(home, ["audit", ...args, session], env)).stdout;
    // In Shanghai it is six in the morning of the 4th, and half past seven of the 5th.
    const whole = await shown("--since", "2026-10-04", "--until", "2026-10-04");
    assert.match(whole, /^since 2026-10-04 until 2026-10-04: 1 session/);
    const none = await shown("--since", "2026-10-06");
    assert.equal(none, "since 2026-10-06: no session is in what was named\n");
    const late = await at(home, ["audit", "--since", "7d", "--until", "14d", session], env);
    assert.deepEqual([late.code, late.stdout], [2, ""]);
    assert.match(late.stderr, /--since is later than --until/);
    const february = await at(home, ["audit", "--since", "2026-02-31", session], env);
    assert.equal(february.code, 2);
  });

  test("with the titles and folders that agents keep beside them", async () => {
    const home = newHome();
    makeHome(home, "linux");
    const beside = (agent, name, text) =>
      writeFileSync(path.join(home, path.dirname(sessionsOfAgents("linux")[agent][0]), name), text);
    const [rollout] = sessionsOfAgents("linux").codex;
    const id = /[0-9a-f-]{36}(?=\.jsonl)/.exec(rollout)[0];
    writeFileSync(
      path.join(home, ".codex/session_index.jsonl"),
      `${JSON.stringify({ id, thread_name: "Old" })}\n${JSON.stringify({ id, thread_name: "Footer" })}\n`,
    );
    beside("copilot-cli", "workspace.yaml", 'id: 4\ncwd: /home/user/other\nsummary: "The year"\n');
    beside("roo", "history_item.json", '{"task":"Mend the footer","workspace":"/home/user/roo"}');
    beside("gemini-cli", "../.project_root", "/home/user/gemini\n");
    const { sessions } = await report(home);
    const of = (name) => sessions.find(({ agent }) => agent === name);
    assert.equal(of("codex").title, "Footer");
    assert.deepEqual(
      [of("copilot-cli").title, of("copilot-cli").project],
      ["The year", "/home/user/other"],
    );
    assert.deepEqual([of("roo").title, of("roo").project], ["Mend the footer", "/home/user/roo"]);
    assert.equal(of("gemini-cli").project, "/home/user/gemini");
    assert.equal(of("openhands").title, "Year in the footer");
  });
});

/** Bytes as zstd packs what it cannot make shorter: a frame with blocks as they are. */
function packed(bytes) {
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), Buffer.alloc(4)];
  parts[1].writeUInt32LE(bytes.length);
  const most = 100_000;
  for (let at = 0; at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length ? 1 : 0;
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | isLast, 0, 3);
    parts.push(head, block);
  }
  return Buffer.concat(parts);
}

describe("what is no text", () => {
  test("rollouts that are packed", async () => {
    const home = newHome();
    const file = path.join(home, ".codex/sessions/2026/01/01/rollout-a.jsonl.zst");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, packed(readFileSync(path.join(SAVED, "codex-rollout.jsonl"))));
    const { sessions, problems } = await report(home);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      sessions.map(({ agent, calls }) => [agent, calls]),
      [["codex", 3]],
    );
  });

  test("a database that is broken is named in one line, and the rest is judged", async () => {
    const home = newHome();
    const agents = makeHome(home, "linux");
    const file = path.join(home, ".local/share/goose/sessions/sessions.db");
    writeFileSync(file, "SQLite format 3\0");
    const all = await report(home);
    assert.equal(all.code, 2);
    assert.match(
      all.stderr,
      /^turnkeeper: [^\n]*sessions\.db cannot be read as a database \([^\n]*\)\n$/,
    );
    assert.deepEqual(agentsIn(all), agents);
  });

  const skip =
    process.getBuiltinModule?.("node:sqlite") === undefined && "this Node makes no databases";
  test(
    "databases of opencode, Kilo, goose and crush, also while one is written",
    { skip },
    async () => {
      const home = newHome();
      const info = { role: "assistant", modelID: "claude-sonnet-4-5", cost: 0.5 };
      const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 100, write: 20 } };
      const tables = [
        "CREATE TABLE session (id TEXT, title TEXT, directory TEXT, version TEXT, time_created INT, time_updated INT)",
        "CREATE TABLE message (id TEXT, session_id TEXT, data TEXT)",
        "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)",
        [
          "INSERT INTO session VALUES ('s1', 'Footer', '/home/user/site', '1.2', 1767258000000, 1767258000000)",
        ],
        [
          "INSERT INTO message VALUES ('m1', 's1', ?)",
          JSON.stringify({ role: "user", time: { created: 1767258000000 } }),
        ],
        [
          "INSERT INTO part VALUES ('p1', 'm1', 's1', ?)",
          JSON.stringify({ type: "text", text: "Fix it." }),
        ],
        [
          "INSERT INTO message VALUES ('m2', 's1', ?)",
          JSON.stringify({ ...info, tokens, time: { created: 1767258001000 } }),
        ],
        [
          "INSERT INTO part VALUES ('p2', 'm2', 's1', ?)",
          JSON.stringify({ type: "text", text: "Done." }),
        ],
      ];
      database(path.join(home, ".local/share/kilo/kilo.db"), tables).close();
      const open = database(path.join(home, ".local/share/opencode/opencode.db"), [
        "PRAGMA journal_mode = WAL",
        ...tables,
      ]);
      database(path.join(home, ".local/share/goose/sessions/sessions.db"), [
        "CREATE TABLE sessions (id TEXT, name TEXT, description TEXT, working_dir TEXT, updated_at TEXT, accumulated_input_tokens INT, accumulated_output_tokens INT, model_config_json TEXT)",
        "CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INT, metadata_json TEXT)",
        [
          "INSERT INTO sessions VALUES ('g1', 'Footer', '', '/home/user/site', '2026-01-01 09:00:00', 100, 10, '{\"model_name\":\"gpt-5.1\"}')",
        ],
        [
          "INSERT INTO messages VALUES (1, 'g1', 'user', '[{\"type\":\"text\",\"text\":\"Fix it.\"}]', 1767258000, '{}')",
        ],
        [
          "INSERT INTO messages VALUES (2, 'g1', 'assistant', '[{\"type\":\"text\",\"text\":\"Done.\"}]', 1767258001, '{}')",
        ],
      ]).close();
      const project = path.join(home, "project");
      database(path.join(project, ".crush/crush.db"), [
        "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, prompt_tokens INT, completion_tokens INT, cost REAL, created_at INT, updated_at INT)",
        "CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INT, is_summary_message INT)",
        [
          "INSERT INTO sessions VALUES ('c1', NULL, 'Footer', 900, 3, 1.25, 1767258000, 1767258001)",
        ],
        [
          "INSERT INTO messages VALUES ('m1', 'c1', 'user', '[{\"type\":\"text\",\"data\":{\"text\":\"Fix it.\"}}]', '', 1767258000, 0)",
        ],
        [
          'INSERT INTO messages VALUES (\'m2\', \'c1\', \'assistant\', \'[{"type":"tool_call","data":{"id":"t1","name":"ls","input":"{}"}}]\', \'gpt-5.1\', 1767258001, 0)',
        ],
      ]).close();
      const list = path.join(home, ".local/share/crush/projects.json");
      mkdirSync(path.dirname(list), { recursive: true });
      writeFileSync(
        list,
        JSON.stringify({ projects: [{ path: project, data_dir: path.join(project, ".crush") }] }),
      );
      const { sessions, problems, stderr } = await report(home);
      open.close();
      assert.deepEqual([problems, stderr], [[], ""]);
      const found = Object.fromEntries(
        sessions.map(({ agent, id, title, usage }) => [agent, [id, title, usage.dollars]]),
      );
      assert.deepEqual(found, {
        // Both databases hold the same answer here, which counts once.
        kilo: ["s1", "Footer", 0.5],
        opencode: ["s1", "Footer", 0],
        crush: ["c1", "Footer", 1.25],
        goose: ["g1", "Footer", (100 * 1.25 + 10 * 10) / 1e6],
      });
    },
  );
});
