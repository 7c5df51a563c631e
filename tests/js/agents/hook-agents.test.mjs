// What each agent's hooks say and are told, in its own words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Hooks } from "./hook-process.mjs";

const contextOf = (answer) =>
  answer?.hookSpecificOutput?.additionalContext ?? answer?.additionalContext;

test("Codex: after a stop every call of the turn is refused, and not of the next", (t) => {
  const hooks = new Hooks(t, "codex", "stop");
  const event = (name, at, turn = "t1") => ({
    hook_event_name: name,
    session_id: "s",
    turn_id: turn,
    tool_name: "Bash",
    tool_input: { command: "make" },
    tool_use_id: `call-${turn}-${at}`,
    ...(name === "PostToolUse" && { tool_response: "nothing to be done" }),
  });
  for (let at = 0; at < 5; at++) {
    assert.equal(hooks.send(event("PreToolUse", at)), undefined);
    hooks.send(event("PostToolUse", at));
  }
  const { hookSpecificOutput, ...rest } = hooks.send(event("PreToolUse", 6));
  assert.deepEqual(rest, {});
  assert.equal(hookSpecificOutput.permissionDecision, "deny");
  assert.equal(hooks.send(event("PreToolUse", 7, "t2")), undefined);
});

test("gemini-cli: lines that change by themselves do not count, and the exit code does", (t) => {
  const hooks = new Hooks(t, "gemini-cli");
  const event = (at) => ({
    hook_event_name: "AfterTool",
    session_id: "s",
    timestamp: `2026-01-01T00:00:0${at}Z`,
    tool_name: "run_shell_command",
    tool_input: { command: "cat missing" },
    tool_response: { llmContent: `Output: none\nExit Code: 1\nProcess Group PGID: ${4000 + at}\n` },
  });
  const request = (at) => ({ ...event(at), hook_event_name: "PreCompress" });
  const answers = [0, 1, 2].map((at) => {
    hooks.send(request(at));
    return hooks.send(event(at));
  });
  assert.deepEqual(answers.slice(0, 2), [{}, {}]);
  assert.match(contextOf(answers[2]), /Turnkeeper/);
});

/** gemini-cli's events, which have neither ids of calls nor of subagents. */
function gemini(t, mode = "stop") {
  const hooks = new Hooks(t, "gemini-cli", mode);
  let now = 0;
  const send = (hook_event_name, more) =>
    hooks.send({ hook_event_name, session_id: "s", timestamp: `${++now}`, ...more });
  const began = (name) =>
    send("BeforeTool", { tool_name: "invoke_agent", tool_input: { prompt: `Check ${name}.` } });
  const ended = (name) => {
    const done = { llmContent: `${name} is fine.` };
    send("AfterTool", { tool_name: "complete_task", tool_input: {}, tool_response: done });
    const tool_input = { prompt: `Check ${name}.` };
    return send("AfterTool", { tool_name: "invoke_agent", tool_input, tool_response: done });
  };
  const reads = () => {
    send("PreCompress");
    const tool_response = { llmContent: "Compiling…" };
    return send("AfterTool", { tool_name: "read_file", tool_input: { file: "a" }, tool_response });
  };
  send("BeforeAgent", { prompt: "Have the parts checked." });
  return { hooks, send, began, ended, reads };
}

test("gemini-cli: each subagent is watched for itself, and so is the main agent between them", (t) => {
  const { began, ended, reads } = gemini(t);
  for (const name of ["parser", "lexer", "printer"]) {
    began(name);
    assert.deepEqual(reads(), {});
    assert.deepEqual(ended(name), {});
  }
  assert.deepEqual([reads(), reads()], [{}, {}]);
  began("all");
  assert.deepEqual([reads(), reads()], [{}, {}]);
  assert.match(contextOf(reads()), /3 times in a row/);
  ended("all");
  assert.deepEqual(reads(), {});
});

test("gemini-cli: of subagents that run at once none is blamed for the calls of all", (t) => {
  const { began, ended, reads } = gemini(t);
  const names = ["parser", "lexer", "printer"];
  names.forEach(began);
  const rounds = () => names.map(reads).filter((answer) => contextOf(answer) !== undefined);
  assert.deepEqual([...rounds(), ...rounds()], []);
  assert.equal(rounds().length, 1);
  names.forEach(ended);
  assert.deepEqual(reads(), {});
});

