// What agents recorded of tokens and money: every answer once, in whatever lines and files it stands.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { file, folder, run } from "../node/replay-command.mjs";

/** The whole report; the usage alone is the same. */
async function report(...args) {
  const whole = JSON.parse((await run(["audit", "--json", ...args])).stdout);
  const alone = JSON.parse((await run(["audit", "--usage", "--json", ...args])).stdout);
  assert.deepEqual(alone, ofUsage(whole));
  return whole;
}

const FIELDS = "file id format agent title project model started ended usage".split(" ");

/** The fields of a report that are about usage. */
function ofUsage({ profile: _, ...report }) {
  const { sessions, sessionsEstimated, usage } = report.total;
  const rows = report.groups?.rows.map(({ saveable: _, ...row }) => row);
  return {
    ...report,
    sessions: report.sessions.map((session) => {
      const own = FIELDS.filter((name) => name in session);
      return Object.fromEntries(own.map((name) => [name, session[name]]));
    }),
    total: { sessions, sessionsEstimated, usage },
    ...(rows && { groups: { ...report.groups, rows } }),
  };
}
const usageOf = async (...args) => {
  const { requests, input, cacheRead, cacheWrite, output, dollars } = (await report(...args)).total
    .usage;
  return { requests, input, cacheRead, cacheWrite, output, dollars };
};
const time = (seconds) => new Date(Date.UTC(2026, 0, 1, 9) + seconds * 1_000).toISOString();

const answer = (id, usage, more = {}) => ({
  type: "assistant",
  uuid: `u-${id}-${Math.round(usage.output_tokens)}-${more.at ?? 0}`,
  sessionId: "s",
  timestamp: time(more.at ?? 0),
  requestId: `req_${id}`,
  ...more.line,
  message: {
    id: `msg_${id}`,
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: "." }],
    usage,
    ...more.message,
  },
});
const usage = (input, read, write, output, long = 0) => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
  cache_creation: { ephemeral_5m_input_tokens: write - long, ephemeral_1h_input_tokens: long },
  output_tokens: output,
});
const prompt = {
  type: "user",
  uuid: "u0",
  sessionId: "s",
  timestamp: time(0),
  message: { role: "user", content: "Go." },
};

