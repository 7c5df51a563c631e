/** What agents keep beside a session's file: its title, its folder, and what its requests used. */

import { createReadStream, existsSync, statSync } from "node:fs";
import path from "node:path";

import { InputError } from "../../saved/event-lines.js";
import { fields, list, parsed, text, type Fields } from "../../messages/fields.js";
import { SavedReader } from "../../saved/read-saved.js";
import type { SessionFormat, SavedRecord } from "../../saved/saved-session.js";
import type { Input } from "../files/inputs.js";
import { readRegular } from "../files/regular-file.js";

/** As records without events, to be taken after the session's own. What cannot be read says nothing. */
export async function factsBeside(input: Input, format: SessionFormat): Promise<SavedRecord[]> {
  const { file, parts } = input;
  if (file === "-" || input.database !== undefined) return [];
  try {
    const folder = path.dirname(file);
    const name = path.basename(file);
    if (name === "api_conversation_history.json" || name.endsWith(".messages.json")) {
      return await clineTask(folder, name);
    }
    switch (format) {
      case "codex":
        return [record({ title: codexTitle(file) })];
      case "gemini-cli":
        return [record({ workingDirectory: line(path.join(folder, "../.project_root")) })];
      case "copilot-cli":
        return [copilotWorkspace(path.join(folder, "workspace.yaml"))];
      case "copilot-chat":
        return [copilotChatFolder(path.join(folder, "../workspace.json"))];
      case "openhands":
        if (!parts) return [];
        return [record({ title: text(json(path.join(file, "../metadata.json")).title) })];
      default:
        return [];
    }
  } catch (error) {
    if (error instanceof InputError || error instanceof SyntaxError) return [];
    throw error;
  }
}

function record(facts: {
  [Key in "title" | "workingDirectory" | "model" | "usage" | "time"]?: SavedRecord[Key] | undefined;
}): SavedRecord {
  const there = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return { place: 0, items: [], ...Object.fromEntries(there) };
}

/** What Cline and its relatives record of a task besides its history. */
async function clineTask(folder: string, name: string): Promise<SavedRecord[]> {
  if (name.endsWith(".messages.json")) {
    const session = json(path.join(folder, name.replace(/\.messages\.json$/, ".json")));
    const title = text(fields(session.metadata).title);
    return [record({ title, workingDirectory: text(session.cwd) ?? text(session.workspace_root) })];
  }
  const used = list(json(path.join(folder, "task_metadata.json")).model_usage).map(fields);
  const item = json(path.join(folder, "history_item.json"));
  const workingDirectory = text(item.workspace) ?? text(item.cwdOnTaskInitialization);
  const model = text(used.at(-1)?.model_id);
  const facts = record({ title: text(item.task), workingDirectory, model });
  return [facts, ...(await panelUsage(path.join(folder, "ui_messages.json")))];
}

/** The requests that the panel shows; the history has neither their times nor what they used. */
async function panelUsage(file: string): Promise<SavedRecord[]> {
  if (!existsSync(file)) return [];
  const found: SavedRecord[] = [];
  const reader = new SavedReader(file);
  for await (const piece of reader.pieces(createReadStream(file))) {
    const { usage, time } = piece.record ?? {};
    if (usage === undefined && time === undefined) continue;
    found.push(record({ usage, time }));
  }
  return found;
}

/** The names of Codex's threads stand in one file for all of them, of which the last line on each counts. */
const threads: { file: string; changed: number; titles: Map<string, string> } = {
  file: "",
  changed: 0,
  titles: new Map(),
};

function codexTitle(rollout: string): string | undefined {
  const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(\.zst)?$/.exec(rollout)?.[1];
  const home = /^(.*)[\\/](sessions|archived_sessions)[\\/]/.exec(rollout)?.[1];
  if (id === undefined || home === undefined) return undefined;
  const file = path.join(home, "session_index.jsonl");
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined) return undefined;
  if (threads.file !== file || threads.changed !== changed) {
    // The last line may be half written.
    const entries = textOf(file)
      .split("\n")
      .map((line) => fields(parsed(line)));
    const named = entries.map(({ id, thread_name: name }) => [text(id), text(name)] as const);
    Object.assign(threads, { file, changed, titles: new Map(named) });
  }
  return threads.titles.get(id);
}

/** The two names that are wanted of a file of `name: value` lines. */
function copilotWorkspace(file: string): SavedRecord {
  if (!existsSync(file)) return record({});
  const words = textOf(file);
  const value = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(?:"(.*)"|'(.*)'|(.*?))[ \\t]*$`, "m")
      .exec(words)
      ?.slice(1)
      .find(Boolean);
  return record({ title: value("name") ?? value("summary"), workingDirectory: value("cwd") });
}

function copilotChatFolder(file: string): SavedRecord {
  const address = text(json(file).folder);
  if (address === undefined || !address.startsWith("file:")) return record({});
  const place = decodeURIComponent(new URL(address).pathname).replace(/^\/([A-Za-z]:)/, "$1");
  return record({ workingDirectory: place });
}

/** A file's only line. */
function line(file: string): string | undefined {
  return existsSync(file) ? textOf(file).trim() : undefined;
}

function json(file: string): Fields {
  return existsSync(file) ? fields(JSON.parse(textOf(file))) : {};
}

const LARGEST = 16 * 1024 * 1024;

function textOf(file: string): string {
  return new TextDecoder().decode(readRegular(file, LARGEST));
}
