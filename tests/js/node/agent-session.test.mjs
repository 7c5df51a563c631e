// The five machines as one object: a conversation of twelve turns, with real files and a real shell.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";

import { COUNT, FILES, take } from "../conversation/twelve-turns.mjs";
import { turnkeeper } from "./installed-package.mjs";

const { AgentSession, GhostBlockAssembler, LoopDetector, TerminalSelector, TurnkeeperError } =
  turnkeeper;

const fixture = new URL("../../data/agent-session/twelve-turns.txt", import.meta.url);
const expected = readFileSync(fixture, "utf8");

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-session-"));
after(() => rmSync(folder, { recursive: true }));

const options = (root = "/work") => ({
  assembler: { root },
  terminals: { platform: "posix" },
  loop: { profile: "standard" },
});
const host = { readFile: async ({ path }) => `content of ${path}` };

/** A folder with the project's files, and terminals each of which is a shell that stands somewhere. */
function makeDriver(name) {
  const root = path.join(folder, name);
  const place = (file) => path.join(root, file);
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(place(file)), { recursive: true });
    writeFileSync(place(file), text);
  }
  const stands = [];
  return {
    root,
    stands,
    async readFile({ path: file, startLine, endLine }) {
      if (!existsSync(place(file))) return { missing: true };
      const lines = readFileSync(place(file), "utf8").split("\n");
      return lines.slice((startLine ?? 1) - 1, endLine).join("\n");
    },
    async writeFile(file, text) {
      writeFileSync(place(file), text);
    },
    async run(session, command, at, { isUnreported }) {
      const { terminals } = session;
      const request = { workingDirectory: place(at), provider: "sh", taskId: "a" };
      const { action, terminalId, command: line } = session.selectTerminal({ command, ...request });
      const id = terminalId ?? stands.push(request.workingDirectory) - 1;
      if (action === "create") terminals.register({ id, shell: "sh", busy: true, ...request });
      const where = path.join(folder, "pwd");
      const output = execFileSync("sh", ["-c", `${line}\npwd > '${where}'`], {
        cwd: stands[id],
        encoding: "utf8",
      });
      stands[id] = readFileSync(where, "utf8").trimEnd();
      terminals.update(id, { busy: false });
      if (!isUnreported) terminals.update(id, { workingDirectory: stands[id] });
      return { action, output };
    },
  };
}

/** Its commands run in a shell of POSIX, in places that are written so. */
const skip = process.platform === "win32";

describe("a conversation of twelve turns", { skip }, () => {
  test("sends the prompts that a person can read in the fixture", async () => {
    const driver = makeDriver("whole");
    const session = new AgentSession(options(driver.root));
    const transcript = await take(session, driver, 0, COUNT);
    if (process.env.TURNKEEPER_WRITE) writeFileSync(fixture, transcript);
    else assert.equal(transcript, expected);
    assert.equal(driver.stands.length, 1, "terminals");
    const choices = session.log.filter(({ machine }) => machine === "terminal_selector");
    assert.equal(choices.at(-1).detail.directory, "uncertain");
    assert.equal(choices.at(-1).what, "reuse_with_cd");
    session.dispose();
  });

  test("is the same if the process ends between any two steps", async () => {
    const driver = makeDriver("in-pieces");
    let session = new AgentSession(options(driver.root));
    let transcript = "";
    for (let step = 0; step < COUNT; step++) {
      transcript += await take(session, driver, step, step + 1);
      const bytes = session.snapshot();
      session.dispose();
      session = AgentSession.restore(bytes);
      assert.deepEqual(session.snapshot(), bytes);
    }
    assert.equal(transcript, expected);
    assert.equal(driver.stands.length, 1, "terminals");
    session.dispose();
  });

  test("has one block of each kind in a prompt, and the goal", () => {
    const prompts = expected
      .split("[system]")
      .slice(1)
      .map((prompt) => prompt.split("[is asked for a summary]")[0]);
    assert.equal(prompts.length, 15);
    for (const prompt of prompts) {
      const count = (text) => prompt.split(text).length - 1;
      assert.ok(count("<content_reference>") <= 1, prompt);
      assert.equal(count("<environment_details>"), 1, prompt);
      assert.equal(count("\nUser's Goal: "), 1, prompt);
    }
    assert.equal(
      expected.split("(stop: ").length,
      3,
      "the loop, and the one that the agent reports",
    );
    assert.equal(expected.split("(no_open_point: ").length, 2, "what the model's summary lacks");
  });
});