describe("Claude Code", () => {
  test("an answer of several lines counts once, with its largest output", async () => {
    const lines = [
      prompt,
      answer("1", usage(10, 100, 20, 1)),
      answer("2", usage(5, 130, 0, 7)),
      // Not all lines of an answer follow each other.
      answer("1", usage(10, 100, 20, 30)),
      answer("1", usage(10, 100, 20, 4)),
      answer("9", usage(0, 0, 0, 0), { message: { model: "<synthetic>" } }),
    ];
    assert.deepEqual(await usageOf(file("lines.jsonl", lines)), {
      requests: 2,
      input: 15,
      cacheRead: 230,
      cacheWrite: 20,
      output: 37,
      dollars: (15 * 3 + 230 * 0.3 + 20 * 3.75 + 37 * 15) / 1e6,
    });
  });

  test("an answer that a resumed session repeats counts once in all files", async () => {
    const target = path.join(folder, "resumed");
    mkdirSync(target);
    const first = [prompt, answer("1", usage(10, 0, 0, 5))];
    const second = [...first, answer("2", usage(20, 0, 0, 5), { at: 60 })];
    for (const [name, lines] of Object.entries({ "a.jsonl": first, "b.jsonl": second })) {
      writeFileSync(
        path.join(target, name),
        lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
      );
    }
    const { sessions, total } = await report(target);
    assert.deepEqual(
      sessions.map(({ usage }) => usage.input),
      [10, 20],
    );
    assert.deepEqual([total.usage.requests, total.usage.input], [2, 30]);
    // The session that has only copies has cost nothing.
    writeFileSync(
      path.join(target, "c.jsonl"),
      first.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const again = await report(target);
    assert.deepEqual(
      again.sessions.map(({ usage }) => usage.dollars > 0),
      [true, true, false],
    );
    assert.equal(again.total.usage.dollars, total.usage.dollars);
  });

  test("subagents were paid for, whether in the file, in progress lines or in a file of their own", async () => {
    const side = answer("side", usage(7, 0, 0, 1), { line: { isSidechain: true } });
    const progress = {
      type: "progress",
      uuid: "p",
      data: { message: answer("other", usage(99, 0, 0, 9)) },
    };
    const name = file("sides.jsonl", [prompt, answer("1", usage(1, 0, 0, 1)), side, progress]);
    assert.equal((await usageOf(name)).input, 107);
    const own = file("own.jsonl", [
      { ...prompt, uuid: "u9", timestamp: time(5) },
      answer("other", usage(99, 0, 0, 70), { at: 6 }),
    ]);
    const { sessions, total } = await report(name, own);
    assert.deepEqual([...sessions.map((it) => it.usage.input), total.usage.output], [8, 99, 72]);
  });

  test("what is kept for an hour costs twice the input", async () => {
    const name = file("hour.jsonl", [prompt, answer("1", usage(0, 0, 1_000_000, 0, 400_000))]);
    assert.equal((await usageOf(name)).dollars, 0.6 * 3.75 + 0.4 * 6);
  });

  test("only answers of the time count", async () => {
    const name = file("days.jsonl", [
      prompt,
      answer("1", usage(10, 0, 0, 1)),
      answer("2", usage(20, 0, 0, 1), { at: 2 * 86_400 }),
    ]);
    assert.equal((await usageOf("--since", "2026-01-02", name)).input, 20);
  });
});

const codex = (type, payload, at = 0) => ({ timestamp: time(at), type, payload });
const counts = (input, cached, output) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
});
const count = (last, total, at) =>
  codex(
    "event_msg",
    { type: "token_count", info: { last_token_usage: last, total_token_usage: total } },
    at,
  );
const meta = (more = {}) => codex("session_meta", { id: "t1", cwd: "/w", ...more });
const context = codex("turn_context", { cwd: "/w", model: "gpt-5.1-codex" });
const said = codex(
  "response_item",
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "." }] },
  5,
);

describe("Codex", () => {
  test("a request counts where the sum changes, and estimates do not", async () => {
    const name = file("rollout.jsonl", [
      meta(),
      context,
      said,
      count(counts(1_000, 600, 50), counts(1_000, 600, 50), 10),
      count(counts(1_000, 600, 50), counts(1_000, 600, 50), 11),
      codex("event_msg", { type: "token_count", info: null }, 12),
      count(counts(2_000, 1_500, 10), counts(3_000, 2_100, 60), 13),
      // Around a compaction only the size of the context stands there, and the sum begins anew.
      count({ ...counts(0, 0, 0), total_tokens: 900 }, counts(1, 0, 0), 14),
      count(counts(100, 0, 1), counts(100, 0, 1), 15),
    ]);
    assert.deepEqual(await usageOf(name), {
      requests: 3,
      input: 400 + 500 + 100,
      cacheRead: 2_100,
      cacheWrite: 0,
      output: 61,
      dollars: Math.round(1_000 * 1.25 + 2_100 * 0.125 + 61 * 10) / 1e6,
    });
  });

  test("of a record and the count after it one is taken, and a parent's are not", async () => {
    const record = (thread_id, response_id, usage, at) =>
      codex("token_usage_record", { thread_id, response_id, usage }, at);
    const name = file("records.jsonl", [
      meta(),
      context,
      said,
      record("t0", "r0", counts(9_000, 0, 0), 1),
      record("t1", "r1", counts(100, 0, 5), 2),
      count(counts(100, 0, 5), counts(100, 0, 5), 2),
    ]);
    assert.deepEqual([(await usageOf(name)).input, (await usageOf(name)).output], [100, 5]);
  });

  test("a fork begins with its parent's lines, dated at its own start", async () => {
    const name = file("fork.jsonl", [
      meta({ forked_from_id: "t0" }),
      context,
      count(counts(5_000, 0, 5), counts(5_000, 0, 5), 0),
      said,
      count(counts(70, 0, 5), counts(5_070, 0, 10), 60),
    ]);
    assert.equal((await usageOf(name)).input, 70);
  });
});

