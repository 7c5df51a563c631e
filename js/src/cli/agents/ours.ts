/** What is ours in the files of agents, told by what stands there and by no record. */

import { attempt } from "../files/file-questions.js";

import { HOOK_FILE } from "./file-change.js";
import { JsonText } from "./json-text.js";
import { contentOf } from "./text-file.js";

/** Lists of plugins, by the names that agents give them. */
const LISTS = ["plugin", "extensions"];

/** Plugins of the copied package, wherever the state folder is. */
const PLUGIN = /[\\/]package[\\/]dist[\\/](?:opencode|pi)\.mjs$/;
const PLUGIN_QUOTED = /package[\\/]+dist[\\/]+(?:opencode|pi)\.mjs"/;

/** How a module and a manifest of ours begin. */
const OWN = /^(?:\/\/ Turnkeeper\b|\{\s*"name": "turnkeeper")/;

/** What is ours in a file; nothing where there is no such file. @throws {@link UnreadableSettings} */
export function ours(file: string): string[] {
  return oursIn(file, contentOf(file) ?? "");
}

/** The command lines and the plugins of ours in a file. @throws {@link UnreadableSettings} */
function oursIn(file: string, content: string): string[] {
  if (!mayHaveOurs(content)) return [];
  if (isOwnFile(file, content)) return linesOf(file, content);
  const text = new JsonText(file, content);
  const items = LISTS.flatMap((key) => listOf(text, [key])).map(pluginOf);
  return [...linesWithin(hooksOf(text)), ...items].filter(isString);
}

/** A file without what is ours; undefined if the whole of it is. @throws {@link UnreadableSettings} */
export function withoutOurs(file: string, content: string): string | undefined {
  if (!mayHaveOurs(content)) return content;
  if (isOwnFile(file, content)) return undefined;
  const text = new JsonText(file, content);
  let isChanged = false;
  for (const key of [...Object.keys(hooksOf(text)).map((event) => ["hooks", event]), ...LISTS]) {
    const list = [key].flat();
    const entries = listOf(text, list);
    for (let at = entries.length - 1; at >= 0; at--) {
      isChanged = removeFrom(text, [...list, at], entries[at]) || isChanged;
    }
    if (isChanged && entries.length > 0) text.removeEmpty(list);
  }
  if (!isChanged) return content;
  text.removeEmpty(["hooks"]);
  return text.toString();
}

/** Whether nothing is in a file that somebody would miss. */
export function isBare(content: string): boolean {
  return /^\uFEFF?\s*(?:\{\s*(?:"\$?version"\s*:\s*\d+\s*)?\}\s*)?$/.test(content);
}

/** Others' files, which may be no JSON at all, are looked at no further. */
function mayHaveOurs(content: string): boolean {
  return content.includes(HOOK_FILE) || OWN.test(content) || PLUGIN_QUOTED.test(content);
}

/** Files that have our name, and scripts that an agent looks for by an event's. */
function isOwnFile(file: string, content: string): boolean {
  const isNamed = /[\\/]turnkeeper(?:\.(?:json|js)|[\\/].*\.json)$/.test(file);
  return content.startsWith("#!") || (isNamed && /\.json$/.test(file)) || OWN.test(content);
}

function linesOf(file: string, content: string): string[] {
  if (content.startsWith("#!")) return content.split("\n").filter(isOurs);
  return linesWithin(attempt((): unknown => JSON.parse(content)));
}

/** Every string below a value that starts our program. */
function linesWithin(value: unknown): string[] {
  if (isString(value)) return isOurs(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(linesWithin);
}

function hooksOf(text: JsonText): Record<string, unknown> {
  const hooks = text.get(["hooks"]);
  return typeof hooks === "object" && hooks !== null && !Array.isArray(hooks)
    ? (hooks as Record<string, unknown>)
    : {};
}

/** The list at a path; none where there is something else, which is somebody else's. */
function listOf(text: JsonText, at: readonly string[]): unknown[] {
  const list = text.get([...at]);
  return Array.isArray(list) ? list : [];
}

/** A group may have got hooks of others, which stay. */
function removeFrom(text: JsonText, at: (string | number)[], entry: unknown): boolean {
  if (pluginOf(entry) === undefined && linesWithin(entry).length === 0) return false;
  const hooks = isString(entry) ? undefined : (entry as { hooks?: unknown }).hooks;
  const others = Array.isArray(hooks) ? hooks.filter((it) => linesWithin(it).length === 0) : [];
  if (others.length > 0) text.set([...at, "hooks"], others);
  else text.remove(at);
  return true;
}

/** The file of our plugin in an item, which may have options beside it. */
function pluginOf(item: unknown): string | undefined {
  const name: unknown = Array.isArray(item) ? item[0] : item;
  return isString(name) && PLUGIN.test(name) ? name : undefined;
}

function isOurs(line: string): boolean {
  return line.includes(HOOK_FILE);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
