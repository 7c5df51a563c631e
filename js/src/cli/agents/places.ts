/** Where each agent is configured, and what is written there. */

import { homedir } from "node:os";
import path from "node:path";

import { AGENTS, type AgentName, type Watching } from "../../agents/agents.js";
import { GEMINI_SUBAGENTS } from "../../agents/dialects/index.js";

import type { FileChange } from "./file-change.js";
import { HookEntries, type HookStyle } from "./hook-entries.js";
import { ListItem } from "./list-item.js";
import { OwnFile } from "./own-file.js";
import { type Program, hookCommand, powershellCommand } from "./program-command.js";

/** What is installed, and where. */
interface Wanted extends Watching {
  /** The folder of the project; undefined for all projects of the user. */
  project: string | undefined;
  program: Program;
}

/** An agent as `install` knows it. */
export interface AgentPlace {
  agent: AgentName;
  title: string;
  /** Folders of which one is there if the agent is, and the command that starts it. */
  folders: readonly string[];
  command?: string;
  /** The changes of its files; undefined where it has no such files. */
  changes(wanted: Wanted): FileChange[] | undefined;
  /** What its user has to know or do after the installation. */
  note?: string;
}

/** How an agent's hooks are written, and the events that they are for. */
interface Hooks extends HookStyle {
  events: readonly string[];
  /** One more in mode `stop`, and with an economy. */
  inStop?: string;
  inEconomy?: string;
}