describe("other agents", () => {
  const task = { type: "say", say: "task", text: "Go.", ts: 1 };
  const request = (say, value) => ({
    type: "say",
    say,
    text: JSON.stringify(value),
    ts: 1767258000000,
  });
  test("Cline's requests, those that were taken back, and what it says that they cost", async () => {
    const target = path.join(folder, "cline-task");
    mkdirSync(target);
    const history = [
      { role: "user", content: "Go." },
      { role: "assistant", content: "Done." },
    ];
    writeFileSync(path.join(target, "api_conversation_history.json"), JSON.stringify(history));
    const ui = [
      task,
      request("api_req_started", {
        tokensIn: 10,
        tokensOut: 5,
        cacheWrites: 3,
        cacheReads: 100,
        cost: 0.5,
      }),
      request("api_req_started", { request: "cancelled" }),
      request("deleted_api_reqs", {
        tokensIn: 1,
        tokensOut: 1,
        cacheWrites: 0,
        cacheReads: 0,
        cost: 0.25,
      }),
    ];
    writeFileSync(path.join(target, "ui_messages.json"), JSON.stringify(ui));
    assert.deepEqual(await usageOf(target), {
      requests: 2,
      input: 11,
      cacheRead: 100,
      cacheWrite: 3,
      output: 6,
      dollars: 0.75,
    });
  });

  test("Copilot's sums are those of each run alone, also when a session is resumed", async () => {
    const event = (type, data, n) => ({ type, data, id: `e${n}`, timestamp: time(n) });
    const end = (inputTokens, n) =>
      event(
        "session.shutdown",
        {
          modelMetrics: {
            "gpt-5.1": { usage: { inputTokens, outputTokens: 1, cacheReadTokens: 10 } },
          },
        },
        n,
      );
    const name = file("legs.jsonl", [
      event("session.start", { sessionId: "s" }, 1),
      event("user.message", { content: "Go." }, 2),
      end(100, 3),
      event("session.resume", {}, 4),
      end(150, 5),
      event("session.compaction_complete", { success: true }, 6),
      end(40, 7),
    ]);
    const { input, cacheRead, output } = await usageOf(name);
    assert.deepEqual([input, cacheRead, output], [90 + 140 + 30, 30, 3]);
  });

  test("what a file does not record is estimated, and marked", async () => {
    const name = file(
      "plain.json",
      JSON.stringify([
        { role: "user", content: "Go." },
        { role: "assistant", content: "Done." },
      ]),
    );
    const { sessions } = await report("--model", "claude-sonnet-4-5", name);
    assert.equal(sessions[0].usage.isEstimated, true);
    const { stdout } = await run(["audit", "--model", "claude-sonnet-4-5", name]);
    assert.match(stdout, /1 session, ~(under )?\$/);
    const unknown = (await report("--model", "nobody-knows-it", name)).sessions[0];
    assert.equal(unknown.usage.dollars, undefined);
  });
});