describe("terminals that sessions share", () => {
  const request = { command: "ls", workingDirectory: "/work", provider: "p" };
  const decisions = ({ log }) => log.map(({ what, detail }) => [what, detail.terminalId]);

  test("are one window's: one session's is the next one's, and its log has its own choices alone", () => {
    const terminals = new TerminalSelector({ platform: "posix", maxTerminals: 1 });
    const [a, b] = ["a", "b"].map(
      (taskId) => new AgentSession({ assembler: { root: "/work" }, terminals, taskId }),
    );
    assert.equal(a.terminals, b.terminals);
    assert.equal(a.selectTerminal(request).action, "create");
    terminals.register({
      id: 1,
      provider: "p",
      shell: "bash",
      workingDirectory: "/work",
      taskId: "a",
    });
    a.terminals.releaseTask("a");
    // As `terminals.run` of VS Code's does it.
    assert.equal(terminals.select({ ...request, taskId: "b" }).terminalId, 1);
    assert.equal(a.selectTerminal(request).action, "wait");
    assert.equal(terminals.select({ ...request, taskId: "c" }).action, "wait");
    assert.deepEqual(decisions(a), [
      ["create", undefined],
      ["wait", undefined],
    ]);
    assert.deepEqual(decisions(b), [["reuse", 1]]);
    b.dispose();
    assert.equal(a.selectTerminal(request).action, "wait");
    const restored = AgentSession.restore(a.snapshot(), { terminals });
    a.dispose();
    assert.equal(restored.selectTerminal(request).action, "wait");
    restored.dispose();
    assert.equal(terminals.terminals.length, 1, "they are not disposed of with a session");
    terminals.dispose();
  });

  test("of a session alone are in its log, whoever asks for one", () => {
    const session = new AgentSession(options());
    session.terminals.select(request);
    session.selectTerminal({ ...request, taskId: "t" });
    assert.deepEqual(decisions(session), [
      ["create", undefined],
      ["create", undefined],
    ]);
    const restored = AgentSession.restore(session.snapshot());
    restored.terminals.select(request);
    assert.equal(restored.log.length, 1);
    session.dispose();
    restored.dispose();
  });

  test("are refused by name where they are none", () => {
    const snapshot = new AgentSession(options()).snapshot();
    assert.throws(() => AgentSession.restore(snapshot, { terminals: {} }), {
      detail: { field: "options.terminals" },
    });
    assert.throws(() => new AgentSession({ ...options(), taskId: 7 }), {
      code: "invalid_config",
      detail: { field: "taskId" },
    });
  });
});