test("gemini-cli: a subagent that was interrupted ends with the next prompt", (t) => {
  const { hooks, began, reads, send } = gemini(t);
  began("parser");
  reads();
  reads();
  send("BeforeAgent", { prompt: "Do it yourself." });
  assert.deepEqual([reads(), reads()], [{}, {}]);
  assert.match(contextOf(reads()), /3 times in a row/);
  assert.equal(hooks.sessions.length, 2);
});

test("Qwen Code: an empty prompt is a request, and ends a stopped turn", (t) => {
  const hooks = new Hooks(t, "qwen-code", "stop");
  const submit = (prompt, at) => ({
    hook_event_name: "UserPromptSubmit",
    session_id: "s",
    prompt_id: "p",
    timestamp: `${at}`,
    prompt,
  });
  const result = (at) => ({
    hook_event_name: "PostToolUse",
    session_id: "s",
    prompt_id: "p",
    tool_name: "run_shell_command",
    tool_input: { command: "make" },
    tool_call_id: `c${at}`,
    tool_response: { llmContent: "nothing to be done" },
  });
  hooks.send(submit("Build it.", 0));
  for (let at = 1; at <= 5; at++) {
    hooks.send(result(at));
    const answer = hooks.send(submit("", at));
    assert.equal(answer?.decision, at === 5 ? "block" : undefined);
  }
});

test("Copilot: both ways to write a payload are understood, and the shell's number does not count", (t) => {
  const camel = (at) => ({
    sessionId: "s",
    timestamp: at,
    toolName: "bash",
    toolArgs: { command: "make" },
    toolResult: {
      resultType: "success",
      textResultForLlm: `nothing\n<shellId: ${at} completed with exit code 0>`,
    },
  });
  const pascal = (at) => ({
    hook_event_name: "PostToolUse",
    session_id: "s",
    timestamp: `${at}`,
    tool_name: "Bash",
    tool_input: { command: "make" },
    tool_result: {
      result_type: "success",
      text_result_for_llm: `nothing\n<shellId: ${at} completed with exit code 0>`,
    },
  });
  for (const make of [camel, pascal]) {
    const hooks = new Hooks(t, "copilot-cli");
    const named = make === camel ? { hookEventName: "postToolUse" } : {};
    const answers = [0, 1, 2].map((at) => hooks.send({ ...make(at), ...named }));
    assert.deepEqual(answers.slice(0, 2), [undefined, undefined]);
    assert.match(answers[2].additionalContext, /Turnkeeper/);
    assert.deepEqual(
      hooks.log.map(({ rule }) => rule),
      ["repeated_results"],
    );
  }
});

/** What Copilot tells of `calls` calls of one answer: each before it runs, then each result. */
function answerOfCopilot(hooks, commands, now) {
  const event = (hook_event_name, command, at) => ({
    hook_event_name,
    session_id: "s",
    timestamp: `${at}`,
    tool_name: "Bash",
    tool_input: { command },
    ...(hook_event_name === "PostToolUse" && {
      tool_result: { result_type: "success", text_result_for_llm: "Compiling…" },
    }),
  });
  const asked = commands.map((command) => hooks.send(event("PreToolUse", command, now)));
  const ended = commands.map((command, at) =>
    hooks.send(event("PostToolUse", command, `${now}.${at}`)),
  );
  return { asked, ended };
}

test("Copilot: equal calls of one answer are one step, and after a stop each of them is refused", (t) => {
  const hooks = new Hooks(t, "copilot-cli", "stop");
  const three = Array(3).fill("cat build.log");
  for (let now = 0; now < 2; now++) {
    const { asked, ended } = answerOfCopilot(hooks, three, now);
    assert.deepEqual([...asked, ...ended], Array(6).fill(undefined));
  }
  for (let now = 2; now < 5; now++) answerOfCopilot(hooks, ["cat build.log"], now);
  const { asked } = answerOfCopilot(hooks, three, 5);
  assert.deepEqual(
    asked.map((answer) => answer?.permissionDecision),
    Array(3).fill("deny"),
  );
  assert.deepEqual(
    hooks.log.map(({ what }) => what),
    ["nudge", "went_on", "stop"],
  );
});

