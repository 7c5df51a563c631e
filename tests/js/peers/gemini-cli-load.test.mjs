// A chat that was saved with `/chat save` and that `repair --economy` has shortened, loaded as gemini-cli
// itself loads it.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { run } from "../node/replay-command.mjs";

// It is read when the package is loaded.
const home = mkdtempSync(path.join(tmpdir(), "turnkeeper-gemini-"));
after(() => rmSync(home, { recursive: true, force: true }));
process.env.HOME = home;
process.env.GEMINI_CLI_HOME = home;
const { Logger, Storage } = await import("@google/gemini-cli-core");

const FILE = "export const answer = 42;\n".repeat(30);
const HISTORY = [
  { role: "user", parts: [{ text: "Go." }] },
  ...[FILE, `${FILE}export const question = "?";\n`].flatMap((output, n) => [
    {
      role: "model",
      parts: [{ functionCall: { id: `${n}`, name: "read_file", args: { path: "a.ts" } } }],
    },
    {
      role: "user",
      parts: [{ functionResponse: { id: `${n}`, name: "read_file", response: { output } } }],
    },
  ]),
];

test("gemini-cli resumes a saved chat without its older copies", async () => {
  const project = path.join(home, "project");
  mkdirSync(project);
  const storage = new Storage(project);
  await storage.initialize();
  const logger = new Logger("session", storage);
  await logger.initialize();
  try {
    await logger.saveCheckpoint({ history: HISTORY, authType: "gemini-api-key" }, "cart");
    const file = path.join(storage.getProjectTempDir(), "checkpoint-cart.json");
    const { code, stderr } = await run(["repair", file, "--in-place", "--economy", "resume"]);
    assert.deepEqual([code, stderr], [0, ""]);
    const { history, authType } = await logger.loadCheckpoint("cart");
    assert.equal(authType, "gemini-api-key");
    const [, , older] = history;
    const { output } = older.parts[0].functionResponse.response;
    assert.match(output, /^\[An older copy of a\.ts, \d+ characters, .* in message 4\.\]$/);
    older.parts[0].functionResponse.response.output = FILE;
    assert.deepEqual(history, HISTORY);
    // The original is beside it, and no checkpoint of its own.
    assert.deepEqual(JSON.parse(readFileSync(`${file}.bak`, "utf8")).history, HISTORY);
    assert.ok(existsSync(file));
  } finally {
    logger.close();
  }
});
