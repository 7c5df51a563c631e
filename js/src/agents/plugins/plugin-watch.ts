/** The watch of an agent's plugin, which has the mode of `turnkeeper install` and its log. */

import type { Mode } from "../agents.js";
import type { Dialect, Happening, Reply } from "../hook-event.js";
import type { Judgement } from "../judge.js";
import { exempts, settingsFor } from "../settings.js";
import { Activity } from "../state/activity.js";
import { stateFolder } from "../state/folder.js";
import { modeOfProject, modeOfUser } from "../state/installed-mode.js";

import { LoopWatch, type WatchOptions, checkedOptions } from "./loop-watch.js";

export class PluginWatch extends LoopWatch {
  readonly #agent: string;
  readonly #activity: Activity | undefined;
  readonly #settings = quietly(() => settingsFor(process.cwd()));
  #isHeard = false;

  /** @param requests how the agent tells requests apart */
  constructor(agent: string, requests: Dialect["requests"], options?: WatchOptions) {
    const folder = stateFolder();
    const { mode = installedMode(folder, agent), ...others } = checkedOptions(options);
    super(requests, mode === undefined ? others : { ...others, mode });
    this.#agent = agent;
    this.#activity = quietly(() => new Activity(folder));
  }

  override happened(session: string, happened: Happening, promptId?: string): Reply {
    if (process.env.TURNKEEPER === "off" || this.#settings?.off) return {};
    return super.happened(session, happened, promptId);
  }

  protected override get own(): LoopWatch["own"] {
    const settings = this.#settings;
    return settings ? { thresholds: settings.thresholds, isExempt: exempts(settings) } : {};
  }

  protected override judged({ verdict }: Judgement): void {
    quietly(() => {
      if (!this.#isHeard) this.#activity?.hear(this.#agent, new Date());
      this.#isHeard = true;
      if (verdict) this.#activity?.logVerdict(this.#agent, this.mode, verdict);
    });
  }

  protected override failed(error: unknown): void {
    const why = String(error);
    quietly(() => this.#activity?.log({ agent: this.#agent, what: "failure", why }));
  }
}

/** What cannot be logged is not. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The mode in which `turnkeeper install` has installed an agent for this project, or for all. */
function installedMode(folder: string, agent: string): Mode | undefined {
  return quietly(() => modeOfProject(folder, agent, process.cwd()) ?? modeOfUser(folder, agent));
}
