/** Where each agent is configured, and what is written there. */

import { homedir } from "node:os";
import path from "node:path";

import type { AgentName, Watching } from "../../agents/agents.js";

import { HookEntries, type HookStyle } from "./hook-entries.js";
import { OwnFile } from "./own-file.js";
import { ListItem } from "./list-item.js";
import { type Program, hookCommand, powershellCommand } from "./program-command.js";
import type { FileChange } from "./file-change.js";

/** Where to install: for all projects of the user, or in one project. */
export type Scope = { project: string } | "user";

/** An agent as `install` knows it. */
export interface AgentPlace {
  agent: AgentName;
  title: string;
  /** Folders of which one is there if the agent is, and the command that starts it. */
  folders: readonly string[];
  command?: string;
  /** The changes of its files; undefined where it has no such files. */
  changes(scope: Scope, how: Watching, program: Program): FileChange[] | undefined;
  /** What its user has to know or do after the installation. */
  note?: string;
}

/** Every agent, with places as the environment says. */
export function agentPlaces(env: NodeJS.ProcessEnv = process.env): AgentPlace[] {
  const home = homedir();
  const config = env.XDG_CONFIG_HOME || path.join(home, ".config");
  const claude = env.CLAUDE_CONFIG_DIR || path.join(home, ".claude");
  const codex = env.CODEX_HOME || path.join(home, ".codex");
  const copilot = env.COPILOT_HOME || path.join(home, ".copilot");
  const gemini = path.join(home, ".gemini");
  const qwen = path.join(home, ".qwen");
  const cursor = path.join(home, ".cursor");
  const clineCli = env.CLINE_DIR || path.join(home, ".cline");
  const clineCode = path.join(home, "Documents", "Cline");
  const pi = path.join(home, ".pi", "agent");
  const goose = path.join(home, ".agents", "plugins", "turnkeeper");
  const inProject = (scope: Scope, ...names: string[]): string | undefined =>
    scope === "user" ? undefined : path.join(scope.project, ...names);

  const hooks =
    (agent: AgentName, style: HookStyle, user: string, project: string[], events: HookEvents) =>
    (scope: Scope, how: Watching, program: Program): FileChange[] => {
      const file = inProject(scope, ...project) ?? user;
      const names = typeof events === "function" ? events(how) : events;
      return [new HookEntries(file, style, names, hookCommand(program, agent, how))];
    };
  const plugin =
    (file: string, user: string[], project: string[], key: string, asUrl: boolean) =>
    (scope: Scope, _how: Watching, program: Program): FileChange[] => {
      const places = scope === "user" ? user : project.map((it) => path.join(scope.project, it));
      return [new ListItem(places, key, program.plugin(file, asUrl))];
    };
  const copilotFile = (scope: Scope, how: Watching, program: Program): FileChange[] => {
    const user = path.join(copilot, "hooks", "turnkeeper.json");
    const file = inProject(scope, ".github", "hooks", "turnkeeper.json") ?? user;
    const bash = hookCommand(program, "copilot-cli", how);
    const powershell = powershellCommand(program, "copilot-cli", how);
    const entry = { type: "command", bash, powershell, timeoutSec: 10 };
    const entries = COPILOT_EVENTS.map((event) => [event, [entry]]);
    const content = { version: 1, hooks: Object.fromEntries(entries) as object };
    return [OwnFile.json(file, content)];
  };

  return [
    {
      agent: "claude-code",
      title: "Claude Code",
      folders: [claude],
      command: "claude",
      changes: hooks(
        "claude-code",
        { nested: true, timeout: 10 },
        path.join(claude, "settings.json"),
        [".claude", "settings.json"],
        ({ economy }) => [
          "SessionStart",
          "UserPromptSubmit",
          "PostToolBatch",
          ...(economy ? ["PostToolUse"] : []),
        ],
      ),
    },
    {
      agent: "vscode-copilot",
      title: "Copilot in VS Code",
      folders: [path.join(home, ".vscode"), path.join(config, "Code")],
      command: "code",
      changes: copilotFile,
      note: "Copilot in VS Code and Copilot CLI read the same file.",
    },
    {
      agent: "codex",
      title: "Codex",
      folders: [codex],
      command: "codex",
      changes: hooks(
        "codex",
        { nested: true, timeout: 10 },
        path.join(codex, "hooks.json"),
        [".codex", "hooks.json"],
        ({ mode }) => [
          "SessionStart",
          "UserPromptSubmit",
          "PostToolUse",
          ...(mode === "stop" ? ["PreToolUse"] : []),
        ],
      ),
      note: "Codex skips hooks in silence until you trust them: start `codex`, or type /hooks in it.",
    },
    {
      agent: "gemini-cli",
      title: "gemini-cli",
      folders: [gemini],
      command: "gemini",
      changes: hooks(
        "gemini-cli",
        { nested: true, timeout: 10_000, matcher: true },
        path.join(gemini, "settings.json"),
        [".gemini", "settings.json"],
        ["BeforeAgent", "PreCompress", "AfterTool"],
      ),
      note: "gemini-cli has a loop detection of its own; model.disableLoopDetection in its settings switches that off.",
    },
    {
      agent: "qwen-code",
      title: "Qwen Code",
      folders: [qwen],
      command: "qwen",
      changes: hooks(
        "qwen-code",
        { nested: true, timeout: 10_000, matcher: true },
        path.join(qwen, "settings.json"),
        [".qwen", "settings.json"],
        ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"],
      ),
    },
    {
      agent: "copilot-cli",
      title: "Copilot CLI",
      folders: [copilot],
      command: "copilot",
      changes: copilotFile,
      note: "Copilot in VS Code and Copilot CLI read the same file.",
    },
    {
      agent: "cline",
      title: "Cline",
      folders: [clineCli, clineCode],
      command: "cline",
      changes: (scope, how, program) => {
        const command = hookCommand(program, "cline", how);
        const script = `#!/bin/sh\nexec ${command}\n`;
        if (process.platform === "win32") return undefined;
        const project = inProject(scope, ".clinerules", "hooks");
        const places: [folder: string, extension: string][] = project
          ? [[project, ""]]
          : [
              [path.join(clineCli, "hooks"), ".sh"],
              [path.join(clineCode, "Hooks"), ""],
            ];
        return places.flatMap(([folder, extension]) =>
          CLINE_EVENTS.map((event) =>
            OwnFile.script(path.join(folder, `${event}${extension}`), script),
          ),
        );
      },
    },
    {
      agent: "cursor",
      title: "Cursor",
      folders: [cursor],
      changes: hooks(
        "cursor",
        { nested: false, version: 1 },
        path.join(cursor, "hooks.json"),
        [".cursor", "hooks.json"],
        ({ mode }) => [
          "beforeSubmitPrompt",
          "postToolUse",
          ...(mode === "stop" ? ["preToolUse"] : []),
        ],
      ),
    },
    {
      agent: "crush",
      title: "crush",
      folders: [path.join(config, "crush")],
      command: "crush",
      changes: hooks(
        "crush",
        { nested: false, timeout: 10 },
        path.join(config, "crush", "crush.json"),
        ["crush.json"],
        ["PreToolUse"],
      ),
      note: "crush tells of calls and not of their results, so only calls that are equal ten times are found.",
    },
    {
      agent: "goose",
      title: "goose",
      folders: [path.join(config, "goose")],
      command: "goose",
      changes: (scope, _how, program) => {
        if (scope !== "user") return undefined;
        const command = hookCommand(program, "goose", { mode: "watch", economy: false });
        const entry = [{ hooks: [{ type: "command", command, timeout: 10 }] }];
        const manifest = {
          name: "turnkeeper",
          version: program.version,
          description: "Logs repeated calls.",
        };
        return [
          OwnFile.json(path.join(goose, "plugin.json"), manifest),
          OwnFile.json(path.join(goose, "hooks", "hooks.json"), {
            hooks: { UserPromptSubmit: entry, PreToolUse: entry },
          }),
        ];
      },
      note: "goose ignores what its hooks answer, so there they only watch.",
    },
    {
      agent: "opencode",
      title: "opencode",
      folders: [path.join(config, "opencode")],
      command: "opencode",
      changes: plugin(
        "opencode.mjs",
        ["opencode.jsonc", "opencode.json"].map((it) => path.join(config, "opencode", it)),
        ["opencode.jsonc", "opencode.json"],
        "plugin",
        true,
      ),
    },
    {
      agent: "kilo",
      title: "Kilo",
      folders: [path.join(config, "kilo")],
      command: "kilo",
      changes: plugin(
        "opencode.mjs",
        ["kilo.jsonc", "kilo.json"].map((it) => path.join(config, "kilo", it)),
        ["kilo.jsonc", "kilo.json"],
        "plugin",
        true,
      ),
    },
    {
      agent: "pi",
      title: "pi",
      folders: [pi],
      command: "pi",
      changes: plugin(
        "pi.mjs",
        [path.join(pi, "settings.json")],
        [path.join(".pi", "settings.json")],
        "extensions",
        false,
      ),
    },
  ];
}

type HookEvents = readonly string[] | ((how: Watching) => readonly string[]);

// Keys in Pascal case, which both of its readers understand.
const COPILOT_EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"];
const CLINE_EVENTS = ["TaskStart", "TaskResume", "UserPromptSubmit", "PostToolUse"];