test("Copilot: a call that was never run keeps no later loop hidden", (t) => {
  const hooks = new Hooks(t, "copilot-cli");
  const refused = { hook_event_name: "PreToolUse", session_id: "s", timestamp: "0" };
  hooks.send({ ...refused, tool_name: "Bash", tool_input: { command: "rm -r /" } });
  const said = Array.from({ length: 7 }, (_, now) => answerOfCopilot(hooks, ["make"], now + 1));
  assert.match(contextOf(said.map(({ ended }) => ended[0]).find(Boolean)), /in a row/);
});

test("VS Code: the equal call after a hint is refused once, with the fact as the reason", (t) => {
  const hooks = new Hooks(t, "vscode-copilot");
  const event = (hookEventName, at) => ({
    hookEventName,
    sessionId: "s",
    timestamp: `${at}`,
    tool_name: "runTests",
    tool_input: { suite: "all" },
    tool_use_id: `c${at}`,
    ...(hookEventName === "PostToolUse" && { tool_response: "2 failed" }),
  });
  for (let at = 0; at < 3; at++) hooks.send(event("PostToolUse", at));
  const { hookSpecificOutput } = hooks.send(event("PreToolUse", 4));
  assert.equal(hookSpecificOutput.permissionDecision, "deny");
  assert.match(hookSpecificOutput.permissionDecisionReason, /Turnkeeper/);
  assert.equal(hooks.send(event("PreToolUse", 5)), undefined);
});

/** A result that Cline tells of, in a request of that number. */
const ofCline = (iteration, id, result) => ({
  hookName: "tool_result",
  taskId: "t",
  iteration,
  timestamp: `${Math.random()}`,
  tool_result: {
    id,
    name: "run_commands",
    input: { commands: ["make"] },
    output: [{ query: "make", result, success: result === "done" }],
  },
  postToolUse: { success: true },
});

test("Cline: calls are numbered by request, and a stop cancels", (t) => {
  const hooks = new Hooks(t, "cline", "stop");
  hooks.send({ hookName: "agent_start", taskId: "t" });
  const answers = [1, 2, 3, 4, 5].map((at) => hooks.send(ofCline(at, `c${at}`, "failed")));
  assert.deepEqual(answers[1], {});
  assert.match(answers[2].contextModification, /Turnkeeper/);
  assert.equal(answers[4].cancel, true);
});

test("Cline: equal calls of one request are one step, though each is told by itself", (t) => {
  const hooks = new Hooks(t, "cline", "stop");
  const each = (at) => ofCline(at, `${Math.random()}`, "done");
  hooks.send({ hookName: "agent_start", taskId: "t" });
  const answers = [1, 1, 1, 2, 2, 2, 3].map((at) => hooks.send(each(at)));
  assert.deepEqual(answers.slice(0, 6), Array(6).fill({}));
  assert.match(answers[6].contextModification, /3 times in a row/);
  // An agent that no longer numbers its requests is watched all the same.
  let more = 0;
  while (hooks.send(each(4)).cancel !== true) assert.ok(++more < 24);
});

test("Cursor: a hint is additional context, and a stopped turn's calls are refused", (t) => {
  const hooks = new Hooks(t, "cursor", "stop");
  const event = (hook_event_name, generation_id = "g") => ({
    hook_event_name,
    conversation_id: "s",
    generation_id,
    tool_name: "Shell",
    tool_input: { command: "make" },
    ...(hook_event_name === "postToolUse" && { tool_output: '{"output":"nothing"}' }),
  });
  const answers = Array.from({ length: 5 }, () => hooks.send(event("postToolUse")));
  assert.match(answers[2].additional_context, /Turnkeeper/);
  assert.equal(hooks.send(event("preToolUse")).permission, "deny");
  assert.equal(hooks.send(event("preToolUse", "g2")), undefined);
});

