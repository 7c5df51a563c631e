// The programs for other systems answer an agent's events as this machine's does: aarch64 by qemu, Windows by wine.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";

/** How each platform's program is started here: names and words of a command. */
const PLATFORMS = Object.entries(JSON.parse(process.env.TURNKEEPER_PLATFORMS));

const prompt = { hook_event_name: "UserPromptSubmit", session_id: "s", prompt: "Is it built?" };
const look = (id) => ({
  hook_event_name: "PostToolBatch",
  session_id: "s",
  tool_calls: [
    { tool_name: "Bash", tool_input: { command: "cat log" }, tool_use_id: id, tool_response: "…" },
  ],
});
const EVENTS = [prompt, ...Array.from({ length: 6 }, (_, at) => look(`c${at}`)), "no JSON"];

for (const [name, command] of PLATFORMS) {
  test(`${name}: a loop is nudged and ended, and what is no event is met with silence`, (t) => {
    const state = mkdtempSync(path.join(tmpdir(), "turnkeeper-platform-"));
    t.after(() => rmSync(state, { recursive: true, force: true }));
    const said = EVENTS.map((event) => answer(command, state, event));
    const nudged = said.filter(({ hookSpecificOutput: told }) => told !== undefined);
    assert.match(nudged[0].hookSpecificOutput.additionalContext, /Bash/);
    assert.ok(said.some((it) => it.continue === false));
    assert.deepEqual(said.at(-1), {});
    const log = readFileSync(path.join(state, "log.jsonl"), "utf8");
    assert.match(log, /"what":"nudge".*"what":"stop".*"what":"failure"/s);
    assert.ok(existsSync(path.join(state, "claude-code.heard")));
  });
}

function answer([program, ...words], state, event) {
  const ended = spawnSync(program, [...words, "hook", "claude-code", "--mode", "stop"], {
    input: typeof event === "string" ? event : JSON.stringify(event),
    env: { ...process.env, TURNKEEPER_STATE: state, TURNKEEPER: "", WINEDEBUG: "-all" },
    encoding: "utf8",
  });
  assert.equal(ended.status, 0, ended.stderr);
  return ended.stdout === "" ? {} : JSON.parse(ended.stdout);
}