describe("the log of a session", () => {
  test("says what was decided, and why", async () => {
    const session = new AgentSession({
      ...options(),
      assembler: { root: "/work", maxTokens: 20 },
    });
    session.beginTurn({ prompt: "@[a.md] @[../b.md] @{nonsense" });
    await session.assemble({ readFile: async () => "word ".repeat(100) });
    session.selectTerminal({ command: "ls", workingDirectory: "/work", provider: "p" });
    session.beginTurn({ prompt: "Go on." });
    const calls = Array.from({ length: 12 }, () => ({ type: "tool_call", name: "ls", args: {} }));
    for await (const event of session.guard(streamOf(calls), { abort: new AbortController() })) {
      assert.ok(event);
    }
    assert.deepEqual(
      session.log.map(({ turn, machine, what }) => [turn, machine, what]),
      [
        [1, "ghost_block_assembler", "omitted"],
        [1, "ghost_block_assembler", "failed"],
        [1, "ghost_block_assembler", "diagnostic"],
        [1, "ghost_block_assembler", "diagnostic"],
        [1, "terminal_selector", "create"],
        [1, "summary_injector", "turn_completed"],
        [2, "loop_detector", "stop"],
      ],
    );
    for (const { why } of session.log) assert.match(why, /^\S.{9}/);
    assert.equal(session.log.at(-1).detail.count, 10);
    session.dispose();
  });

  test("a task can be done, and the log says when the summaries have no room", () => {
    const session = new AgentSession({ ...options(), summaries: { maxTokens: 60 } });
    session.beginTurn({ prompt: "Fix it.", task: "Fix the login." });
    session.endTurn({ summary: "words of a long summary ".repeat(50) });
    session.beginTurn({ prompt: "How do I deploy this?", task: null });
    assert.equal(session.summaries.currentTurn.task, undefined);
    assert.deepEqual(
      session.log.map(({ turn, machine, what }) => [turn, machine, what]),
      [[1, "summary_injector", "summaries_cut"]],
    );
    session.dispose();
  });

  test("is bounded, and a copy", () => {
    const session = new AgentSession(options());
    const request = { command: "ls", workingDirectory: "/work", provider: "p" };
    for (let at = 0; at < 250; at++) session.selectTerminal(request);
    session.log.length = 0;
    assert.equal(session.log.length, 200);
    session.dispose();
  });

  test("holds no long command, and the selector's log no more than 1 MiB of commands", () => {
    const session = new AgentSession(options());
    const command = `echo ${"x".repeat(400_000)}`;
    const request = { command, workingDirectory: "/work", provider: "p" };
    for (let at = 0; at < 5; at++) session.selectTerminal(request);
    for (const { detail } of session.log) assert.equal(detail.command, "[400005 characters]");
    assert.equal(session.terminals.log.length, 2);
    session.dispose();
  });
});

