/** Where agents keep their sessions, on each system, and the variables that move them. */

import path from "node:path";

import type { AgentName } from "../../analysis/agents.js";

import type { DatabaseKind } from "./database.js";

/** What the places depend on. */
export interface Surroundings {
  home: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/** A folder that may hold sessions. */
export interface Place {
  agent: AgentName;
  folder: string;
  /** The files in it that are sessions: paths below the folder, with `/`; undefined for those that are told by what is in them. */
  files: RegExp;
  /** Of files that are databases. */
  database?: DatabaseKind;
}

const ANY = /./;

/** Where an agent's sessions may be. */
export function placesOf(agent: AgentName, around: Surroundings): Place[] {
  return FOLDERS[agent](new Where(around)).map(([folder, files, database]) => ({
    agent,
    folder,
    files,
    ...(database && { database }),
  }));
}

/** A row of the table: what {@link Place} calls `folder`, `files` and `database`. */
type Row = readonly [folder: string, files: RegExp, database?: DatabaseKind];

const FOLDERS: Record<AgentName, (where: Where) => Row[]> = {
  "claude-code": (where) => {
    const usual = [where.home(".claude"), where.home(".config/claude")];
    const homes = where.set("CLAUDE_CONFIG_DIR")?.split(",") ?? usual;
    return [
      ...homes.map((home): Row => [where.join(home.trim(), "projects"), /\.jsonl$/]),
      [
        where.join(where.desktop("Claude"), "local-agent-mode-sessions"),
        /\/\.claude\/projects\/.*\.jsonl$/,
      ],
    ];
  },
  codex: (where) => {
    const home = where.set("CODEX_HOME") ?? where.home(".codex");
    return ["sessions", "archived_sessions"].map((name) => [
      where.join(home, name),
      /(^|\/)rollout-[^/]*\.jsonl(\.zst)?$/,
    ]);
  },
  "gemini-cli": (where) => {
    const home = where.set("GEMINI_CLI_HOME") ?? where.home("");
    return [[where.join(home, ".gemini/tmp"), /^[^/]+\/chats\/.*\.jsonl?$/]];
  },
  "qwen-code": (where) => {
    const home = where.set("QWEN_RUNTIME_DIR") ?? where.set("QWEN_HOME") ?? where.home(".qwen");
    return [[where.join(home, "projects"), /\/(chats|subagents)\/.*\.jsonl$/]];
  },
  "copilot-cli": (where) => {
    const folders = [where.set("COPILOT_HOME") ?? where.home(".copilot")];
    const state = where.set("XDG_STATE_HOME");
    if (state !== undefined) folders.push(where.join(state, ".copilot"));
    return folders.map((folder) => [
      where.join(folder, "session-state"),
      /^[^/]+(\/events)?\.jsonl$/,
    ]);
  },
  "copilot-chat": (where) =>
    where.editors().flatMap((user): Row[] => [
      [where.join(user, "workspaceStorage"), /^[^/]+\/chatSessions\/[^/]+\.jsonl?$/],
      [where.join(user, "globalStorage/emptyWindowChatSessions"), /^[^/]+\.jsonl?$/],
    ]),
  cline: (where) => {
    const sessions =
      where.set("CLINE_SESSION_DATA_DIR") ??
      where.under("CLINE_DATA_DIR", "sessions") ??
      where.under("CLINE_DIR", "data/sessions") ??
      where.home(".cline/data/sessions");
    return [
      ...extensionTasks(where, "saoudrizwan.claude-dev"),
      [where.home(".cline/data/tasks"), TASK],
      [sessions, /\.messages\.json$/],
    ];
  },
  roo: (where) => extensionTasks(where, "rooveterinaryinc.roo-cline"),
  kilo: (where) => [
    ...extensionTasks(where, "kilocode.kilo-code"),
    [where.data("kilo"), /^kilo[^/]*\.db$/, "opencode"],
  ],
  opencode: (where) => {
    const named = where.set("OPENCODE_DB");
    const folder = where.data("opencode");
    return [
      named !== undefined
        ? [path.dirname(named), exactly(path.basename(named)), "opencode"]
        : [folder, /^opencode[^/]*\.db$/, "opencode"],
      [where.join(folder, "storage"), ANY],
    ];
  },
  // The projects that the list names are added by the one who looks.
  crush: (where) => {
    const local = where.isWindows ? where.under("LOCALAPPDATA", "crush") : undefined;
    const folder = where.set("CRUSH_GLOBAL_DATA") ?? local ?? where.data("crush");
    return [[folder, /^projects\.json$/]];
  },
  goose: (where) => {
    const folder =
      where.under("GOOSE_PATH_ROOT", "data/sessions") ??
      (where.isWindows ? where.under("APPDATA", "Block/goose/data/sessions") : undefined) ??
      where.data("goose/sessions");
    return [
      [folder, /^sessions\.db$/, "goose"],
      [folder, /^[^/]+\.jsonl$/],
    ];
  },
  pi: (where) => [
    [
      where.under("PI_CODING_AGENT_DIR", "sessions") ?? where.home(".pi/agent/sessions"),
      /\.jsonl$/,
    ],
    [where.home(".openclaw/agents"), /^[^/]+\/sessions\/.*\.jsonl$/],
    [where.home(".omp/agent/sessions"), /\.jsonl$/],
  ],
  openhands: (where) => {
    const conversations =
      where.set("OPENHANDS_CONVERSATIONS_DIR") ??
      where.set("OH_CONVERSATIONS_PATH") ??
      where.home(".openhands/conversations");
    return [
      [where.home(".openhands/sessions"), ANY],
      [conversations, ANY],
      [where.home(".openhands/agent-canvas/conversations"), ANY],
    ];
  },
  kimi: (where) => {
    const home = where.set("KIMI_SHARE_DIR") ?? where.home(".kimi");
    return [[where.join(home, "sessions"), /(^|\/)wire\.jsonl$/]];
  },
};

/** A task's history, or what the panel showed if there is no history. */
const TASK = /^[^/]+\/(api_conversation_history|ui_messages)\.json$/;

function extensionTasks(where: Where, id: string): Row[] {
  return where.editors().map((user) => [where.join(user, "globalStorage", id, "tasks"), TASK]);
}

function exactly(name: string): RegExp {
  return new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}

/** Names places as the system of the surroundings does. */
class Where {
  readonly isWindows: boolean;

