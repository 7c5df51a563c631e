// Turns as data, which a session in Rust takes, too: see tests/data/README.md. With TURNKEEPER_WRITE set, what each
// step gives and each log is written into the file.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";

import { turnkeeper } from "./installed-package.mjs";

const { AgentSession } = turnkeeper;
const file = new URL("../../data/agent-session/turns.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8"));

/** What each kind of step does. */
const STEPS = {
  beginTurn: (session, turn) => session.beginTurn(turn),
  async assemble(session, { files = {}, environment }) {
    const host = { readFile: async ({ path }) => files[path] ?? { missing: true } };
    const { content } = await session.assemble(host, { environment });
    return content.map(({ text, alt }) => text ?? { alt });
  },
  addMessage: (session, message) => session.summaries.addMessage(message),
  recall: (session, what) => session.summaries.recall(what),
  buildPrompt(session, phase) {
    const parts = { capability: "", direction: "", workspace: "" };
    return session.buildPrompt(phase, parts).conversationHistory;
  },
  async answer(session, events) {
    const actions = [];
    const onLoopDetected = ({ verdict }) => actions.push(verdict.action);
    const abort = new AbortController();
    for await (const event of session.guard(streamOf(events), { abort, onLoopDetected })) {
      assert.ok(event);
    }
    return actions;
  },
  selectTerminal: (session, request) => session.selectTerminal(request).action,
  endTurn: (session, result) => session.endTurn(result),
  log: (session) => session.log,
};

async function* streamOf(events) {
  for (const { repeat = 1, ...event } of events) {
    for (let at = 0; at < repeat; at++) yield event;
  }
}

/** What a step gives, or the code of the error. */
async function given(session, [name, value]) {
  try {
    return (await STEPS[name](session, value)) ?? null;
  } catch (error) {
    if (error.code === undefined || error.machine === undefined) throw error;
    return { throws: error.code, by: error.machine };
  }
}

describe("turns that sessions in both languages take", () => {
  for (const { name, options, steps } of cases) {
    test(name, async () => {
      let session = new AgentSession({ terminals: { platform: "posix" }, ...options });
      for (const [at, step] of steps.entries()) {
        if (step.snapshot) {
          const snapshot = session.snapshot();
          session.dispose();
          session = AgentSession.restore(snapshot);
          continue;
        }
        const [call] = Object.entries(step);
        const gives = JSON.parse(JSON.stringify(await given(session, call)));
        if (process.env.TURNKEEPER_WRITE) step.gives = gives;
        else assert.deepEqual(gives, step.gives, `step ${at}: ${call[0]}`);
      }
      session.dispose();
    });
  }
  if (process.env.TURNKEEPER_WRITE) {
    process.on("exit", () => writeFileSync(file, `${JSON.stringify(cases, null, 2)}\n`));
  }
});
