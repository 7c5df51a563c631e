import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { makeApp, run, writeFiles } from "./app.mjs";

const packages = fileURLToPath(new URL("../node_modules/", import.meta.url));

const USE = `
{
  using detector: LoopDetector = new LoopDetector({ profile: "standard" });
  detector.startPrompt("p1", { model: "gemini-3-pro-preview" });
  const event: AgentEvent = { type: "tool_call", name: "read_file", args: { path: "a.ts" } };
  const verdict: LoopVerdict = detector.observe(event);
  if (verdict.action !== "ok") console.log(verdict.report.type satisfies LoopType);
  const bytes: Uint8Array = detector.snapshot();
  LoopDetector.restore(bytes).dispose();
  const guarded = guardStream([] as unknown as AsyncIterable<object>, detector, {
    adapter: gemini.streamAdapter() as StreamAdapter<object>,
    onLoopDetected: ({ verdict }) => console.log(verdict.report.message),
  });
  void guarded;
  // @ts-expect-error: an unknown action
  const wrong: LoopVerdict = { action: "maybe" };
  void wrong;
}
void initSync, preload(), wasm;
for (const adapter of [aiSdk, anthropic, gemini, openai, vscode]) {
  const made: (event: never) => AgentEvent | readonly AgentEvent[] | undefined = adapter.streamAdapter();
  void made;
}
const history = [{ role: "user", content: "a" }];
for (const { fromMessages, toMessages } of [aiSdk, anthropic, openai, vscode]) {
  const again: typeof history = toMessages(dedupeHistory(fromMessages(history)).messages);
  void again;
}
const contents = [{ role: "user", parts: [{ text: "a" }] }];
const back: typeof contents = gemini.toMessages(dedupeHistory(gemini.fromMessages(contents)).messages);
void back;
{
  const detector = new LoopDetector();
  const seeded: LoopVerdict = detector.observeAll(sessions.eventsOf([{ role: "user", content: "a" }]));
  const format: sessions.SessionFormat | undefined = sessions.detectFormat("[]", "a.json");
  const read: Promise<sessions.SavedSession> = sessions.readSession(new Uint8Array(), { name: "a" });
  // @ts-expect-error: no format
  const wrong: sessions.SessionFormat = "word";
  void seeded, format, read, wrong;
}
`;

const FILES = {
  "app.mts": `import { LoopDetector, dedupeHistory, guardStream, preload } from "turnkeeper";
import type { AgentEvent, LoopType, LoopVerdict, StreamAdapter } from "turnkeeper";
import { initSync } from "turnkeeper/slim";
import * as aiSdk from "turnkeeper/adapters/ai-sdk";
import * as anthropic from "turnkeeper/adapters/anthropic";
import * as gemini from "turnkeeper/adapters/gemini";
import * as openai from "turnkeeper/adapters/openai";
import * as vscode from "turnkeeper/adapters/vscode";
import * as sessions from "turnkeeper/sessions";
import wasm from "turnkeeper/turnkeeper.wasm";
${USE}`,
  "app.cts": `import turnkeeper = require("turnkeeper");
import slim = require("turnkeeper/slim");
import aiSdk = require("turnkeeper/adapters/ai-sdk");
import anthropic = require("turnkeeper/adapters/anthropic");
import gemini = require("turnkeeper/adapters/gemini");
import openai = require("turnkeeper/adapters/openai");
import vscode = require("turnkeeper/adapters/vscode");
import sessions = require("turnkeeper/sessions");
import wasm = require("turnkeeper/turnkeeper.wasm");
import LoopDetector = turnkeeper.LoopDetector;
type AgentEvent = turnkeeper.AgentEvent;
type LoopType = turnkeeper.LoopType;
type LoopVerdict = turnkeeper.LoopVerdict;
type StreamAdapter<T> = turnkeeper.StreamAdapter<T>;
const { dedupeHistory, guardStream, preload } = turnkeeper;
const { initSync } = slim;
${USE}`,
};

const app = await makeApp(FILES);

for (const major of ["6", "7"]) {
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["preserve", "bundler"],
  ]) {
    test(`the types hold on TypeScript ${major} with ${moduleResolution} resolution`, async () => {
      writeFiles(app, {
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            module,
            moduleResolution,
            target: "es2022",
            lib: ["es2022", "dom"],
            types: [],
            strict: true,
            skipLibCheck: false,
            noEmit: true,
          },
          files: Object.keys(FILES),
        }),
      });
      const tsc = path.join(packages, `typescript-${major}`, "bin/tsc");
      assert.equal(await run("node", [tsc, "--project", app], { cwd: app }), "");
    });
  }
}
