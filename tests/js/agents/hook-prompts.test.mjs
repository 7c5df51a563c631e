// A prompt is the user's words: which events begin one, and lift what was counted and a stop.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Hooks, claude } from "./hook-process.mjs";

/** For each agent, a message in the user's name, and a step: a request with one call, always the same. */
const AGENTS = {
  "claude-code": {
    message: (n, prompt) => ({ hook_event_name: "UserPromptSubmit", prompt_id: `p${n}`, prompt }),
    step: (n, at) => [
      {
        hook_event_name: "PostToolBatch",
        prompt_id: `p${n}`,
        tool_calls: [
          {
            tool_name: "Bash",
            tool_input: { command: "cat VERSION" },
            tool_use_id: `c${at}`,
            tool_response: "1.2.3",
          },
        ],
      },
    ],
  },
  codex: {
    message: (n, prompt) => ({ hook_event_name: "UserPromptSubmit", turn_id: `t${n}`, prompt }),
    step: (n, at) => [
      {
        hook_event_name: "PostToolUse",
        turn_id: `t${n}`,
        tool_name: "Bash",
        tool_input: { command: "cat VERSION" },
        tool_use_id: `c${at}`,
        tool_response: "1.2.3",
      },
    ],
  },
  "gemini-cli": {
    message: (n, prompt) => ({ hook_event_name: "BeforeAgent", timestamp: `m${n}`, prompt }),
    step: (_n, at) => [
      { hook_event_name: "BeforeAgent", timestamp: `r${at}`, prompt: "" },
      {
        hook_event_name: "AfterTool",
        timestamp: `a${at}`,
        tool_name: "run_shell_command",
        tool_input: { command: "cat VERSION" },
        tool_response: { llmContent: "1.2.3" },
      },
    ],
  },
  "qwen-code": {
    message: (n, prompt) => ({
      hook_event_name: "UserPromptSubmit",
      prompt_id: `p${n}`,
      timestamp: `m${n}`,
      prompt,
    }),
    step: (n, at) => [
      { hook_event_name: "UserPromptSubmit", prompt_id: `p${n}`, timestamp: `r${at}`, prompt: "" },
      {
        hook_event_name: "PostToolUse",
        prompt_id: `p${n}`,
        tool_name: "run_shell_command",
        tool_input: { command: "cat VERSION" },
        tool_call_id: `c${at}`,
        tool_response: { llmContent: "1.2.3" },
      },
    ],
  },
  "copilot-cli": {
    message: (n, prompt) => ({ hook_event_name: "UserPromptSubmit", timestamp: `m${n}`, prompt }),
    step: (_n, at) => [
      {
        hook_event_name: "PostToolUse",
        timestamp: `a${at}`,
        tool_name: "Bash",
        tool_input: { command: "cat VERSION" },
        tool_result: { result_type: "success", text_result_for_llm: "1.2.3" },
      },
    ],
  },
  cline: {
    message: (_n, prompt) => ({ hookName: "UserPromptSubmit", userPromptSubmit: { prompt } }),
    step: (_n, at) => [
      {
        hookName: "tool_result",
        iteration: at,
        tool_result: { id: `c${at}`, name: "run", input: { line: "cat VERSION" }, output: "1.2.3" },
      },
    ],
  },
  cursor: {
    message: (n, prompt) => ({
      hook_event_name: "beforeSubmitPrompt",
      generation_id: `g${n}`,
      prompt,
    }),
    step: (n) => [
      {
        hook_event_name: "postToolUse",
        generation_id: `g${n}`,
        tool_name: "Shell",
        tool_input: { command: "cat VERSION" },
        tool_output: "1.2.3",
      },
    ],
  },
};

/** Whether an answer has anything to say. */
const speaks = (answer) => answer !== undefined && Object.keys(answer).length > 0;

