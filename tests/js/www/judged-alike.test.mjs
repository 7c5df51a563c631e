// One session is judged alike, whoever judges it: a host by the library, the hook while the agent works, the audit of
// what the agent has saved, and the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";

import { Hooks } from "../agents/hook-process.mjs";
import { load, turnkeeper } from "../node/installed-package.mjs";
import { file, folder, run } from "../node/replay-command.mjs";
import { savedByAll } from "../session-fixtures/make.mjs";
import { TOOLS } from "../session-fixtures/tools.mjs";

const { readSession } = load("turnkeeper/sessions");
const analysis = new URL("../../../js/glue/analysis/", import.meta.url);
const { initSync, RawPageSession } = await import(new URL("turnkeeper.js", analysis));
initSync({ module: readFileSync(new URL("turnkeeper_bg.wasm", analysis)) });

const ran = (command, output, more) => ({ tool: "run", command, output, ...more });
const read = (path, output) => ({ tool: "read", path, output });
const turns = (...calls) => calls.map((call) => ({ calls: [call] }));
const times = (count, make) => Array.from({ length: count }, (_, at) => make(at)).flat();

const LOG = ran("cat build.log", "Compiling shop v0.1.0\nLinking shop\n");
/** What happens, and the verdicts that must come of it where the user's words are told. */
const STORIES = Object.entries({
  "the same look again and again": {
    steps: [{ user: "Build it." }, ...times(6, () => turns(LOG))],
    found: ["nudge repeated_results 2", "stop repeated_results 4"],
  },
  "rounds of two calls": {
    steps: [
      { user: "Why does it fail?" },
      ...times(5, () => turns(read("a.ts", "export const a = 1;\n"), read("b.ts", "import a;\n"))),
    ],
    found: ["nudge cycle_rounds 5", "nudge repeated_results 8", "stop cycle_rounds 9"],
  },
  "one error of different commands": {
    steps: [
      { user: "Deploy it." },
      ...times(5, (at) =>
        turns(ran(`ssh mill-${at} up`, "ssh: cannot reach the mill", { exit: 255 })),
      ),
    ],
    found: ["nudge equal_errors 3"],
  },
  "a loop in the second prompt alone": {
    steps: [
      { user: "Is it built?" },
      ...turns(LOG, LOG),
      { user: "And now?" },
      ...turns(LOG, LOG, LOG),
    ],
    found: ["nudge repeated_results 4"],
  },
  "as often as the user asked": {
    steps: [{ user: "Look at the log ten times." }, ...times(6, () => turns(LOG))],
    found: [],
  },
  "equal calls of one message": {
    steps: [{ user: "Look at it." }, ...times(2, () => ({ calls: [LOG, LOG, LOG] }))],
    found: [],
  },
  "looks before and after a compaction": {
    steps: [
      { user: "Build it." },
      ...turns(LOG, LOG),
      { compact: "The shop is being built." },
      ...turns(LOG, LOG),
    ],
    found: [],
  },
  work: {
    steps: [
      { user: "Count the files." },
      ...times(12, (at) => turns(read(`part-${at}.ts`, `export const part = ${at * 7};\n`))),
    ],
    found: [],
  },
}).map(([title, story], at) => ({ title, name: `judged-${at}`, cwd: "/home/ines/shop", ...story }));

