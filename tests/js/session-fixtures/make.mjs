// Writes the sessions in tests/data/difficult-sessions that are difficult to read, and what must be read of
// each, from the stories: node tests/js/session-fixtures/make.mjs
//
// What must be read follows from the story and from what a format has room for, never from what is
// read.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import * as lines from "./lines.mjs";
import * as objects from "./objects.mjs";
import { DIFFICULTIES, STORIES } from "./stories.mjs";
import { TOOLS } from "./tools.mjs";

const FOLDER = fileURLToPath(new URL("../../data/difficult-sessions", import.meta.url));
const ALL = Object.keys(DIFFICULTIES);
const CLAUDE = "claude-sonnet-4-5-20250929";

/**
 * What a format has room for.
 *
 * - `failures`: results of commands that failed say so, by an error or an exit code.
 * - `turnsByCall`: each call is an answer of its own.
 * - `lastIsPrompt`: the last piece of the file is all that followed the last word of the user.
 * - `lastIsDelta`: the last piece of the file is not all of the model's last answer.
 * - `leftOut`: how many lines or elements hold what subagents did.
 */
const WRITERS = {
  "claude-code.jsonl": {
    write: lines.claudeCode,
    format: "claude-code",
    tools: TOOLS.claude,
    failures: true,
    model: CLAUDE,
    hasTitle: true,
    difficulties: ALL,
    leftOut: (steps) => blocks(steps),
  },
  "claude-stream.jsonl": {
    write: lines.claudeStream,
    format: "claude-stream",
    tools: TOOLS.claude,
    failures: true,
    model: CLAUDE,
    difficulties: ALL,
    leftOut: (steps) => blocks(steps),
  },
  "gemini-stream.jsonl": {
    write: lines.geminiStream,
    format: "gemini-stream",
    tools: TOOLS.gemini,
    failures: true,
    model: "gemini-2.5-pro",
    lastIsDelta: true,
    difficulties: ["cut-off"],
  },
  "codex.jsonl": {
    write: lines.codex,
    format: "codex",
    tools: TOOLS.codex,
    failures: true,
    model: "gpt-5.1-codex",
    difficulties: ["cut-off", "compaction", "attachments"],
  },
  "openhands-sdk.jsonl": {
    write: lines.openHandsSdk,
    format: "openhands",
    tools: TOOLS.openhands,
    failures: true,
    turnsByCall: true,
    difficulties: ["cut-off", "compaction", "attachments"],
  },
  "openhands.json": {
    write: lines.openHandsEvents,
    format: "openhands",
    tools: TOOLS.openhands,
    failures: true,
    turnsByCall: true,
    difficulties: ALL,
    // The task is an event, too.
    leftOut: (steps) => steps.reduce((sum, { calls }) => sum + Math.max(1, 2 * calls.length), 1),
  },
  "openhands-eval.jsonl": {
    write: lines.openHandsEval,
    format: "openhands-eval",
    tools: TOOLS.openhands,
    failures: true,
    turnsByCall: true,
    model: "litellm_proxy/claude-sonnet-4-5-20250929",
    difficulties: ["compaction", "attachments"],
  },
  "pi.jsonl": {
    write: lines.pi,
    format: "pi",
    tools: TOOLS.pi,
    failures: true,
    model: CLAUDE,
    hasTitle: true,
    difficulties: ["cut-off", "compaction", "attachments"],
  },
  "goose.jsonl": {
    write: lines.goose,
    format: "goose",
    tools: TOOLS.goose,
    failures: true,
    hasTitle: true,
    difficulties: ["cut-off", "attachments"],
  },
  "goose-export.json": {
    write: objects.gooseExport,
    format: "goose",
    tools: TOOLS.goose,
    failures: true,
    model: CLAUDE,
    hasTitle: true,
    difficulties: ["cut-off", "compaction", "attachments"],
  },
  "copilot-chat.json": {
    write: (session) =>
      objects.copilotChat({ ...session, requests: objects.copilotRequests(session) }),
    format: "copilot-chat",
    tools: TOOLS.copilot,
    failures: false,
    model: "copilot/claude-sonnet-4.5",
    hasTitle: true,
    lastIsPrompt: true,
    difficulties: ALL,
    leftOut: () => 1,
  },
  "copilot-chat.jsonl": {
    write: (session) =>
      lines.copilotLog({ ...session, requests: objects.copilotRequests(session) }),
    format: "copilot-chat",
    tools: TOOLS.copilot,
    failures: false,
    model: "copilot/claude-sonnet-4.5",
    hasTitle: true,
    difficulties: ["subagents", "compaction", "attachments"],
    leftOut: () => 1,
  },
  "opencode.json": {
    write: objects.opencode,
    format: "opencode",
    tools: TOOLS.opencode,
    failures: true,
    model: CLAUDE,
    hasTitle: true,
    difficulties: ["cut-off", "compaction", "attachments"],
  },
  "gemini-cli.json": {
    write: objects.geminiCli,
    format: "gemini-cli",
    tools: TOOLS.gemini,
    failures: true,
    model: "gemini-2.5-pro",
    difficulties: ["cut-off", "attachments"],
  },
  "swe-agent.traj": {
    write: objects.sweAgent,
    format: "swe-agent",
    tools: TOOLS.swe,
    failures: false,
    hasNoUser: true,
    turnsByCall: true,
    difficulties: ["cut-off"],
  },
  "mini-swe-agent.traj.json": {
    write: objects.miniSweAgent,
    format: "mini-swe-agent",
    tools: TOOLS.shell,
    failures: true,
    model: `anthropic/${CLAUDE}`,
    hasOneUser: true,
    difficulties: ["cut-off", "attachments"],
  },
  "cline.json": {
    write: objects.cline,
    format: "cline",
    tools: TOOLS.cline,
    failures: false,
    turnsByCall: true,
    lastCall: "attempt_completion",
    difficulties: ["cut-off", "attachments"],
  },
  "anthropic.json": {
    write: objects.anthropicMessages,
    format: "anthropic",
    tools: TOOLS.plain,
    failures: true,
    difficulties: ["cut-off", "attachments"],
  },
  "openai.json": {
    write: objects.openAi,
    format: "openai",
    tools: TOOLS.plain,
    failures: false,
    difficulties: ["cut-off", "attachments"],
  },
  "ai-sdk.json": {
    write: objects.aiSdk,
    format: "ai-sdk",
    tools: TOOLS.plain,
    failures: true,
    difficulties: ["cut-off", "attachments"],
  },
  "gemini-contents.json": {
    write: objects.geminiContents,
    format: "gemini",
    tools: TOOLS.plain,
    failures: true,
    difficulties: ["cut-off", "attachments"],
  },
};

