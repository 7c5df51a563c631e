// A newcomer's agent: the code of docs/adapters.md as it stands, on the real SDK, through a hundred turns with a scripted
// model, which refuses a history that the provider would refuse.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, tool } from "ai";

import { app, turnkeeper } from "../node/installed-package.mjs";
import { KINDS, TOOLS, TURNS, kindOf, promptOf, scriptedModel, toolbox } from "./newcomer/days.mjs";
import * as wires from "./newcomer/wires.mjs";
import { serveProvider } from "./provider-server.mjs";

const { LoopDetector } = turnkeeper;

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const page = readFileSync(here("../../../docs/adapters.md"), "utf8");
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "turnkeeper-newcomer-")));
after(() => rmSync(folder, { recursive: true }));

function link(name, target) {
  const place = path.join(folder, "node_modules", name);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(target, place);
}
for (const sdk of [
  "@anthropic-ai/sdk",
  "openai",
  "@google/genai",
  "ai",
  "@ai-sdk/openai-compatible",
  "zod",
]) {
  link(sdk, path.join(here("node_modules"), sdk));
}
link("turnkeeper", path.join(app, "node_modules/turnkeeper"));
mkdirSync(path.join(folder, "node_modules/vscode"));
cpSync(here("newcomer/vscode.mjs"), path.join(folder, "node_modules/vscode/index.mjs"));
writeFileSync(
  path.join(folder, "node_modules/vscode/package.json"),
  '{ "exports": "./index.mjs" }',
);

/** What the page imports from `./mine.mjs`: it leads to the run that is under way. */
const MINE = `
export const { model, tools } = globalThis.newcomer;
export const run = (...call) => globalThis.newcomer.run(...call);
export const show = (text) => globalThis.newcomer.show(text);
export const onLoopDetected = ({ verdict }) => globalThis.newcomer.warn(verdict.report.message);
`;

