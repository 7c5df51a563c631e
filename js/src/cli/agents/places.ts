/** Where each agent is configured, and what is written there. */

import { homedir } from "node:os";
import path from "node:path";

import { AGENTS, type AgentName, type Mode, type Watching } from "../../agents/agents.js";
import { GEMINI_SUBAGENTS } from "../../agents/dialects/index.js";

import type { FileChange } from "./file-change.js";
import { HookEntries, type HookStyle } from "./hook-entries.js";
import { type Hooked, hookLine, powershellLine } from "./hook-line.js";
import { ListItem } from "./list-item.js";
import { OwnFile } from "./own-file.js";
import type { Program } from "./program.js";
import { openCodeModule, piModule } from "./project-plugin.js";
import {
  type Switch,
  isFalse,
  isFeatureOff,
  isListed,
  isTrue,
  isUntrustedByCodex,
  isUntrustedFolder,
} from "./switches.js";

/** What is installed, and where. */
export interface Wanted extends Watching {
  /** The folder of the project; undefined for all projects of the user. */
  project: string | undefined;
  program: Program;
}

/** An agent as `install` knows it. */
export interface AgentPlace {
  agent: AgentName;
  title: string;
  /** What is there if the agent is; a `*` at the end stands for any letters. */
  signs: readonly string[];
  /** The command that starts it. */
  command?: string;
  /** The changes of its files; undefined where it has no such files. */
  changes: (wanted: Wanted) => FileChange[] | undefined;
  /** Whether its file of a project is for this user alone, and not for all who share the project. */
  isPersonal?: boolean;
  /** Older files that it reads as well. */
  formerly?: (project: string | undefined) => string[];
  /** Settings that keep hooks from running. */
  switches?: Switch[];
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
  /** The folder that a variable names, or the usual one. */
  const named = (variable: string, usual: string): string => {
    const given = env[variable];
    return given ? path.resolve(given) : usual;
  };
  const config = (below: string): string =>
    path.join(named("XDG_CONFIG_HOME", home(".config")), below);
  const claudes = (env.CLAUDE_CONFIG_DIR || home(".claude"))
    .split(",")
    .filter((it) => it.trim() !== "")
    .map((it) => path.resolve(it.trim()));
  const codex = named("CODEX_HOME", home(".codex"));
  const gemini = path.join(named("GEMINI_CLI_HOME", homedir()), ".gemini");
  const qwen = named("QWEN_HOME", home(".qwen"));
  const copilot = named("COPILOT_HOME", home(".copilot"));
  const clineCli = named("CLINE_DIR", home(".cline"));
  const clineCode = home("Documents/Cline");
  const crush = named("CRUSH_GLOBAL_CONFIG", config("crush"));
  const pi = named("PI_CODING_AGENT_DIR", home(".pi/agent"));

  /** Entries among the hooks of settings files: of the user, or below a project's folder. */
  const hooks =
    (
      agent: AgentName,
      users: readonly string[],
      below: string,
      { events, inStop, inEconomy, ...style }: Hooks,
      isPersonal = false,
    ) =>
    ({ project, program, mode, economy }: Wanted): FileChange[] => {
      const all = [...events, mode === "stop" && inStop, economy && inEconomy];
      const wanted = all.filter((event) => typeof event === "string");
      const files = project === undefined ? users : [path.join(project, below)];
      const isShared = project !== undefined && !isPersonal;
      const line = hookLine(agent, { program, mode, economy, isShared });
      return files.map((file) => new HookEntries(file, style, wanted, line));
    };
  /** The plugin in a list of the user's settings, or a module below a project's folder. */
  const plugin =
    (
      name: string,
      key: string,
      users: readonly string[],
      below: string,
      module: (mode: Mode) => string,
    ) =>
    ({ project, program, mode }: Wanted): FileChange[] => {
      if (project !== undefined) return [OwnFile.module(path.join(project, below), module(mode))];
      return [new ListItem(users, key, program.plugin(name, key === "plugin"))];
    };
  const openCode = (agent: "opencode" | "kilo"): Pick<AgentPlace, "changes" | "formerly"> => {
    const users = [`${agent}.jsonc`, `${agent}.json`].map((it) => path.join(config(agent), it));
    const below = `.${agent}/plugin/turnkeeper.js`;
    return {
      changes: plugin("opencode.mjs", "plugin", users, below, openCodeModule),
      formerly: (project) => (project === undefined ? users : []),
    };
  };
  const copilots: Pick<AgentPlace, "changes" | "switches" | "note"> = {
    changes: ({ project, ...how }) => {
      const folder = project === undefined ? copilot : path.join(project, ".github");
      const hooked: Hooked = { ...how, isShared: project !== undefined };
      const bash = hookLine("copilot-cli", hooked);
      const powershell = powershellLine("copilot-cli", hooked);
      const entry = [{ type: "command", bash, powershell, timeoutSec: 10 }];
      const events = how.mode === "watch" ? COPILOT_WATCHED : COPILOT_EVENTS;
      const entries = Object.fromEntries(events.map((event) => [event, entry]));
      const file = path.join(folder, "hooks", "turnkeeper.json");
      return [OwnFile.json(file, { version: 1, hooks: entries })];
    },
    switches: ["config.json", "settings.json"].map((name) =>
      isTrue(path.join(copilot, name), ["disableAllHooks"]),
    ),
    note: "Copilot in VS Code and Copilot CLI read the same file.",
  };