/** How many stories each format of a difficulty has, so that there are at least 20 sessions of each. */
const STORIES_EACH = { "cut-off": 2, subagents: 5, compaction: 2, attachments: 2 };

/** Every file, with its text and what must be read. */
export function fixtures() {
  return ALL.flatMap((difficulty) => {
    const writers = Object.entries(WRITERS).filter(([, { difficulties }]) =>
      difficulties.includes(difficulty),
    );
    return writers.flatMap(([name, writer], at) =>
      Array.from({ length: STORIES_EACH[difficulty] }, (_, n) => {
        const story = STORIES[(at + n) % STORIES.length];
        return fixture(difficulty, name, writer, story);
      }),
    );
  });
}

/** A story as each agent would save it that has room for it. */
export function savedByAll(story) {
  const isCompacted = story.steps.some(({ compact }) => compact !== undefined);
  const able = Object.entries(WRITERS).filter(
    ([, { difficulties }]) => !isCompacted || difficulties.includes("compaction"),
  );
  return able.map(([name, writer]) => {
    const written = writer.write({ ...story, id: story.name, steps: withIds(story.steps) });
    const { before, values, between, after } = pieces(written, name);
    return { name, text: before + values.join(between) + after };
  });
}

function fixture(difficulty, name, writer, story) {
  const steps = withIds(DIFFICULTIES[difficulty](story));
  const id = `${story.name}-${difficulty}`;
  const isCut = difficulty === "cut-off";
  const written = writer.write({ ...story, id, steps });
  const { before, values, between, after, what } = pieces(written, name);
  const file = `${difficulty}/${story.name}.${name}`;
  if (!isCut) {
    const text = before + values.join(between) + after;
    return { file, text, expected: { ...facts(writer, story), ...counts(writer, steps) } };
  }
  const last = values.pop();
  const whole = values.map((value) => value + between).join("");
  const isUser = ({ user }) => user !== undefined;
  const kept = writer.lastIsPrompt ? steps.findLastIndex(isUser) : steps.length - 1;
  const read = writer.lastIsDelta ? steps : steps.slice(0, kept);
  return {
    file,
    text: before + whole + last.slice(0, Math.floor(last.length * 0.6)),
    expected: {
      ...(name.endsWith(".jsonl") && facts(writer, story)),
      ...counts(writer, read),
      problem: what(values.length + 1),
    },
  };
}