/** The code under a heading of the page. */
function codeUnder(heading) {
  const [, code] = new RegExp(`^## ${heading}$.*?^\`\`\`js\\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
  assert.ok(code, `docs/adapters.md has no code under ${heading}`);
  return code;
}

/** The agent of a section, which talks with the model that `mine` names. */
async function agentOf(heading, mine) {
  const place = path.join(folder, heading.replace(/\W/g, ""));
  mkdirSync(place);
  globalThis.newcomer = mine;
  writeFileSync(path.join(place, "mine.mjs"), MINE);
  writeFileSync(path.join(place, "agent.mjs"), codeUnder(heading));
  return import(pathToFileURL(path.join(place, "agent.mjs")).href);
}

/** The whole day. `hasJson` says whether the history can be saved as JSON. */
async function live(ask, mine, model, { hasJson = true, keepsCutSteps = true } = {}) {
  const conversation = { detector: new LoopDetector(), history: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    const kind = kindOf(turn);
    const abort = new AbortController();
    const shown = [];
    const told = [];
    mine.run = toolbox(() => abort.abort());
    mine.show = (text) => {
      shown.push(text);
      if (shown.length === kind.abortsAtText) abort.abort();
    };
    mine.warn = (message) => told.push(/^Stopped/.test(message) ? "stop" : "nudge");
    const at = `turn ${turn}, ${kind.name}`;

    await ask(conversation, promptOf(turn), abort);

    const { detector, history } = conversation;
    const asked = model.asked(turn);
    assert.ok(asked.length >= 1, `${at}: the agent answers`);
    if (kind.requests) assert.equal(asked.length, kind.requests, at);
    if (kind.told) assert.deepEqual(told, kind.told, at);
    if (kind.isStopped) assert.equal(told.filter((action) => action === "stop").length, 1, at);
    assert.equal(detector.stopped, told.includes("stop"), at);
    if (kind.shown) assert.equal(shown.join(""), kind.shown(turn), at);
    if (kind.sent) assert.ok(asked.at(-1).includes(kind.sent), `${at}: the model reads it`);
    if (kind.saved && keepsCutSteps) assert.ok(JSON.stringify(history).includes(kind.saved), at);
    if (kind.name === "wait")
      assert.match(asked[3], /You seem to be stuck/, `${at}: the hint is sent`);
    if (kindOf(turn + 9).name === "wait") {
      assert.match(
        asked[0].slice(-4000),
        /You were stopped|stuck/,
        `${at}: so is why it was stopped`,
      );
    }
    assert.ok(
      !JSON.stringify(history).includes("of my long plan"),
      `${at}: nothing of what was cut off`,
    );
    assert.ok(JSON.stringify(history).length < 300_000, at);

    if (turn % 7 === 6) {
      conversation.detector = LoopDetector.restore(detector.snapshot());
      if (hasJson) conversation.history = JSON.parse(JSON.stringify(history));
    }
  }
  return conversation;
}

/** A provider on this machine, which checks each request by its wire's rules. */
async function provider(wire, model) {
  const faults = [];
  const server = await serveProvider(({ body }) => {
    try {
      wire.check(body);
    } catch (error) {
      faults.push(`${error.message}\n${JSON.stringify(body).slice(-2000)}`);
      throw error;
    }
    return wire.answer(model.answer(body));
  });
  return { ...server, faults };
}

const OVER_HTTP = {
  Anthropic: {
    wire: wires.anthropic,
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" }),
  },
  OpenAI: { wire: wires.openai, env: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" }) },
  Gemini: {
    wire: wires.gemini,
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "none" }),
  },
};

describe("a newcomer's hundred turns, with the agent of the page", () => {
  for (const [heading, { wire, env }] of Object.entries(OVER_HTTP)) {
    test(heading, async () => {
      const model = scriptedModel();
      const server = await provider(wire, model);
      Object.assign(process.env, env(server.url));
      const mine = { model: "model-1", tools: wire.tools(TOOLS) };
      try {
        const { ask } = await agentOf(heading, mine);
        await live(ask, mine, model);
      } finally {
        assert.deepEqual(server.faults, []);
        await server.stop();
      }
    });
  }

  test("The AI SDK", async () => {
    const model = scriptedModel();
    const server = await provider(wires.openai, model);
    const mine = {
      model: createOpenAICompatible({ name: "local", baseURL: server.url })("model-1"),
      tools: Object.fromEntries(
        TOOLS.map((name) => [name, toolOfTheSdk(name, (...call) => mine.run(...call))]),
      ),
    };
    try {
      const { ask } = await agentOf("The AI SDK", mine);
      // Of the step that an abort cuts off nothing is kept.
      await live(ask, mine, model, { keepsCutSteps: false });
    } finally {
      assert.deepEqual(server.faults, []);
      await server.stop();
    }
  });

  test("VS Code", async () => {
    const model = scriptedModel();
    const faults = [];
    const module = pathToFileURL(path.join(folder, "node_modules/vscode/index.mjs"));
    const vscode = await import(module.href);
    const mine = { model: wires.vscodeModel(vscode, model, faults), tools: TOOLS };
    const { ask } = await agentOf("VS Code", mine);
    await live(ask, mine, model, { hasJson: false });
    assert.deepEqual(faults, []);
  });
});

/** A tool as the AI SDK runs it, which throws where it fails. */
function toolOfTheSdk(name, run) {
  return tool({
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    async execute(input) {
      const { output, isError } = await run(name, input);
      if (isError) throw new Error(output);
      return output;
    },
  });
}

test("the agent of the README prints what the README says", async () => {
  for (const [at, name] of ["README.md", "README.zh-CN.md"].entries()) {
    const readme = readFileSync(here(`../../../${name}`), "utf8");
    const [, code, promised] = /^```js\n(.*?)^```$.*?^```text\n(.*?)^```$/ms.exec(readme);
    const place = path.join(folder, `readme-${at}`);
    mkdirSync(place);
    writeFileSync(path.join(place, "agent.mjs"), code);
    writeFileSync(path.join(place, "build.log"), "Compiling…");
    const stuck = { says: () => KINDS[1].says(0, 1) };
    const server = await provider(wires.openai, { answer: stuck.says });
    const env = { ...process.env, MODEL_URL: server.url, AI_SDK_LOG_WARNINGS: "false" };
    const agent = spawn(process.execPath, ["agent.mjs"], { cwd: place, env });
    const [stdout, stderr] = await Promise.all([agent.stdout, agent.stderr].map(text));
    assert.deepEqual(server.faults, [], name);
    await server.stop();
    assert.equal(stderr, "", name);
    assert.equal(stdout, promised, name);
    assert.equal(server.requests.length, 5, name);
  }
});

test("every kind of turn comes ten times", () => assert.equal(TURNS, 10 * KINDS.length));
