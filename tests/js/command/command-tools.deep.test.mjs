import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { command } from "../node/installed-package.mjs";
import { file } from "../node/replay-command.mjs";

/** What the audit says of a session with one call. */
function audited(name, args) {
  const events = [
    { type: "turn_started" },
    { type: "tool_call", id: "1", name, args },
    { type: "tool_result", id: "1", output: "ok" },
  ];
  const lines = events.map((event) => JSON.stringify(event)).join("\n");
  const session = file(`tool-${name.replaceAll(".", "-")}.jsonl`, lines);
  const output = execFileSync(process.execPath, [command, "audit", "--json", session], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output).sessions[0];
}

test("a command is counted, whichever agent's tool runs it", () => {
  const tools = ["execute_command", "Bash", "run_shell_command", "run_in_terminal"];
  tools.push("container.exec", "developer__shell", "run_terminal_cmd");
  for (const tool of tools) {
    assert.equal(audited(tool, { command: "npm test" }).commands, 1, tool);
  }
  assert.equal(audited("exec_command", { cmd: "npm test" }).commands, 1);
});

test("a tool that only sounds like one is not", () => {
  assert.equal(audited("slash_command", { command: "/review" }).commands, 0);
});