  constructor(private readonly around: Surroundings) {
    this.isWindows = around.platform === "win32";
  }

  /** A variable's value, if it has one. */
  set(name: string): string | undefined {
    return this.around.env[name]?.trim() || undefined;
  }

  /** A folder below the one that a variable names. */
  under(name: string, below: string): string | undefined {
    const folder = this.set(name);
    return folder === undefined ? undefined : this.join(folder, below);
  }

  join(...names: string[]): string {
    return (this.isWindows ? path.win32 : path.posix).join(...names);
  }

  home(below: string): string {
    return this.join(this.around.home, below);
  }

  /** Where programs that follow the XDG rules keep data; they do so on macOS and Windows, too. */
  data(below: string): string {
    return this.join(this.set("XDG_DATA_HOME") ?? this.home(".local/share"), below);
  }

  /** Where a desktop application keeps its own. */
  desktop(name: string): string {
    const { platform } = this.around;
    if (platform === "darwin") return this.home(`Library/Application Support/${name}`);
    return this.isWindows
      ? this.join(this.set("APPDATA") ?? this.home("AppData/Roaming"), name)
      : this.join(this.set("XDG_CONFIG_HOME") ?? this.home(".config"), name);
  }

  /** The user folders of VS Code and its relatives; forks have other names. */
  editors(): string[] {
    return ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"].map((name) =>
      this.join(this.desktop(name), "User"),
    );
  }
}