  const places: AgentPlace[] = [
    {
      agent: "claude-code",
      title: "Claude Code",
      signs: claudes,
      command: "claude",
      changes: hooks(
        "claude-code",
        claudes.map((it) => path.join(it, "settings.json")),
        ".claude/settings.local.json",
        {
          nested: true,
          timeout: 10,
          events: ["SessionStart", "UserPromptSubmit", "PostToolBatch"],
          inEconomy: "PostToolUse",
        },
        true,
      ),
      isPersonal: true,
      formerly: (project) =>
        project === undefined ? [] : [path.join(project, ".claude/settings.json")],
      switches: [
        ...claudes.map((it) => path.join(it, "settings.json")),
        path.resolve(".claude/settings.json"),
        path.resolve(".claude/settings.local.json"),
      ].map((file) => isTrue(file, ["disableAllHooks"])),
    },
    {
      agent: "vscode-copilot",
      title: "Copilot in VS Code",
      // VS Code alone is no sign of it.
      signs: [
        ...[".vscode", ".vscode-insiders", ".vscode-server"].map((it) =>
          home(`${it}/extensions/github.copilot*`),
        ),
        ...["Code", "Code - Insiders"].map((it) =>
          path.join(editors(), it, "User/globalStorage/github.copilot*"),
        ),
      ],
      ...copilots,
    },
    {
      agent: "codex",
      title: "Codex",
      signs: [codex],
      command: "codex",
      changes: hooks("codex", [path.join(codex, "hooks.json")], ".codex/hooks.json", {
        nested: true,
        timeout: 10,
        events: ["SessionStart", "UserPromptSubmit", "PostToolUse"],
        inStop: "PreToolUse",
      }),
      switches: [
        isFeatureOff(path.join(codex, "config.toml")),
        isUntrustedByCodex(path.join(codex, "config.toml"), path.resolve(".codex/hooks.json")),
      ],
      note: "Codex skips hooks in silence until you trust them: start `codex`, or type /hooks in it.",
    },
    {
      agent: "gemini-cli",
      title: "gemini-cli",
      signs: [gemini],
      command: "gemini",
      changes: hooks("gemini-cli", [path.join(gemini, "settings.json")], ".gemini/settings.json", {
        ...OF_GEMINI,
        events: ["BeforeAgent", "PreCompress", "BeforeTool", "AfterTool"],
        onlyFor: { BeforeTool: GEMINI_SUBAGENTS.join("|") },
      }),
      switches: switchesOfGemini(gemini, path.resolve(".gemini/settings.json")),
      note: "gemini-cli has a loop detection of its own; model.disableLoopDetection in its settings switches that off.",
    },
    {
      agent: "qwen-code",
      title: "Qwen Code",
      signs: [qwen],
      command: "qwen",
      changes: hooks("qwen-code", [path.join(qwen, "settings.json")], ".qwen/settings.json", {
        ...OF_GEMINI,
        events: ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"],
      }),
      switches: switchesOfGemini(qwen, path.resolve(".qwen/settings.json")),
    },
    {
      agent: "copilot-cli",
      title: "Copilot CLI",
      signs: [copilot],
      command: "copilot",
      ...copilots,
    },
    {
      agent: "cline",
      title: "Cline",
      signs: [clineCli, clineCode],
      command: "cline",
      changes: ({ project, ...how }) => {
        if (process.platform === "win32") return undefined;
        const line = hookLine("cline", { ...how, isShared: project !== undefined });
        const folders: [folder: string, extension: string][] =
          project === undefined
            ? [
                [path.join(clineCli, "hooks"), ".sh"],
                [path.join(clineCode, "Hooks"), ""],
              ]
            : [[path.join(project, ".clinerules", "hooks"), ""]];
        return folders.flatMap(([folder, extension]) =>
          CLINE_EVENTS.map((event) =>
            OwnFile.script(path.join(folder, event + extension), `#!/bin/sh\n${line}\n`),
          ),
        );
      },
    },
    {
      agent: "cursor",
      title: "Cursor",
      signs: [home(".cursor")],
      changes: hooks("cursor", [home(".cursor/hooks.json")], ".cursor/hooks.json", {
        nested: false,
        version: 1,
        events: ["beforeSubmitPrompt", "postToolUse"],
        inStop: "preToolUse",
      }),
    },
    {
      agent: "crush",
      title: "crush",
      signs: [crush],
      command: "crush",
      changes: hooks("crush", [path.join(crush, "crush.json")], "crush.json", {
        nested: false,
        timeout: 10,
        events: ["PreToolUse"],
      }),
      note: "crush tells of calls and not of their results, so only calls that are equal ten times are found.",
    },
    {
      agent: "goose",
      title: "goose",
      signs: [config("goose")],
      command: "goose",
      changes: ({ project, program }) => {
        if (project !== undefined) return undefined;
        const how = { mode: "watch", economy: false, isShared: false, program } as const;
        const command = hookLine("goose", how);
        const entry = [{ hooks: [{ type: "command", command, timeout: 10 }] }];
        const entries = { UserPromptSubmit: entry, PreToolUse: entry };
        const { version } = program;
        const manifest = { name: "turnkeeper", version, description: "Logs repeated calls." };
        return [
          OwnFile.json(home(".agents/plugins/turnkeeper/plugin.json"), manifest),
          OwnFile.json(home(".agents/plugins/turnkeeper/hooks/hooks.json"), { hooks: entries }),
        ];
      },
      note: "goose ignores what its hooks answer, so there they only watch.",
    },
    {
      agent: "opencode",
      title: "opencode",
      signs: [config("opencode")],
      command: "opencode",
      ...openCode("opencode"),
    },
    {
      agent: "kilo",
      title: "Kilo",
      signs: [config("kilo")],
      command: "kilo",
      ...openCode("kilo"),
    },
    {
      agent: "pi",
      title: "pi",
      signs: [pi],
      command: "pi",
      changes: plugin(
        "pi.mjs",
        "extensions",
        [path.join(pi, "settings.json")],
        ".pi/extensions/turnkeeper.js",
        piModule,
      ),
    },
  ];
  return places.filter(({ agent }) => names.includes(agent));

  /** The folder in which editors keep their users' settings. */
  function editors(): string {
    if (process.platform === "darwin") return home("Library/Application Support");
    return process.platform === "win32" ? named("APPDATA", home("AppData/Roaming")) : config("");
  }
}

/** Of gemini-cli and Qwen Code: in the user's settings and in the project's. */
function switchesOfGemini(folder: string, project: string): Switch[] {
  const of = (file: string): Switch[] => [
    isTrue(file, ["disableAllHooks"]),
    isFalse(file, ["hooksConfig", "enabled"]),
    isListed(file, ["hooksConfig", "disabled"], "turnkeeper"),
  ];
  const untrusted = isUntrustedFolder(folder, project);
  return [...of(path.join(folder, "settings.json")), ...of(project), untrusted];
}

const OF_GEMINI = { nested: true, timeout: 10_000, matcher: true };
// Keys in Pascal case, which both of its readers understand.
const COPILOT_WATCHED = ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure"];
const COPILOT_EVENTS = [...COPILOT_WATCHED, "PreToolUse"];
const CLINE_EVENTS = ["TaskStart", "TaskResume", "UserPromptSubmit", "PostToolUse"];
