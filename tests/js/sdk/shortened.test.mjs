// Shortened histories, and the files that `repair --economy` writes, as the providers' own packages see them:
// their types compile them, and where a package has a validator, it accepts them. Each history is checked
// before it is shortened, too, so that what is accepted is not accepted whatever it is.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { GoogleGenAI } from "@google/genai";
import { modelMessageSchema as ofSix } from "ai";
import { modelMessageSchema as ofFive } from "ai-5";
import { modelMessageSchema as ofSeven } from "ai-7";
import { GoogleGenAI as GoogleGenAI3 } from "genai-3";

import { turnkeeper } from "../node/installed-package.mjs";
import { run } from "../node/replay-command.mjs";
import { compile } from "./compiler.mjs";
import { PROVIDERS } from "./provider-histories.mjs";

const { dedupeHistory } = turnkeeper;
const here = fileURLToPath(new URL(".", import.meta.url));
const project = mkdtempSync(path.join(tmpdir(), "turnkeeper-shortened-"));
after(() => rmSync(project, { recursive: true, force: true }));
symlinkSync(path.join(here, "node_modules"), path.join(project, "node_modules"), "dir");
mkdirSync(path.join(project, "types"));
writeFileSync(path.join(project, "package.json"), '{ "private": true, "type": "module" }\n');

/** What the command makes of a file that holds the history. */
async function repaired(name) {
  const given = path.join(project, `${name}.json`);
  const target = path.join(project, `${name}-repaired.json`);
  writeFileSync(given, JSON.stringify(PROVIDERS[name].history));
  const { code, stdout, stderr } = await run([
    "repair",
    given,
    "-o",
    target,
    "--economy",
    "resume",
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout.replace(/\s+/g, " "), /older copies of files/);
  const messages = JSON.parse(readFileSync(target, "utf8"));
  assert.equal(JSON.stringify(messages).match(/\[An older copy of /g).length, 2);
  return messages;
}

/** What the library makes of a provider's history. */
function shortened({ adapter, history }) {
  return ["resume", "compact"].map((economy) => {
    const { messages, report } = dedupeHistory(adapter.fromMessages(history), { economy });
    for (const kind of ["environment", "file"]) assert.ok(report.kinds[kind].items > 0, kind);
    return adapter.toMessages(messages);
  });
}

test("the types of each provider's package take it", async () => {
  const files = {};
  for (const [name, provider] of Object.entries(PROVIDERS)) {
    const all = [provider.history, ...shortened(provider), await repaired(name)];
    const lists = all.map(
      (messages, n) => `export const list${n}: Message[] = ${JSON.stringify(messages)};`,
    );
    files[`types/${name}.ts`] = [provider.type, ...lists].join("\n");
    // Types that take anything would say nothing.
    const wrong = 'export const list: Message[] = [{ role: "user", content: 7, parts: 7 }];';
    files[`types/${name}-wrong.ts`] = `${provider.type}\n${wrong}`;
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(project, file), text);
  const { stdout } = compile(project, 6);
  const errors = stdout.split("\n").filter((line) => /error TS/.test(line));
  const complainedOf = errors.map((line) => line.slice(0, line.indexOf("(")));
  const wrong = Object.keys(files).filter((file) => file.endsWith("-wrong.ts"));
  assert.deepEqual([...new Set(complainedOf)].sort(), wrong.sort(), stdout);
});

for (const [version, schema] of Object.entries({ 5: ofFive, 6: ofSix, 7: ofSeven })) {
  test(`the schema of ai ${version} accepts what was shortened`, async () => {
    const { adapter, history } = PROVIDERS["ai-sdk"];
    const { messages } = dedupeHistory(adapter.fromMessages(history), { economy: "compact" });
    const all = [...history, ...adapter.toMessages(messages), ...(await repaired("ai-sdk"))];
    for (const message of all) {
      const { success, error } = schema.safeParse(message);
      assert.ok(success, `${error}`);
    }
    assert.equal(schema.safeParse({ role: "tool", content: "x" }).success, false);
  });
}

for (const [version, SDK] of Object.entries({ 2: GoogleGenAI, 3: GoogleGenAI3 })) {
  test(`a chat of @google/genai ${version} goes on with what the command wrote`, async () => {
    const { chats } = new SDK({ apiKey: "none" });
    const open = (history) => chats.create({ model: "gemini-3-pro-preview", history });
    const history = await repaired("gemini");
    assert.deepEqual(open(history).getHistory(), history);
    // What is no history for it, such as a turn without parts, would be left out of the curated one.
    assert.deepEqual(open(history).getHistory(true), history);
    assert.throws(() => open([{ role: "tool", parts: [] }]), /Role must be/);
  });
}
