/**
 * The hook where there is no program: one event, read, judged and answered by the same code as Wasm. It never breaks
 * the agent, whatever happens.
 */

import { existsSync } from "node:fs";

import type { HookStore, hookEvent } from "#watch";

import type { HookArguments } from "./hook-arguments.js";
import { readStandardInput } from "./hook-input.js";
import { settingsFiles } from "./settings.js";
import { Activity, type LogLine } from "./state/activity.js";
import { stateFolder } from "./state/folder.js";
import { modeOfProject } from "./state/installed-mode.js";
import { SessionStore } from "./state/session-store.js";

/** Answers the event on standard input; nothing, if the environment or the arguments say so. */
export async function answerHook(
  args: HookArguments | undefined,
  load: () => Promise<{ hookEvent: typeof hookEvent }>,
): Promise<void> {
  // An agent may go away before it has the answer.
  process.stdout.on("error", () => undefined);
  const input = attempted(readStandardInput);
  if (args === undefined || process.env.TURNKEEPER === "off") return;
  const answer = await answered(args, input, load);
  if (answer !== "") process.stdout.write(answer);
}

/** What is printed for an event. @param input undefined if it was too large, or could not be read */
async function answered(
  { agent, ...how }: HookArguments,
  input: Uint8Array | undefined,
  load: Parameters<typeof answerHook>[1],
): Promise<string> {
  let silence = "";
  let activity: Activity | undefined;
  try {
    const state = stateFolder();
    const { hookEvent } = await load();
    const event = hookEvent(agent, input ?? new Uint8Array());
    if (event === undefined) return silence;
    silence = event.silence;
    const here = folderOf(event.folders);
    const settings = settingsFiles(here);
    activity = new Activity(state);
    if (input === undefined) throw new Error("the event is too large");
    const mode = modeOfProject(state, agent, here) ?? how.mode;
    const setting = { ...how, mode, settings, startedAt: performance.timeOrigin };
    return event.answer(setting, new Kept(agent, state, activity)) ?? silence;
  } catch (error) {
    activity?.log(agent, { what: "failure", why: String(error) });
    return silence;
  }
}

class Kept extends SessionStore implements HookStore {
  constructor(
    private readonly agent: string,
    state: string,
    private readonly activity: Activity,
  ) {
    super(state);
  }

  heard(): void {
    this.activity.hear(this.agent, new Date());
  }

  log(line: string): void {
    this.activity.log(this.agent, JSON.parse(line) as LogLine);
  }
}

/** Agents set these for their hooks to the root of the project. */
const VARIABLES = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR"];

/** The project's folder by the environment, by the event, or by where the hook was started. */
function folderOf(named: readonly string[]): string {
  const all = [...VARIABLES.map((name) => process.env[name]), ...named];
  return all.find((it) => it && existsSync(it)) ?? process.cwd();
}

function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