test("crush: ten equal calls are told, and halted in mode stop if as many follow", (t) => {
  for (const mode of ["hint", "stop"]) {
    const hooks = new Hooks(t, "crush", mode);
    const event = {
      event: "PreToolUse",
      session_id: "s",
      tool_name: "bash",
      tool_input: { command: "make" },
    };
    const answers = Array.from({ length: 20 }, () => hooks.send(event));
    assert.deepEqual(answers.slice(0, 9), Array(9).fill(undefined));
    assert.match(answers[9].context, /Turnkeeper/);
    assert.deepEqual(answers.slice(10, 19), Array(9).fill(undefined));
    if (mode === "hint") assert.match(answers[19].context, /Turnkeeper/);
    else assert.equal(answers[19].halt, true);
  }
});

test("goose only watches", (t) => {
  const hooks = new Hooks(t, "goose", "stop");
  const event = {
    event: "PreToolUse",
    session_id: "s",
    tool_name: "shell",
    tool_input: { command: "make" },
  };
  for (let at = 0; at < 11; at++) assert.equal(hooks.send(event), undefined);
  assert.equal(hooks.log.length, 1);
});

const LONG = "a line of the log\n".repeat(200);
const LINE =
  /^\[The same 3600 characters as the result of Bash \{"command":"cat a.log"\} above\.\]$/;

test("Claude Code: with --economy a long result that the context has becomes a line, in its tool's shape", (t) => {
  const hooks = new Hooks(t, "claude-code", "hint", ["--economy"]);
  let calls = 0;
  const ran = (tool_name, tool_input, tool_response, more = {}) =>
    hooks.send({
      hook_event_name: "PostToolUse",
      session_id: "s",
      tool_use_id: `call-${++calls}`,
      tool_name,
      tool_input,
      tool_response,
      ...more,
    })?.hookSpecificOutput.updatedToolOutput;
  const shown = { stdout: LONG, stderr: "", interrupted: false };
  assert.equal(ran("Bash", { command: "cat a.log" }, shown), undefined);
  const again = ran("Bash", { command: "cat b.log" }, shown);
  assert.match(again.stdout, LINE);
  assert.deepEqual({ ...again, stdout: LONG }, shown);

  const file = { type: "text", file: { filePath: "/a", content: `x${LONG}`, numLines: 200 } };
  assert.equal(ran("Read", { file_path: "/a" }, file), undefined);
  const reread = ran("Read", { file_path: "/a" }, file);
  assert.match(reread.file.content, /^\[The same 3601 characters as the result of Read/);
  assert.deepEqual({ ...reread.file, content: file.file.content }, file.file);

  // A short one, a shape that is not known, and another context.
  assert.equal(ran("Bash", { command: "ls" }, { stdout: "a", stderr: "" }), undefined);
  assert.equal(ran("Bash", { command: "ls" }, { stdout: "a", stderr: "" }), undefined);
  for (let at = 0; at < 2; at++) assert.equal(ran("Odd", {}, { matrix: [LONG] }), undefined);
  assert.equal(ran("Bash", { command: "cat a.log" }, shown, { agent_id: "sub" }), undefined);
  hooks.send({ hook_event_name: "SessionStart", session_id: "s", source: "compact" });
  assert.equal(ran("Bash", { command: "cat a.log" }, shown), undefined);
  assert.match(ran("Bash", { command: "cat a.log" }, shown).stdout, LINE);
});

test("Copilot: with --economy a long result that the context has becomes a line; without it none does", (t) => {
  const result = {
    hook_event_name: "PostToolUse",
    session_id: "s",
    tool_name: "Bash",
    tool_input: { command: "cat a.log" },
    tool_result: { result_type: "success", text_result_for_llm: LONG },
  };
  const hooks = new Hooks(t, "copilot-cli", "hint", ["--economy"]);
  assert.equal(hooks.send({ ...result, timestamp: "1" }), undefined);
  const { modifiedResult } = hooks.send({ ...result, timestamp: "2" });
  assert.equal(modifiedResult.resultType, "success");
  assert.match(modifiedResult.textResultForLlm, LINE);

  const plain = new Hooks(t, "copilot-cli");
  for (const timestamp of ["1", "2"]) assert.equal(plain.send({ ...result, timestamp }), undefined);
});