/** A file's values, what is around them, and how a problem with one of them begins. */
function pieces(written, name) {
  if (name.endsWith(".jsonl")) {
    const values = written.map((line) => JSON.stringify(line));
    const what = (place) => `line ${place}: is not JSON`;
    return { before: "", values, between: "\n", after: "\n", what };
  }
  if (Array.isArray(written)) {
    const values = written.map((element) => JSON.stringify(element));
    const what = (place) => `breaks off at element ${place}`;
    return { before: "[", values, between: ",\n", after: "]\n", what };
  }
  const key = ["messages", "requests", "conversation", "trajectory"].find((each) => written[each]);
  const around = JSON.stringify({ ...written, [key]: "HERE" }, null, 1);
  const [before, after] = around.split('"HERE"');
  const values = written[key].map((element) => JSON.stringify(element));
  const what = (place) => `breaks off at element ${place} of "${key}"`;
  return { before: `${before}[`, values, between: ",\n", after: `]${after}\n`, what };
}

function facts({ format, hasTitle, model }, { title }) {
  return { format, ...(hasTitle && { title }), ...(model && { model }) };
}

function counts(writer, steps) {
  const turns = steps.filter(({ calls }) => calls !== undefined);
  const calls = turns.flatMap((turn) => turn.calls);
  const names = calls.map((call) => writer.tools(call)[0]);
  const isFinished = turns.at(-1).calls.length === 0;
  const answered = writer.turnsByCall
    ? turns.reduce((sum, turn) => sum + Math.max(1, turn.calls.length), 0)
    : turns.length;
  const subagents = calls.flatMap(({ agent }) => agent ?? []);
  return {
    userMessages: writer.hasNoUser ? 0 : writer.hasOneUser ? 1 : count(steps, ({ user }) => user),
    turns: answered,
    calls: [...names, ...(writer.lastCall && isFinished ? [writer.lastCall] : [])],
    results: calls.length,
    failures: writer.failures ? count(calls, ({ exit }) => exit) : 0,
    condensations: count(steps, ({ compact }) => compact),
    leftOut: subagents.length > 0 ? writer.leftOut(subagents) : 0,
  };
}

function count(all, of) {
  return all.filter((each) => of(each) !== undefined).length;
}

/** How many blocks and results Claude Code writes for the steps of a subagent. */
function blocks(steps) {
  return steps.reduce(
    (sum, { think, say, calls }) => sum + (think ? 1 : 0) + (say ? 1 : 0) + 2 * calls.length,
    0,
  );
}

/** The steps, their calls with ids; a turn without calls has none. */
function withIds(steps) {
  let count = 0;
  const turn = (step) =>
    step.user !== undefined || step.compact !== undefined
      ? step
      : {
          ...step,
          calls: (step.calls ?? []).map((call) => ({
            ...call,
            id: `call_${(count += 1)}`,
            ...(call.agent && { agent: call.agent.map(turn) }),
          })),
        };
  return steps.map(turn);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const expected = {};
  for (const { file, text, expected: what } of fixtures()) {
    mkdirSync(path.dirname(path.join(FOLDER, file)), { recursive: true });
    writeFileSync(path.join(FOLDER, file), text);
    expected[file] = what;
  }
  const entries = Object.entries(expected).map(
    ([file, what]) => `${JSON.stringify(file)}: ${JSON.stringify(what)}`,
  );
  writeFileSync(path.join(FOLDER, "expected.json"), `{\n${entries.join(",\n")}\n}\n`);
}
