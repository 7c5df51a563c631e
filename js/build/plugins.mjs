// What the plugin systems of agents look for in the package.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The tools of gemini-cli that run a subagent, as `src/watch/agents/gemini_cli/setup.rs` has them. */
const GEMINI_SUBAGENTS =
  "invoke_agent|delegate_to_agent|codebase_investigator|generalist|cli_help|browser_agent";

export function writePlugins(out, { version, description }) {
  const about = { name: "turnkeeper", version, description };
  const put = (name, content) => {
    mkdirSync(path.dirname(path.join(out, name)), { recursive: true });
    writeFileSync(path.join(out, name), content);
  };
  const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

  // Claude Code. The hooks stand in the manifest, since gemini-cli would read its file, too.
  const claude = hooks("${CLAUDE_PLUGIN_ROOT}", "claude-code", 10, {}, [
    "SessionStart",
    "UserPromptSubmit",
    "PostToolBatch",
  ]);
  put(".claude-plugin/plugin.json", json({ ...about, hooks: claude }));

  // gemini-cli.
  put("gemini-extension.json", json(about));
  const events = ["BeforeAgent", "PreCompress", "AfterTool"];
  const all = hooks("${extensionPath}", "gemini-cli", 10_000, { matcher: "*" }, events);
  const subagents = { matcher: GEMINI_SUBAGENTS };
  const some = hooks("${extensionPath}", "gemini-cli", 10_000, subagents, ["BeforeTool"]);
  put("hooks/hooks.json", json({ hooks: { ...all, ...some } }));
}

function hooks(root, agent, timeout, group, events) {
  const command = `node "${root}/dist/turnkeeper-hook.cjs" ${agent}`;
  const hook = { type: "command", command, timeout };
  return Object.fromEntries(events.map((event) => [event, [{ ...group, hooks: [hook] }]]));
}
