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
  return FOLDERS[agent](new Where(around)).map((place) => ({ agent, ...place }));
}

type OwnPlace = Omit<Place, "agent">;

const FOLDERS: Record<AgentName, (where: Where) => OwnPlace[]> = {
  "claude-code": (where) => [
    ...(
      where.set("CLAUDE_CONFIG_DIR")?.split(",") ?? [
        where.home(".claude"),
        where.home(".config/claude"),
      ]
    ).map((folder) => ({ folder: where.join(folder.trim(), "projects"), files: /\.jsonl$/ })),
    ...where.desktop("Claude").map((folder) => ({
      folder: where.join(folder, "local-agent-mode-sessions"),
      files: /\/\.claude\/projects\/.*\.jsonl$/,
    })),
  ],
  codex: (where) => {
    const home = where.set("CODEX_HOME") ?? where.home(".codex");
    return ["sessions", "archived_sessions"].map((name) => ({
      folder: where.join(home, name),
      files: /(^|\/)rollout-[^/]*\.jsonl(\.zst)?$/,
    }));
  },
  "gemini-cli": (where) => [
    {
      folder: where.join(where.set("GEMINI_CLI_HOME") ?? where.home(""), ".gemini/tmp"),
      files: /^[^/]+\/chats\/.*\.jsonl?$/,
    },
  ],
  "qwen-code": (where) => [
    {
      folder: where.join(
        where.set("QWEN_RUNTIME_DIR") ?? where.set("QWEN_HOME") ?? where.home(".qwen"),
        "projects",
      ),
      files: /\/(chats|subagents)\/.*\.jsonl$/,
    },
  ],
  "copilot-cli": (where) => {
    const folders = [where.set("COPILOT_HOME") ?? where.home(".copilot")];
    const state = where.set("XDG_STATE_HOME");
    if (state !== undefined) folders.push(where.join(state, ".copilot"));
    return folders.map((folder) => ({
      folder: where.join(folder, "session-state"),
      files: /^[^/]+(\/events)?\.jsonl$/,
    }));
  },
  "copilot-chat": (where) =>
    where.editors().flatMap((user) => [
      {
        folder: where.join(user, "workspaceStorage"),
        files: /^[^/]+\/chatSessions\/[^/]+\.jsonl?$/,
      },
      {
        folder: where.join(user, "globalStorage/emptyWindowChatSessions"),
        files: /^[^/]+\.jsonl?$/,
      },
    ]),
  cline: (where) => [
    ...extensionTasks(where, "saoudrizwan.claude-dev"),
    { folder: where.home(".cline/data/tasks"), files: TASK },
    {
      folder:
        where.set("CLINE_SESSION_DATA_DIR") ??
        where.under("CLINE_DATA_DIR", "sessions") ??
        where.under("CLINE_DIR", "data/sessions") ??
        where.home(".cline/data/sessions"),
      files: /\.messages\.json$/,
    },
  ],
  roo: (where) => extensionTasks(where, "rooveterinaryinc.roo-cline"),
  kilo: (where) => [
    ...extensionTasks(where, "kilocode.kilo-code"),
    { folder: where.data("kilo"), files: /^kilo[^/]*\.db$/, database: "opencode" },
  ],
  opencode: (where) => {
    const named = where.set("OPENCODE_DB");
    const folder = where.data("opencode");
    const database = "opencode" as const;
    return [
      named !== undefined
        ? { folder: path.dirname(named), files: exactly(path.basename(named)), database }
        : { folder, files: /^opencode[^/]*\.db$/, database },
      { folder: where.join(folder, "storage"), files: ANY },
    ];
  },
  // The projects that the list names are added by the one who looks.
  crush: (where) =>
    [
      where.set("CRUSH_GLOBAL_DATA") ??
        (where.isWindows && where.set("LOCALAPPDATA") !== undefined
          ? where.join(where.set("LOCALAPPDATA")!, "crush")
          : where.data("crush")),
    ].map((folder) => ({ folder, files: /^projects\.json$/ })),
  goose: (where) => {
    const root = where.set("GOOSE_PATH_ROOT");
    const appData = where.set("APPDATA");
    const folder =
      root !== undefined
        ? where.join(root, "data/sessions")
        : where.isWindows && appData !== undefined
          ? where.join(appData, "Block/goose/data/sessions")
          : where.data("goose/sessions");
    return [
      { folder, files: /^sessions\.db$/, database: "goose" },
      { folder, files: /^[^/]+\.jsonl$/ },
    ];
  },
  pi: (where) => [
    {
      folder: where.under("PI_CODING_AGENT_DIR", "sessions") ?? where.home(".pi/agent/sessions"),
      files: /\.jsonl$/,
    },
    { folder: where.home(".openclaw/agents"), files: /^[^/]+\/sessions\/.*\.jsonl$/ },
    { folder: where.home(".omp/agent/sessions"), files: /\.jsonl$/ },
  ],
  openhands: (where) => [
    { folder: where.home(".openhands/sessions"), files: ANY },
    {
      folder:
        where.set("OPENHANDS_CONVERSATIONS_DIR") ??
        where.set("OH_CONVERSATIONS_PATH") ??
        where.home(".openhands/conversations"),
      files: ANY,
    },
    { folder: where.home(".openhands/agent-canvas/conversations"), files: ANY },
  ],
  kimi: (where) => [
    {
      folder: where.join(where.set("KIMI_SHARE_DIR") ?? where.home(".kimi"), "sessions"),
      files: /(^|\/)wire\.jsonl$/,
    },
  ],
};

/** A task's history, or what the panel showed if there is no history. */
const TASK = /^[^/]+\/(api_conversation_history|ui_messages)\.json$/;

function extensionTasks(where: Where, id: string): OwnPlace[] {
  return where
    .editors()
    .map((user) => ({ folder: where.join(user, "globalStorage", id, "tasks"), files: TASK }));
}

function exactly(name: string): RegExp {
  return new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}

/** Names places as the system of the surroundings does. */
class Where {
  readonly isWindows: boolean;
  readonly #around: Surroundings;
  readonly #path: path.PlatformPath;

  constructor(around: Surroundings) {
    this.#around = around;
    this.isWindows = around.platform === "win32";
    this.#path = this.isWindows ? path.win32 : path.posix;
  }

  /** A variable's value, if it has one. */
  set(name: string): string | undefined {
    return this.#around.env[name]?.trim() || undefined;
  }

  /** A folder below the one that a variable names. */
  under(name: string, below: string): string | undefined {
    const folder = this.set(name);
    return folder === undefined ? undefined : this.join(folder, below);
  }

  join(...names: string[]): string {
    return this.#path.join(...names);
  }

  home(below: string): string {
    return this.join(this.#around.home, below);
  }

  /** Where programs that follow the XDG rules keep data; they do so on macOS and Windows, too. */
  data(below: string): string {
    return this.join(this.set("XDG_DATA_HOME") ?? this.home(".local/share"), below);
  }

  /** Where a desktop application keeps its own. */
  desktop(name: string): string[] {
    if (this.#around.platform === "darwin")
      return [this.home(`Library/Application Support/${name}`)];
    if (!this.isWindows)
      return [this.join(this.set("XDG_CONFIG_HOME") ?? this.home(".config"), name)];
    return [this.join(this.set("APPDATA") ?? this.home("AppData/Roaming"), name)];
  }

  /** The user folders of VS Code and its relatives; forks have other names. */
  editors(): string[] {
    return ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"]
      .flatMap((name) => this.desktop(name))
      .map((folder) => this.join(folder, "User"));
  }
}