describe("what could be saved", () => {
  const events = (n) => [
    { type: "turn_started" },
    { type: "tool_call", id: `c${n}`, name: "read_file", args: { path: "a.ts" } },
    { type: "tool_result", id: `c${n}`, output: "export const answer = 42;\n".repeat(20) },
  ];

  test("reads that a compaction made necessary again", async () => {
    const name = file("reread.jsonl", [
      ...events(1),
      { type: "condensation" },
      ...events(2),
      { type: "turn_started" },
    ]);
    const { rereads } = (await report(name)).sessions[0].saveable;
    assert.deepEqual([rereads.compactions, rereads.calls], [1, 1]);
    assert.equal(rereads.tokensSent, rereads.tokens);
    assert.ok(rereads.tokens > 50);
    const without = file("no-compaction.jsonl", [...events(1), ...events(2)]);
    assert.equal((await report(without)).sessions[0].saveable.rereads.calls, 0);
  });

  test("requests after the cache's lifetime that paid for the context again", async () => {
    const lines = [
      prompt,
      answer("1", usage(0, 0, 100_000, 1)),
      answer("2", usage(0, 100_000, 100, 1), { at: 60 }),
      // After a break all of it is written again.
      answer("3", usage(0, 0, 100_200, 1), { at: 60 + 3_600 }),
      // A new session of the same length would not be a pause.
      answer("4", usage(0, 100_200, 50, 1), { at: 60 + 3_660 }),
    ];
    const { pauses } = (await report(file("pause.jsonl", lines))).sessions[0].saveable;
    assert.deepEqual([pauses.requests, pauses.tokens], [1, 100_100]);
    assert.ok(Math.abs(pauses.dollars - (100_100 * (3.75 - 0.3)) / 1e6) < 1e-6);
  });

  test("the requests of a loop after its first nudge, by their record", async () => {
    const call = (n) =>
      answer(`${n}`, usage(0, 0, 0, 1_000), {
        at: n,
        message: {
          content: [
            { type: "tool_use", id: `t${n}`, name: "Bash", input: { command: "npm test" } },
          ],
        },
      });
    const result = (n) => ({
      type: "user",
      uuid: `r${n}`,
      sessionId: "s",
      timestamp: time(n),
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${n}`, content: "1 failing" }],
      },
    });
    const lines = [prompt, ...Array.from({ length: 30 }, (_, n) => [call(n), result(n)]).flat()];
    const [{ saveable, loops }] = (await report(file("loop.jsonl", lines))).sessions;
    assert.equal(loops.length, 1);
    const { requests, tokens, dollars } = saveable.loops;
    assert.ok(requests > 1, `${requests}`);
    assert.equal(tokens, requests * 1_000);
    assert.ok(Math.abs(dollars - (tokens * 15) / 1e6) < 1e-6);
    assert.equal(saveable.dollars, dollars);
  });

  test("is never more than was spent", async () => {
    const { sessions } = await report(path.dirname(file("any.txt", "")));
    for (const { usage, saveable } of sessions) {
      if (usage.dollars !== undefined) assert.ok((saveable.dollars ?? 0) <= usage.dollars);
    }
  });
});

test("a week is compared with the one before, and only counts are kept", async () => {
  const home = path.join(folder, "home-of-weeks");
  const projects = path.join(home, ".claude/projects/-secret-project");
  mkdirSync(projects, { recursive: true });
  const at = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
  const dated = (id, days, output) => ({
    ...answer(id, usage(0, 0, 0, output)),
    timestamp: at(days),
  });
  const write = (...lines) =>
    writeFileSync(
      path.join(projects, "a.jsonl"),
      [{ ...prompt, timestamp: at(1) }, ...lines]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
  const state = path.join(home, "state");
  const env = { HOME: home, XDG_STATE_HOME: state };
  const days = path.join(state, "turnkeeper/audit.jsonl");
  write(dated("1", 1, 1_000_000));
  await run(["--no-history"], { env });
  assert.throws(() => readFileSync(days));
  await run([], { env });
  const [line] = readFileSync(days, "utf8").trim().split("\n").map(JSON.parse);
  assert.deepEqual([line.tokens, line.dollars, line.requests], [1_000_000, 15, 1]);
  assert.doesNotMatch(readFileSync(days, "utf8"), /secret/);
  const before = { ...line, day: at(9).slice(0, 10), dollars: 30 };
  writeFileSync(days, `${JSON.stringify(before)}\n${JSON.stringify(line)}\nbroken\n`);
  const { stdout } = await run([], { env });
  assert.match(stdout.replace(/\s+/g, " "), /\(50% less than the week before\)/);
  const named = path.join(home, "named");
  await run([], { env: { ...env, TURNKEEPER_STATE: named } });
  assert.equal(statSync(named).mode & 0o077, 0);
  assert.equal(JSON.parse(readFileSync(path.join(named, "audit.jsonl"), "utf8")).requests, 1);
});
