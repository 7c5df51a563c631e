import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { useWords } from "../words/words.js";

/** Where agents keep their sessions, below the home folder; a test sees that `turnkeeper audit` looks there. */
const FOLDERS: readonly (readonly [agent: string, folder: string])[] = [
  ["Claude Code", ".claude/projects"],
  ["Codex", ".codex/sessions"],
  ["gemini-cli", ".gemini/tmp"],
  ["Qwen Code", ".qwen/projects"],
  ["Copilot CLI", ".copilot/session-state"],
  ["VS Code Copilot chat", "EDITOR/workspaceStorage"],
  ["Cline", "EDITOR/globalStorage/saoudrizwan.claude-dev/tasks"],
  ["Roo Code", "EDITOR/globalStorage/rooveterinaryinc.roo-cline/tasks"],
  ["Kilo Code", "EDITOR/globalStorage/kilocode.kilo-code/tasks"],
  ["opencode", ".local/share/opencode/storage"],
  ["goose", ".local/share/goose/sessions"],
  ["pi", ".pi/agent/sessions"],
  ["OpenHands", ".openhands/conversations"],
  ["Kimi CLI", ".kimi/sessions"],
  ["Hermes", ".hermes/sessions"],
  ["CodeBuddy", ".codebuddy/projects"],
  ["nanobot", ".nanobot/workspace/sessions"],
  ["Kiro", ".kiro/sessions/cli"],
  ["Continue", ".continue/sessions"],
];

/** A folder as the user's system writes it. */
function onSystem(folder: string, system: string): string {
  if (system.startsWith("Win")) {
    const path = folder.replace("EDITOR", "AppData/Roaming/Code/User");
    return `%USERPROFILE%\\${path.replaceAll("/", "\\")}`;
  }
  const settings = system.startsWith("Mac") ? "Library/Application Support" : ".config";
  return `~/${folder.replace("EDITOR", `${settings}/Code/User`)}`;
}

/** A line for each agent: where it keeps its sessions, to be copied. */
export function Places(): VNode {
  const { places } = useWords();
  const [copied, setCopied] = useState("");
  const copy = (folder: string): void => {
    navigator.clipboard.writeText(folder).then(
      () => setCopied(folder),
      () => setCopied(""),
    );
  };
  return (
    <details class="places">
      <summary>{places.heading}</summary>
      <ul>
        {FOLDERS.map(([agent, below]) => {
          const folder = onSystem(below, navigator.platform);
          return (
            <li key={agent}>
              <span>{agent}</span> <code>{folder}</code>
              <button type="button" aria-label={places.copyOf(agent)} onClick={() => copy(folder)}>
                {copied === folder ? places.copied : places.copy}
              </button>
            </li>
          );
        })}
      </ul>
      <p class="hint">{places.hint}</p>
    </details>
  );
}