/** The event by which each agent's hook is told of a step; `at` tells events of one kind apart. */
const HOOKED = {
  "claude-code.jsonl": {
    agent: "claude-code",
    compact: () => ({ hook_event_name: "SessionStart", source: "compact" }),
    prompt: (prompt, at) => ({ hook_event_name: "UserPromptSubmit", prompt, prompt_id: `p${at}` }),
    turn: (calls, at, prompt) => [
      {
        hook_event_name: "PostToolBatch",
        prompt_id: `p${prompt}`,
        tool_calls: calls.map((call, place) => {
          const [tool_name, tool_input] = TOOLS.claude(call);
          const tool_response = call.exit ? `Exit code ${call.exit}\n${call.output}` : call.output;
          return { tool_name, tool_input, tool_use_id: `c${at}-${place}`, tool_response };
        }),
      },
    ],
  },
  "codex.jsonl": {
    agent: "codex",
    compact: () => ({ hook_event_name: "SessionStart", source: "compact" }),
    prompt: (prompt, at) => ({ hook_event_name: "UserPromptSubmit", prompt, turn_id: `p${at}` }),
    turn: (calls, at, prompt) =>
      ["PreToolUse", "PostToolUse"].flatMap((hook_event_name) =>
        calls.map((call, place) => {
          const [tool_name, tool_input] = TOOLS.codex(call);
          const told = { tool_name, tool_input, tool_use_id: `c${at}-${place}` };
          const ended = hook_event_name === "PostToolUse" && { tool_response: call.output };
          return { hook_event_name, turn_id: `p${prompt}`, ...told, ...ended };
        }),
      ),
  },
  "gemini-cli.json": {
    agent: "gemini-cli",
    prompt: (prompt) => ({ hook_event_name: "BeforeAgent", prompt }),
    turn: (calls) => [
      { hook_event_name: "PreCompress" },
      ...calls.map((call) => {
        const [tool_name, tool_input] = TOOLS.gemini(call);
        const error = call.exit && { error: { message: call.output } };
        const tool_response = { llmContent: call.output, ...error };
        return { hook_event_name: "AfterTool", tool_name, tool_input, tool_response };
      }),
    ],
  },
  "copilot-chat.json": {
    agent: "vscode-copilot",
    prompt: (prompt) => ({ hookEventName: "UserPromptSubmit", prompt }),
    turn: (calls, at) =>
      ["PreToolUse", "PostToolUse"].flatMap((hookEventName) =>
        calls.map((call, place) => {
          const [tool_name, tool_input] = TOOLS.copilot(call);
          const told = { tool_name, tool_input, tool_use_id: `c${at}-${place}` };
          const ended = hookEventName === "PostToolUse" && { tool_response: call.output };
          return { hookEventName, ...told, ...ended };
        }),
      ),
  },
  "cline.json": {
    agent: "cline",
    prompt: (prompt) => ({ hookName: "UserPromptSubmit", userPromptSubmit: { prompt } }),
    // Each call is an answer of its own.
    turn: (calls, at) =>
      calls.map((call, place) => {
        const [name, input] = TOOLS.cline(call);
        const tool_result = { id: `c${at}-${place}`, name, input, output: call.output };
        const iteration = 10 * at + place;
        return { hookName: "tool_result", iteration, tool_result, postToolUse: { success: true } };
      }),
  },
};

/** Calls between two verdicts that still are one loop. */
const APART = 3;

/** The loops of all verdicts: those that are on the same thing are one, as the audit has them. */
function loopsOf(told) {
  const loops = [];
  for (const { action, rule, type, tool, first, last } of told) {
    const before = loops.at(-1);
    const goesOn = before?.type === type && before.tool === tool && first <= before.last + APART;
    if (!goesOn) loops.push({ action, rule, type, tool, last });
    else Object.assign(before, { last, ...(action === "stop" && { action }) });
  }
  return loops.map(({ action, rule, last }) => `${action} ${rule} ${last}`);
}

