// The samples of the page, each as an agent would have saved it. The writers are those that write the
// sessions which the readers are tested with.
//
//   node www/samples/make.mjs FOLDER    writes them as files

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import * as lines from "../../tests/js/session-fixtures/lines.mjs";
import * as objects from "../../tests/js/session-fixtures/objects.mjs";

import { brokenCommand, patchAgain, sameSearch, stuckTests } from "./stories.mjs";

const fixture = (name) =>
  readFileSync(fileURLToPath(new URL(`../../tests/data/${name}`, import.meta.url)), "utf8");
const asLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const asObject = (value) => `${JSON.stringify(value, null, 1)}\n`;

/** The file of each sample, by the sample's name. */
export function sampleFiles() {
  return {
    stuckTests: { name: "stuck-tests.jsonl", text: asLines(lines.claudeCode(told(stuckTests))) },
    sameSearch: { name: "same-search.json", text: asObject(objects.geminiCli(told(sameSearch))) },
    fileAfterFile: { name: "preview-loop.jsonl", text: fixture("sessions/preview-loop.jsonl") },
    resumedTask: {
      name: "api_conversation_history.json",
      text: fixture("histories/resumed-task.json"),
    },
    brokenCommand: {
      name: "trajectory.json",
      text: asObject(lines.openHandsEvents(told(brokenCommand))),
    },
    patchAgain: { name: "rollout.jsonl", text: asLines(lines.codex(told(patchAgain))) },
    sameWords: { name: "chinese-chant.jsonl", text: fixture("sessions/chinese-chant.jsonl") },
    healthy: { name: "healthy.jsonl", text: fixture("sessions/healthy.jsonl") },
  };
}

/** A story as the writers take it: with an id, and an id for each call. */
function told({ name, steps, ...story }) {
  let count = 0;
  const withIds = steps.map((step) =>
    step.user !== undefined
      ? step
      : {
          ...step,
          calls: (step.calls ?? []).map((call) => ({ ...call, id: `call_${(count += 1)}` })),
        },
  );
  return { ...story, name, id: name, steps: withIds };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) throw new Error("usage: node www/samples/make.mjs FOLDER");
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of Object.values(sampleFiles())) {
    writeFileSync(path.join(folder, name), text);
  }
}