describe("a session", () => {
  test("is at the beginning of a prompt with each turn, unless that names the one that runs", () => {
    const session = new AgentSession(options());
    const call = { type: "tool_call", name: "ls", args: {} };
    const loops = () => Array.from({ length: 9 }, () => session.loop.observe(call).action).at(-1);
    assert.equal(session.beginTurn({ prompt: "a" }), 1);
    assert.equal(loops(), "ok");
    assert.equal(session.beginTurn({ prompt: "a" }), 2);
    assert.equal(loops(), "ok");
    session.beginTurn({ prompt: "a", promptId: "one" });
    assert.equal(loops(), "ok");
    session.beginTurn({ prompt: "a", promptId: "one" });
    assert.equal(loops(), "stop");
    session.dispose();
  });

  test("tells the loop detector the model, and what the user asked for", () => {
    const session = new AgentSession(options());
    session.beginTurn({ prompt: "a", model: "any-preview" });
    const calls = Array.from({ length: 4 }, (_, at) => ({
      type: "tool_call",
      name: "read_file",
      args: { at },
    }));
    assert.equal(session.loop.observeAll(calls).action, "stop");
    const chant = "Write it. Write it again! ";
    session.beginTurn({ prompt: `Repeat: ${chant}` });
    assert.equal(session.loop.observe({ type: "text", text: chant.repeat(40) }).action, "ok");
    session.beginTurn({ prompt: "Do something." });
    assert.equal(session.loop.observe({ type: "text", text: chant.repeat(40) }).action, "stop");
    session.dispose();
  });

  test("takes an environment with its tags or bare, in tags of any name", async () => {
    for (const tags of [undefined, ["env", "environment_details"]]) {
      const session = new AgentSession({ ...options(), ...(tags && { environmentTags: tags }) });
      const tag = tags?.[0] ?? "environment_details";
      const block = `<${tag}>\nnow\n</${tag}>`;
      for (const environment of ["now", block]) {
        session.beginTurn({ prompt: "hi" });
        const { role, content } = await session.assemble(host, { environment });
        assert.equal(role, "user");
        assert.deepEqual(content, [
          { type: "text", text: "hi" },
          { type: "text", text: `\n\n${block}` },
        ]);
      }
      session.beginTurn({ prompt: "hi" });
      assert.deepEqual((await session.assemble(host)).content, [{ type: "text", text: "hi" }]);
      session.dispose();
    }
  });

  test("sets the environment apart as the host says, after a restart, too", async () => {
    let session = new AgentSession({ ...options(), environmentSeparator: "\n" });
    for (const prompt of ["hi", "and now?"]) {
      session.beginTurn({ prompt });
      const { content } = await session.assemble(host, { environment: "now" });
      assert.equal(content[1].text, "\n<environment_details>\nnow\n</environment_details>");
      const bytes = session.snapshot();
      session.dispose();
      session = AgentSession.restore(bytes);
    }
    session.dispose();
  });

  test("notes that an environment in the prompt gave way to the newest", async () => {
    const session = new AgentSession(options());
    const old = "<environment_details>\nthen\n</environment_details>";
    session.beginTurn({ prompt: old });
    const { content } = await session.assemble(host, { environment: "now" });
    assert.equal(content.length, 1);
    assert.match(content[0].text, /now/);
    const [{ machine, what, detail }] = session.log;
    assert.deepEqual([machine, what, detail], ["history_deduper", "removed", 1]);
    session.dispose();
  });

  test("keeps earlier ghost blocks where each one builds upon those before", async () => {
    const session = new AgentSession({
      ...options(),
      assembler: { root: "/work", placement: "delta" },
    });
    for (const file of ["a", "b"]) {
      session.beginTurn({ prompt: `Look at @[${file}]` });
      session.summaries.addMessage(await session.assemble(host, { environment: file }));
    }
    const parts = { capability: "", direction: "", workspace: "" };
    const said = session.buildPrompt("thinking", parts).conversationHistory.join("\n");
    assert.equal(said.split("<content_reference>").length, 3);
    assert.equal(said.split("<environment_details>").length, 2);
    session.dispose();
  });

  test("refuses what is wrong, and nothing has happened then", async () => {
    const session = new AgentSession(options());
    session.beginTurn({ prompt: "one", task: "t" });
    const before = session.snapshot();
    const wrong = (work, code, machine, field) =>
      assert.throws(work, (error) => {
        assert.ok(error instanceof TurnkeeperError);
        assert.deepEqual([error.code, error.machine, error.detail?.field], [code, machine, field]);
        return true;
      });
    const own = "agent_session";
    wrong(() => session.beginTurn(), "invalid_argument", own, "turn");
    wrong(() => session.beginTurn({}), "invalid_argument", own, "turn.prompt");
    wrong(
      () => session.beginTurn({ prompt: "a", model: 1 }),
      "invalid_argument",
      own,
      "turn.model",
    );
    wrong(() => session.beginTurn({ prompt: "a", task: 1 }), "invalid_argument", own, "turn.task");
    wrong(
      () => session.beginTurn({ prompt: "a", promptId: 1 }),
      "invalid_argument",
      own,
      "turn.promptId",
    );
    wrong(() => session.endTurn({ summary: 1 }), "invalid_argument", own, "result.summary");
    wrong(
      () => session.endTurn({ insights: [1] }),
      "invalid_argument",
      "summary_injector",
      "summary.insights[0]",
    );
    wrong(
      () => session.buildPrompt("acting", { capability: "", direction: "", workspace: "" }),
      "invalid_argument",
      "summary_injector",
      "phase",
    );
    await assert.rejects(session.assemble(host, { environment: 1 }), {
      code: "invalid_argument",
      detail: { field: "options.environment" },
    });
    assert.deepEqual(session.snapshot(), before);
    session.endTurn();
    wrong(() => session.endTurn(), "wrong_order", own, undefined);
    await assert.rejects(session.assemble(host), { code: "wrong_order", machine: own });
    session.dispose();
  });

  test("refuses options of no machine, and those of a machine in its name", () => {
    const wrong = (given, machine, field) =>
      assert.throws(() => new AgentSession(given), {
        code: "invalid_config",
        machine,
        detail: { field },
      });
    wrong(undefined, "agent_session", "assembler");
    for (const given of [null, 1]) wrong(given, "agent_session", "options");
    wrong({ ...options(), extra: 1 }, "agent_session", "extra");
    wrong({ terminals: { platform: "posix" } }, "agent_session", "assembler");
    wrong({ assembler: { root: "/a" } }, "agent_session", "terminals");
    wrong({ ...options(), loop: { identicalCalls: 0 } }, "loop_detector", "identicalCalls");
    wrong({ ...options(), summaries: { maxTokens: -1 } }, "summary_injector", "maxTokens");
    wrong({ ...options(), environmentTags: ["a b"] }, "history_deduper", "tags[0]");
    for (const separator of ["--", 1, null]) {
      const given = { ...options(), environmentSeparator: separator };
      wrong(given, "agent_session", "environmentSeparator");
    }
  });

  test("is freed with its machines", () => {
    const session = new AgentSession(options());
    const { loop } = session;
    session.dispose();
    session.dispose();
    for (const use of [
      () => session.loop,
      () => session.log,
      () => session.snapshot(),
      () => session.beginTurn({ prompt: "a" }),
    ]) {
      assert.throws(use, { code: "disposed", machine: "agent_session" });
    }
    assert.throws(() => loop.clear(), { code: "disposed" });
  });
});