/** What a host is told that plays the session, and begins a prompt with each word of the user. */
async function byLibrary(text, { steps }) {
  const { events } = await readSession(text);
  const words = steps.flatMap(({ user }) => user ?? []);
  const detector = new turnkeeper.LoopDetector();
  const told = [];
  let [prompt, before, calls] = [0, 0, 0];
  for (const event of events) {
    if (event.type === "user_message" && prompt < words.length) {
      before = calls;
      detector.startPrompt(`p${prompt}`, { userPrompt: words[prompt++] });
      continue;
    }
    calls += event.type === "tool_call";
    const wasStopped = detector.verdict.action === "stop";
    const { action, report } = detector.observe(event);
    if (action !== "ok" && !wasStopped) {
      const { rule, type, tool, firstIndex, lastIndex } = report;
      told.push({ action, rule, type, tool, first: before + firstIndex, last: before + lastIndex });
    }
  }
  detector.dispose();
  const verdicts = told.map(({ action, rule, last }) => `${action} ${rule} ${last}`);
  return { loops: loopsOf(told), verdicts };
}

/** What the audit has found, of many files by their names. */
async function byAudit(files) {
  const lines = (await run(["audit", "--jsonl", ...files])).stdout.trim().split("\n");
  const sessions = lines.map((line) => JSON.parse(line));
  return new Map(sessions.map(({ file, loops }) => [file, shown(loops)]));
}

const shown = (loops) => loops.map(({ action, rule, lastCall }) => `${action} ${rule} ${lastCall}`);

/** What the page has found. */
function byPage(name, text) {
  const session = new RawPageSession(name);
  session.push(new TextEncoder().encode(text));
  session.end();
  const judgement = session.judge(JSON.stringify({ profile: "adaptive" }));
  while (judgement.go(1_000) < 1);
  const { report } = JSON.parse(judgement.result());
  judgement.free();
  session.free();
  return shown(report.loops);
}

/** What the hook finds while the agent works: each rule, at its call, and whether it is told a second time. */
function byHook(t, { agent, prompt, turn, compact }, { steps }) {
  const hooks = new Hooks(t, agent, "watch");
  const told = [];
  let [prompts, calls, known, now] = [0, 0, 0, 0];
  const send = (event) => {
    hooks.send({ session_id: "s", sessionId: "s", taskId: "s", timestamp: `${++now}`, ...event });
    calls += event.tool_calls?.length ?? Number(isResult(event));
    for (const { what, rule } of hooks.log.slice(known)) {
      told.push(`${what === "found" ? "nudge" : "stop"} ${rule} ${calls - 1}`);
    }
    known = hooks.log.length;
  };
  for (const [at, step] of steps.entries()) {
    if (step.user !== undefined) send(prompt(step.user, ++prompts));
    else if (step.compact !== undefined) send(compact());
    else for (const event of turn(step.calls, at, prompts)) send(event);
  }
  return told;
}

const isResult = ({ hook_event_name, hookEventName, hookName }) =>
  /^(PostToolUse|AfterTool|tool_result)$/.test(hook_event_name ?? hookEventName ?? hookName);

describe("one session is judged alike", () => {
  const sessions = STORIES.flatMap((story) =>
    savedByAll(story).map((saved) => ({ story, ...saved })),
  );
  const audited = new Map();

  before(async () => {
    // Each is audited by itself: what sessions have in common counts once.
    for (const format of new Set(sessions.map(({ name }) => name))) {
      const of = sessions.filter(({ name }) => name === format);
      const files = of.map(({ name, story, text }) => file(`${story.name}.${name}`, text));
      for (const [name, loops] of await byAudit(files))
        audited.set(path.relative(folder, name), loops);
    }
  });

  for (const { story, name, text } of sessions) {
    test(`${story.title}: ${name}`, async (t) => {
      const { loops: expected, verdicts } = await byLibrary(text, story);
      if (name === "claude-code.jsonl") assert.deepEqual(verdicts, story.found);
      assert.deepEqual(audited.get(`${story.name}.${name}`), expected, "the audit");
      assert.deepEqual(byPage(name, text), expected, "the page");
      const hook = HOOKED[name];
      if (!hook) return;
      const isTold = !story.steps.some(({ compact }) => compact) || hook.compact !== undefined;
      if (isTold) assert.deepEqual(byHook(t, hook, story), verdicts, "the hook");
    });
  }
});