function session(t, agent) {
  const hooks = new Hooks(t, agent, "stop");
  const { message, step } = AGENTS[agent];
  const send = (event) =>
    hooks.send({ session_id: "s", taskId: "s", conversation_id: "s", ...event });
  let at = 0;
  return {
    hooks,
    say: (n, words) => send(message(n, words)),
    /** Whether anything is said at a step. */
    step: (n) => step(n, ++at).map(send).some(speaks),
  };
}

for (const agent of Object.keys(AGENTS)) {
  test(`${agent}: what the user asks for in each message is done each time, though the words are the same`, (t) => {
    const { say, step, hooks } = session(t, agent);
    const said = Array.from({ length: 5 }, (_, n) => {
      say(n, n < 3 ? "Which version is it?" : `And now, ${n}?`);
      return step(n);
    });
    assert.deepEqual(said, Array(5).fill(false));
    // Within one of them it is a loop.
    assert.deepEqual([step(4), step(4)], [false, true]);
    assert.deepEqual(
      hooks.log.map(({ what }) => what),
      ["nudge"],
    );
  });
}

// What wakes a model that has ended its answer: reports of what it left running, and timers.
const WAKES = {
  "claude-code":
    "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>\nRead the output file to retrieve the result: /tmp/b1.output",
  codex: '<subagent_notification>\n{"status": "done"}\n</subagent_notification>',
  "qwen-code": "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.",
};

const NOTICE = {
  "gemini-cli": "[Function Response: run_shell_command]",
  "copilot-cli": "<system_notification>Background agent done.</system_notification>",
  cline: "<environment_details>\n# Time\n10:00\n</environment_details>",
};

/** Whether anything is said at three equal steps, each of which that message follows. */
function saidBetween(t, agent, message) {
  const { say, step } = session(t, agent);
  say(0, "Tell me when the build is done.");
  return [0, 1, 2].map((n) => {
    const spoke = step(n);
    say(n + 1, message);
    return spoke;
  });
}

for (const [agent, message] of Object.entries(WAKES)) {
  test(`${agent}: a timer, and a report that wakes the model, begin a prompt`, (t) => {
    assert.deepEqual(saidBetween(t, agent, message), [false, false, false]);
  });
}

for (const [agent, notice] of Object.entries(NOTICE)) {
  test(`${agent}: what others write in the user's name begins no prompt`, (t) => {
    assert.deepEqual(saidBetween(t, agent, notice), [false, false, true]);
  });
}

test("a notice lifts no stop, and a message does, though it is the one before to the letter", (t) => {
  const { say, step, hooks } = session(t, "claude-code");
  for (const round of [0, 1]) {
    say(0, "Go on.");
    for (let at = 0; at < 5; at++) step(0);
    say(0, WAKES["claude-code"]);
    assert.ok(step(0), `round ${round}`);
    hooks.send({ ...claude.prompt("s"), prompt_id: undefined, prompt: "Go on." });
    assert.equal(step(0), false);
  }
});

test("a message that is told again before each request begins one prompt", (t) => {
  const { say, step } = session(t, "claude-code");
  const said = [0, 1, 2].map(() => {
    say(0, "Tell me when the build is done.");
    return step(0);
  });
  assert.deepEqual(said, [false, false, true]);
});

test("where no message is ever told, a new id is a new prompt", (t) => {
  const { step } = session(t, "codex");
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(step), Array(6).fill(false));
});

test("the ledger has what the user wrote, and nothing that others wrote in the user's name", (t) => {
  const hooks = new Hooks(t, "claude-code");
  const say = (id, prompt) => hooks.send({ ...claude.prompt("s", id), prompt });
  say("p1", "Port the service to Rust.");
  say("p2", WAKES["claude-code"]);
  say("p3", "<system-reminder>Be brief.</system-reminder>\nLeave the tests alone.");
  hooks.send(claude.look({ promptId: "p3" }));
  const compacted = { hook_event_name: "SessionStart", session_id: "s", source: "compact" };
  const ledger = hooks.send(compacted).hookSpecificOutput.additionalContext;
  assert.match(ledger, /Port the service/);
  assert.match(ledger, /Leave the tests alone/);
  assert.doesNotMatch(ledger, /task-notification|Be brief/);
});