/** Agents, with places as the environment says. */
export function agentPlaces(names: readonly AgentName[] = AGENTS): AgentPlace[] {
  const { env } = process;
  const home = (below: string): string => path.join(homedir(), below);
  const config = (below: string): string =>
    path.join(env.XDG_CONFIG_HOME || home(".config"), below);
  const claude = env.CLAUDE_CONFIG_DIR || home(".claude");
  const codex = env.CODEX_HOME || home(".codex");
  const copilot = env.COPILOT_HOME || home(".copilot");
  const clineCli = env.CLINE_DIR || home(".cline");
  const clineCode = home("Documents/Cline");

  /** Entries among the hooks of a settings file: of the user, or below a project's folder. */
  const hooks =
    (
      agent: AgentName,
      user: string,
      below: string,
      { events, inStop, inEconomy, ...style }: Hooks,
    ) =>
    ({ project, program, mode, economy }: Wanted): FileChange[] => {
      const all = [...events, mode === "stop" && inStop, economy && inEconomy];
      const named = all.filter((event) => typeof event === "string");
      const file = project === undefined ? user : path.join(project, below);
      const command = hookCommand(program, agent, { mode, economy });
      return [new HookEntries(file, style, named, command)];
    };
  /** The plugin in a list of the first of these files that is there, in the user's folder or the project's. */
  const plugin =
    (name: string, asUrl: boolean, key: string, user: string, below: string, files: string[]) =>
    ({ project, program }: Wanted): FileChange[] => {
      const folder = project === undefined ? user : path.join(project, below);
      const places = files.map((file) => path.join(folder, file));
      return [new ListItem(places, key, program.plugin(name, asUrl))];
    };
  const openCode = (agent: "opencode" | "kilo") =>
    plugin("opencode.mjs", true, "plugin", config(agent), "", [`${agent}.jsonc`, `${agent}.json`]);
  const copilots = {
    changes: ({ project, program, ...how }: Wanted): FileChange[] => {
      const folder = project === undefined ? copilot : path.join(project, ".github");
      const bash = hookCommand(program, "copilot-cli", how);
      const powershell = powershellCommand(program, "copilot-cli", how);
      const entry = [{ type: "command", bash, powershell, timeoutSec: 10 }];
      const entries = Object.fromEntries(COPILOT_EVENTS.map((event) => [event, entry]));
      const file = path.join(folder, "hooks", "turnkeeper.json");
      return [OwnFile.json(file, { version: 1, hooks: entries })];
    },
    note: "Copilot in VS Code and Copilot CLI read the same file.",
  };

  const places: AgentPlace[] = [
    {
      agent: "claude-code",
      title: "Claude Code",
      folders: [claude],
      command: "claude",
      changes: hooks("claude-code", path.join(claude, "settings.json"), ".claude/settings.json", {
        nested: true,
        timeout: 10,
        events: ["SessionStart", "UserPromptSubmit", "PostToolBatch"],
        inEconomy: "PostToolUse",
      }),
    },
    {
      agent: "vscode-copilot",
      title: "Copilot in VS Code",
      folders: [home(".vscode"), config("Code")],
      command: "code",
      ...copilots,
    },
    {
      agent: "codex",
      title: "Codex",
      folders: [codex],
      command: "codex",
      changes: hooks("codex", path.join(codex, "hooks.json"), ".codex/hooks.json", {
        nested: true,
        timeout: 10,
        events: ["SessionStart", "UserPromptSubmit", "PostToolUse"],
        inStop: "PreToolUse",
      }),
      note: "Codex skips hooks in silence until you trust them: start `codex`, or type /hooks in it.",
    },
    {
      agent: "gemini-cli",
      title: "gemini-cli",
      folders: [home(".gemini")],
      command: "gemini",
      changes: hooks("gemini-cli", home(".gemini/settings.json"), ".gemini/settings.json", {
        ...OF_GEMINI,
        events: ["BeforeAgent", "PreCompress", "BeforeTool", "AfterTool"],
        onlyFor: { BeforeTool: GEMINI_SUBAGENTS.join("|") },
      }),
      note: "gemini-cli has a loop detection of its own; model.disableLoopDetection in its settings switches that off.",
    },
    {
      agent: "qwen-code",
      title: "Qwen Code",
      folders: [home(".qwen")],
      command: "qwen",
      changes: hooks("qwen-code", home(".qwen/settings.json"), ".qwen/settings.json", {
        ...OF_GEMINI,
        events: ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"],
      }),
    },
    {
      agent: "copilot-cli",
      title: "Copilot CLI",
      folders: [copilot],
      command: "copilot",
      ...copilots,
    },
    {
      agent: "cline",
      title: "Cline",
      folders: [clineCli, clineCode],
      command: "cline",
      changes: ({ project, program, ...how }) => {
        if (process.platform === "win32") return undefined;
        const script = `#!/bin/sh\nexec ${hookCommand(program, "cline", how)}\n`;
        const folders: [folder: string, extension: string][] =
          project === undefined
            ? [
                [path.join(clineCli, "hooks"), ".sh"],
                [path.join(clineCode, "Hooks"), ""],
              ]
            : [[path.join(project, ".clinerules", "hooks"), ""]];
        return folders.flatMap(([folder, extension]) =>
          CLINE_EVENTS.map((event) => OwnFile.script(path.join(folder, event + extension), script)),
        );
      },
    },
    {
      agent: "cursor",
      title: "Cursor",
      folders: [home(".cursor")],
      changes: hooks("cursor", home(".cursor/hooks.json"), ".cursor/hooks.json", {
        nested: false,
        version: 1,
        events: ["beforeSubmitPrompt", "postToolUse"],
        inStop: "preToolUse",
      }),
    },
    {
      agent: "crush",
      title: "crush",
      folders: [config("crush")],
      command: "crush",
      changes: hooks("crush", config("crush/crush.json"), "crush.json", {
        nested: false,
        timeout: 10,
        events: ["PreToolUse"],
      }),
      note: "crush tells of calls and not of their results, so only calls that are equal ten times are found.",
    },
    {
      agent: "goose",
      title: "goose",
      folders: [config("goose")],
      command: "goose",
      changes: ({ project, program }) => {
        if (project !== undefined) return undefined;
        const command = hookCommand(program, "goose", { mode: "watch", economy: false });
        const entry = [{ hooks: [{ type: "command", command, timeout: 10 }] }];
        const hooks = { UserPromptSubmit: entry, PreToolUse: entry };
        const { version } = program;
        const manifest = { name: "turnkeeper", version, description: "Logs repeated calls." };
        return [
          OwnFile.json(home(".agents/plugins/turnkeeper/plugin.json"), manifest),
          OwnFile.json(home(".agents/plugins/turnkeeper/hooks/hooks.json"), { hooks }),
        ];
      },
      note: "goose ignores what its hooks answer, so there they only watch.",
    },
    {
      agent: "opencode",
      title: "opencode",
      folders: [config("opencode")],
      command: "opencode",
      changes: openCode("opencode"),
    },
    {
      agent: "kilo",
      title: "Kilo",
      folders: [config("kilo")],
      command: "kilo",
      changes: openCode("kilo"),
    },
    {
      agent: "pi",
      title: "pi",
      folders: [home(".pi/agent")],
      command: "pi",
      changes: plugin("pi.mjs", false, "extensions", home(".pi/agent"), ".pi", ["settings.json"]),
    },
  ];
  return places.filter(({ agent }) => names.includes(agent));
}

const OF_GEMINI = { nested: true, timeout: 10_000, matcher: true };
// Keys in Pascal case, which both of its readers understand.
const COPILOT_EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"];
const CLINE_EVENTS = ["TaskStart", "TaskResume", "UserPromptSubmit", "PostToolUse"];
