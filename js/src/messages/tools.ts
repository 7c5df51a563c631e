// What a tool does, by its name: the one table of tools, for the watch for copies of files, the audit and the page.

import { COMMAND_TOOLS } from "../boundary/generated/shapes.js";
import { fields, list, text } from "./fields.js";

/** `edit-text` is an editor whose argument says what it does; `patch` takes a patch of Codex' form. */
export type KnownTool = "ask" | "command" | "edit" | "edit-text" | "patch" | "read" | "write";

const TABLE: readonly [KnownTool, readonly string[]][] = [
  [
    "read",
    words("read readfile view viewfile openfile readtextfile readfilecontent getfilecontents"),
  ],
  ["write", words("write writefile writetofile createfile newfile savefile newrule create")],
  [
    "edit",
    words(
      "edit editfile multiedit fasteditfile replaceinfile replace applydiff insertcontent searchandreplace " +
        "searchreplace strreplace insert deletefile notebookedit replacestringinfile",
    ),
  ],
  ["edit-text", words("strreplaceeditor strreplacebasededittool texteditor editor")],
  ["command", COMMAND_TOOLS.map(plainName)],
  ["command", words("sh localshellcall powershell shellcommand command exec")],
  [
    "ask",
    words(
      "attemptcompletion askfollowupquestion planmoderespond planmoderesponse actmoderespond newtask condense " +
        "summarizetask reportbug",
    ),
  ],
  ["patch", words("applypatch patch")],
];
const KNOWN: ReadonlyMap<string, KnownTool> = new Map(
  TABLE.flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

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

function words(names: string): readonly string[] {
  return names.split(" ");
}
