import assert from "node:assert/strict";
import { test } from "node:test";

import { Hooks } from "./hook-process.mjs";

/** The ledger of a session with these calls, each with its name, its arguments and what it answered. */
function ledgerOf(t, calls, prompts = []) {
  const hooks = new Hooks(t, "claude-code");
  const send = (event) => hooks.send({ session_id: "s", prompt_id: "p", ...event });
  for (const prompt of prompts) send({ hook_event_name: "UserPromptSubmit", prompt });
  calls.forEach(([tool_name, tool_input, tool_response], at) => {
    const call = { tool_name, tool_input, tool_use_id: `c${at}`, tool_response };
    send({ hook_event_name: "PostToolBatch", tool_calls: [call] });
  });
  const told = send({ hook_event_name: "SessionStart", source: "compact" });
  return told.hookSpecificOutput.additionalContext;
}

test("commands whose beginning is long and equal are two", (t) => {
  const start = `cat > a.txt <<'END'\n${"line\n".repeat(600)}END\n`;
  const ledger = ledgerOf(t, [
    ["Bash", { command: `${start}cargo test` }, "1 failed"],
    ["Bash", { command: `${start}cargo build` }, "Finished"],
  ]);
  assert.match(ledger, /cargo test \(once\).*1 failed/);
  assert.match(ledger, /cargo build \(once\).*Finished/);
});

test("every file of a long patch is told", (t) => {
  const part = (name) => `*** Update File: ${name}\n@@\n${"+a line\n".repeat(300)}`;
  const patch = `*** Begin Patch\n${part("a.rs")}${part("b.rs")}*** End Patch`;
  const ledger = ledgerOf(t, [["apply_patch", { input: patch }, "Success"]]);
  assert.match(ledger, /- a\.rs: once/);
  assert.match(ledger, /- b\.rs: once/);
});

test("what the user said between the first message and the newest is told", (t) => {
  const prompts = ["Add a login page.", "Never touch /checkout.", "Now the tests.", "continue"];
  const ledger = ledgerOf(t, [["Bash", { command: "ls" }, "src"]], prompts);
  assert.match(ledger, /> Never touch \/checkout\./);
  assert.match(ledger, /newest message:\n> Now the tests\.\n/);
});
