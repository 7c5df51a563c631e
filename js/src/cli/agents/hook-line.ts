/**
 * The command lines that settings of agents hold. Each ends with 0 and in silence whatever is missing, since some
 * agents take any other code for a refusal, and is the same for every version: Codex asks for trust again after a
 * change.
 */

import { type AgentName, REPLACING_AGENTS, type Watching } from "../../agents/agents.js";

import { HOOK_FILE } from "./file-change.js";
import { LINKED_NODE, PROGRAM_BELOW, type Program } from "./program.js";

/** What a line is for. */
export interface Hooked extends Watching {
  program: Program;
  /** Whether others get the file as well, so that it may name no folder of this person's. */
  isShared: boolean;
}

/** A line for the shells of this system: `sh`; on Windows PowerShell, cmd and Git Bash alike. */
export function hookLine(agent: AgentName, how: Hooked, platform = process.platform): string {
  return [...started(how, platform), ...argumentsOf(agent, how)].join(" ");
}

/** The same for a setting that PowerShell alone reads. */
export function powershellLine(agent: AgentName, how: Hooked): string {
  return `try { ${hookLine(agent, how, "win32")} } catch { }; exit 0`;
}

function started({ program, isShared }: Hooked, platform: NodeJS.Platform): string[] {
  if (platform === "win32") {
    // A first word in quotes is a string to PowerShell, and backslashes are not to be trusted in Git Bash.
    if (!isShared) return ["node", `"${program.hook.replaceAll("\\", "/")}"`];
    return ["node", "-e", `"try{require(${SHARED_ON_WINDOWS})}catch{}"`, "turnkeeper"];
  }
  const [script, name] = isShared
    ? [scriptOf(SHARED_FOLDERS, `$f/dist/${HOOK_FILE}`), "turnkeeper"]
    : [scriptOf('"${0%/dist/*}"', "$0"), program.hook];
  return ["/bin/sh", "-c", `'${script}'`, quoted(name)];
}

/**
 * Runs the first program that is there, with the Node that installed it or the one on the PATH. Where none is, what
 * the agent says is read all the same, so that it meets no broken pipe.
 */
function scriptOf(folders: string, hook: string): string {
  return [
    "exec 2>/dev/null",
    `for f in ${folders}; do h="${hook}"`,
    `for n in "$f/${LINKED_NODE}" node; do [ -f "$h" ] && "$n" "$h" "$@" && exit`,
    "done",
    "done",
    "cat >/dev/null",
    "exit 0",
  ].join("; ");
}

/** Where the program of whoever runs the line may be: the places of `stateFolder`. */
const SHARED_FOLDERS = [
  "$TURNKEEPER_STATE",
  "$XDG_STATE_HOME/turnkeeper",
  "$HOME/.local/state/turnkeeper",
  "$HOME/Library/Application Support/turnkeeper",
]
  .map((folder) => `"${folder}/${PROGRAM_BELOW}"`)
  .join(" ");

const SHARED_ON_WINDOWS =
  "(process.env.TURNKEEPER_STATE||process.env.LOCALAPPDATA+'/turnkeeper')" +
  `+'/${PROGRAM_BELOW}/dist/${HOOK_FILE}'`;

function argumentsOf(agent: AgentName, { mode, economy }: Watching): string[] {
  const replaces = economy && REPLACING_AGENTS.includes(agent);
  return [agent, "--mode", mode, ...(replaces ? ["--economy"] : [])];
}

/** A word of a line for `sh`. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The words of a line, as `sh` reads them but for what it would put in the place of variables. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_all, single, double, escaped) =>
      String(single ?? double ?? escaped),
    ),
  );
}
