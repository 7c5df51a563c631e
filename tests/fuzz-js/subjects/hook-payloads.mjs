// Hooks of agents: whatever an agent, its model or a stranger in the folder of states writes, an event is
// answered with one JSON object or the agent's silence, and no file is written outside that folder.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { internal } from "../internal.mjs";
import { args, json, text, word } from "../texts.mjs";

const { DIALECTS, HOOKED_AGENTS, MODES, runHook } = await internal(
  "agents/hook.ts",
  "agents/agents.ts",
  "agents/dialects/index.ts",
);

const NAMES = [
  "SessionStart",
  "UserPromptSubmit",
  "userPromptSubmitted",
  "beforeSubmitPrompt",
  "BeforeAgent",
  "PreToolUse",
  "preToolUse",
  "PostToolUse",
  "PostToolUse",
  "postToolUse",
  "BeforeTool",
  "AfterTool",
  "PostToolUseFailure",
  "PostToolBatch",
  "PreCompress",
  "TaskStart",
  "TaskResume",
];
const IDS = ["s", "t", "../../x", "/etc/passwd", "CON", "\0", "思", "x".repeat(300)];

const PLAIN = { agent: "claude-code", mode: "hint", economy: false };

const id = (dice) => (dice.chance(100) ? json(dice) : dice.pick(IDS));
const result = (dice) =>
  dice.weighted([
    [3, text(dice)],
    [1, { stdout: text(dice), stderr: text(dice), interrupted: false }],
    [1, [{ type: "text", text: text(dice) }]],
    [1, { llmContent: text(dice) }],
    [1, { result_type: "failure", text_result_for_llm: text(dice) }],
    [1, `Exit Code: ${dice.below(3)}\n${text(dice)}`],
    [1, json(dice)],
  ]);

/** An event in the words of all agents at once, of which each reads its own. */
function payload(dice) {
  const name = dice.pick(NAMES);
  const session = id(dice);
  const tool = dice.weighted([
    [8, word(dice)],
    [1, json(dice)],
    [1, dice.pick(["invoke_agent", "complete_task"])],
  ]);
  const input = dice.chance(200) ? JSON.stringify(args(dice)) : args(dice);
  const output = result(dice);
  const call = { tool_name: tool, tool_input: input, tool_use_id: id(dice), tool_response: output };
  return {
    hook_event_name: name,
    ...dice.some({ event: () => name, hookName: () => name }),
    session_id: session,
    sessionId: session,
    conversation_id: session,
    taskId: session,
    ...dice.some({
      prompt_id: () => id(dice),
      agent_id: () => id(dice),
      generation_id: () => id(dice),
      source: () => dice.pick(["compact", "startup", "resume"]),
      trigger: () => "auto",
    }),
    prompt: text(dice),
    ...call,
    toolName: tool,
    toolArgs: input,
    tool_output: output,
    tool_result: output,
    toolResult: output,
    error_message: text(dice),
    tool_calls: dice.list(0, 3, () => (dice.chance(100) ? json(dice) : { ...call })),
    postToolUse: { toolName: tool, parameters: input, result: output },
    preToolUse: { toolName: tool, parameters: input },
    userPromptSubmit: { prompt: text(dice) },
  };
}

/** As it arrives: whole, cut off, or no JSON at all. */
function written(dice) {
  const whole = JSON.stringify(dice.chance(100) ? json(dice) : payload(dice));
  return dice.weighted([
    [12, whole],
    [1, whole.slice(0, dice.below(whole.length + 1))],
    [1, `\ufeff${whole}`],
    [1, text(dice)],
  ]);
}

export const hookPayloads = {
  name: "hook payloads",
  options: (dice) => ({
    agent: dice.pick(HOOKED_AGENTS),
    mode: dice.pick(MODES),
    economy: dice.chance(500),
  }),
  plainOptions: PLAIN,
  make({ LoopDetector, WorkLedger }, options) {
    // The command refuses any other agent or mode before a hook runs.
    const isGood = HOOKED_AGENTS.includes(options?.agent) && MODES.includes(options.mode);
    const { agent, mode, economy } = isGood ? options : PLAIN;
    const root = mkdtempSync(path.join(tmpdir(), "turnkeeper-hook-fuzz-"));
    return { root, agent, mode, economy: economy === true, machines: { LoopDetector, WorkLedger } };
  },
  calls: {
    event: {
      weight: 40,
      args: (dice) => [written(dice), dice.chance(300) ? dice.pick(NAMES) : undefined],
      run({ root, agent, mode, economy, machines }, [input, event]) {
        if (typeof input !== "string") return undefined;
        process.env.TURNKEEPER_STATE = path.join(root, "state");
        const named = typeof event === "string" ? event : undefined;
        const options = { agent, mode, economy, event: named, machines, startedAt: 0 };
        const answer = runHook(() => input, options);
        if (answer !== DIALECTS[agent].silence) {
          if (!/^\{.*\}\n$/.test(answer)) throw new Error(`no line of JSON: ${answer}`);
          JSON.parse(answer);
        }
        const others = readdirSync(root).filter((name) => name !== "state");
        if (others.length > 0) throw new Error(`wrote ${others.join(", ")}`);
        return answer;
      },
    },
    "a state that somebody has changed": {
      weight: 4,
      args: (dice) => [dice.below(1_000), dice.weighted([[1, text(dice)], [1, undefined]])], // prettier-ignore
      run({ root }, [at, content]) {
        if (!Number.isSafeInteger(at) || at < 0) return;
        const folder = path.join(root, "state/sessions");
        mkdirSync(folder, { recursive: true });
        const files = readdirSync(folder).sort();
        if (files.length === 0) return;
        const file = path.join(folder, files[at % files.length]);
        const old = readFileSync(file, "latin1");
        const cut = old.slice(0, at % (old.length + 1));
        writeFileSync(file, typeof content === "string" ? content : cut, "latin1");
      },
    },
  },
  end: ({ root }) => rmSync(root, { recursive: true, force: true }),
};
