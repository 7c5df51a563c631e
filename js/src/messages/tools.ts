// What a tool does, by its name: for the audit and the page.

import { KNOWN_TOOLS, type KnownTool } from "../boundary/generated/shapes.js";
import { fields, list, text } from "./fields.js";

export type { KnownTool };

const KNOWN: ReadonlyMap<string, KnownTool> = new Map(KNOWN_TOOLS);

/** What a tool of the agents that there are does; undefined for any other. */
export function knownTool(name: string): KnownTool | undefined {
  return KNOWN.get(plainName(name));
}

/** A name in lower case without `_` and `-`, and without the server that an MCP tool is of. */
export function plainName(name: string): string {
  return name
    .replace(/^mcp__.*__/, "")
    .replace(/[_-]/g, "")
    .toLowerCase();
}

/** The command line of a call to a shell, whose arguments are a text or words. */
export function commandOf(input: unknown): string | undefined {
  const args = fields(input);
  const given = args.command ?? args.cmd ?? args.script ?? args.input;
  if (typeof given === "string") return given;
  const words = list(given).map(text);
  if (words.length === 0 || words.includes(undefined)) return undefined;
  // `["bash", "-lc", "cat a.ts"]`
  const isShell = /(?:^|[\\/])(?:ba|z|da|fi)?sh$|(?:^|[\\/])(?:pwsh|powershell)(?:\.exe)?$/.test(
    words[0]!,
  );
  if (isShell && words.length === 3 && words[1]!.startsWith("-")) return words[2];
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word!) ? word : `'${word}'`)).join(" ");
}
