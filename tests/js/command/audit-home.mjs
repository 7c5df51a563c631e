// A home folder in which every agent has kept a session, laid out as the agents do on each system.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));
const id = (n) => `5d0c7b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** Where VS Code and programs that follow the system's rules keep theirs. */
const DESKTOP = {
  linux: ".config",
  darwin: "Library/Application Support",
  win32: "AppData/Roaming",
};

/** A file of each agent below the home folder, and the fixture that it is a copy of. */
export function sessionsOfAgents(platform) {
  const user = `${DESKTOP[platform]}/Code/User`;
  const goose =
    platform === "win32"
      ? `${DESKTOP.win32}/Block/goose/data/sessions`
      : ".local/share/goose/sessions";
  return {
    "claude-code": [`.claude/projects/-home-user-site/${id(1)}.jsonl`, "claude-code.jsonl"],
    codex: [
      `.codex/sessions/2026/01/01/rollout-2026-01-01T09-00-00-${id(2)}.jsonl`,
      "codex-rollout.jsonl",
    ],
    "gemini-cli": [
      ".gemini/tmp/site/chats/session-2026-01-01T09-00-5d0c7b1e.json",
      "gemini-cli-session.json",
    ],
    "qwen-code": [`.qwen/projects/-home-user-site/chats/${id(3)}.jsonl`, "qwen-code.jsonl"],
    "copilot-cli": [`.copilot/session-state/${id(4)}/events.jsonl`, "copilot-cli.jsonl"],
    "copilot-chat": [
      `${user}/workspaceStorage/0123abcd/chatSessions/${id(5)}.json`,
      "copilot-chat.json",
    ],
    cline: [
      `${user}/globalStorage/saoudrizwan.claude-dev/tasks/1767258000000/api_conversation_history.json`,
      "cline-history.json",
    ],
    roo: [
      `${user}/globalStorage/rooveterinaryinc.roo-cline/tasks/${id(6)}/api_conversation_history.json`,
      "cline-history.json",
    ],
    kilo: [
      `${user}/globalStorage/kilocode.kilo-code/tasks/${id(7)}/ui_messages.json`,
      "cline-ui-messages.json",
    ],
    goose: [`${goose}/20260101_090000.jsonl`, "goose.jsonl"],
    pi: [`.pi/agent/sessions/--home-user-site--/20260101_${id(8)}.jsonl`, "pi.jsonl"],
    kimi: [`.kimi/sessions/0123abcd/${id(9)}/wire.jsonl`, "kimi.jsonl"],
  };
}

/** Writes them, and those that are folders of files: the agents that are there. */
export function makeHome(home, platform) {
  const sessions = sessionsOfAgents(platform);
  for (const [to, from] of Object.values(sessions)) {
    const file = path.join(home, to);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(SAVED, from), file);
  }
  writeEvents(path.join(home, ".openhands/sessions", id(10)));
  writeStorage(path.join(home, ".local/share/opencode/storage"));
  return [...Object.keys(sessions), "openhands", "opencode"].sort();
}

/** OpenHands writes a file for each event. */
function writeEvents(folder) {
  const events = JSON.parse(readFileSync(path.join(SAVED, "openhands-trajectory.json"), "utf8"));
  mkdirSync(path.join(folder, "events"), { recursive: true });
  events.forEach((event, at) => {
    writeFileSync(path.join(folder, "events", `${at}.json`), JSON.stringify(event));
  });
  writeFileSync(path.join(folder, "metadata.json"), '{"title":"Year in the footer"}');
}

/** opencode wrote a file for each session, message and part before it had a database. */
function writeStorage(folder) {
  const { info, messages } = JSON.parse(
    readFileSync(path.join(SAVED, "opencode-export.json"), "utf8"),
  );
  const write = (name, value) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  write(`session/site/ses_${info.id}.json`, info);
  messages.forEach(({ info: message, parts }, at) => {
    const name = `msg_${String(at).padStart(3, "0")}`;
    write(`message/ses_${info.id}/${name}.json`, { ...message, id: name });
    parts.forEach((part, n) => {
      const own = `prt_${String(n).padStart(3, "0")}`;
      write(`part/${name}/${own}.json`, { ...part, id: own, messageID: name, sessionID: info.id });
    });
  });
}

/** Runs SQL on a database by a Node that has SQLite: undefined if this one has none. */
export function database(file, statements) {
  const { getBuiltinModule } = process;
  const sqlite = getBuiltinModule?.("node:sqlite");
  if (sqlite === undefined) return undefined;
  mkdirSync(path.dirname(file), { recursive: true });
  const made = new sqlite.DatabaseSync(file);
  for (const statement of statements) {
    if (typeof statement === "string") made.exec(statement);
    else made.prepare(statement[0]).run(...statement.slice(1));
  }
  return made;
}