describe("a session's snapshot", () => {
  const session = new AgentSession({ ...options(), environmentTags: ["env"] });
  session.beginTurn({ prompt: "half a \ud83d character", task: "t" });
  const bytes = session.snapshot();

  test("holds what the user said in the open turn, and the tags", async () => {
    const restored = AgentSession.restore(bytes);
    for (const each of [session, restored]) {
      const { content } = await each.assemble(host, { environment: "now" });
      assert.equal(content[0].text, "half a \ud83d character");
      assert.equal(content[1].text, "\n\n<env>\nnow\n</env>");
    }
    restored.dispose();
  });

  test("takes a counter of tokens anew", async () => {
    let count = 0;
    const countTokens = (text) => (count++, text.length);
    const restored = AgentSession.restore(bytes, { countTokens });
    restored.beginTurn({ prompt: "@[a]" });
    await restored.assemble(host);
    assert.equal(count, 0, "nobody asks without a budget");
    restored.dispose();
    assert.throws(() => AgentSession.restore(bytes, { countTokens: 1 }), {
      code: "invalid_config",
    });
  });

  test("is refused if it is cut, altered, or another machine's", () => {
    for (const [snapshot, code] of [
      [new Uint8Array(), "snapshot_corrupt"],
      [session.loop.snapshot(), "wrong_machine"],
      [new GhostBlockAssembler({ root: "/a" }).snapshot(), "wrong_machine"],
      ["TKS", "invalid_argument"],
    ]) {
      assert.throws(() => AgentSession.restore(snapshot), { code, machine: "agent_session" });
    }
    assert.throws(() => LoopDetector.restore(bytes), { code: "wrong_machine" });
    for (let at = 0; at < bytes.length; at++) {
      const cut = bytes.slice(0, at);
      assert.throws(() => AgentSession.restore(cut), { code: "snapshot_corrupt" });
      const altered = bytes.slice();
      altered[at] ^= 1 << (at % 8);
      assert.throws(() => AgentSession.restore(altered), { code: "snapshot_corrupt" });
    }
  });
});

async function* streamOf(events) {
  yield* events;
}
