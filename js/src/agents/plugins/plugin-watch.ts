/** The watch of an agent's plugin, which has the mode of `turnkeeper install` and its log. */

import type { AgentWatchOptions } from "#watch";

import { TooLongError, inTime } from "../deadline.js";
import { settingsFiles } from "../settings.js";
import { Activity, type LogLine, quietly } from "../state/activity.js";
import { stateFolder } from "../state/folder.js";
import { installedMode } from "../state/installed-mode.js";

import { LoopWatch, type WatchOptions, checkedOptions } from "./loop-watch.js";

/** After this many events that took too long the plugin says nothing any more. */
const MOST_LATE = 3;

export class PluginWatch extends LoopWatch {
  readonly #agent: string;
  readonly #activity: Activity | undefined;
  #isHeard = false;
  /** Events that were given up. */
  #late = 0;

  /** @param requests how the agent tells requests apart */
  constructor(agent: string, requests: AgentWatchOptions["requests"], options?: WatchOptions) {
    const folder = stateFolder();
    const given = checkedOptions(options);
    const mode = given.mode ?? quietly(() => installedMode(folder, agent, process.cwd()));
    const settings = quietly(() => settingsFiles(process.cwd()));
    super(requests, { ...given, mode }, settings);
    this.#agent = agent;
    this.#activity = quietly(() => new Activity(folder));
  }

  protected override get isOff(): boolean {
    return process.env.TURNKEEPER === "off" || this.#late >= MOST_LATE;
  }

  protected override run<T>(work: () => T): T {
    try {
      return inTime(work);
    } catch (error) {
      if (error instanceof TooLongError) {
        this.#late++;
        // What was ended may be in pieces.
        this.forget();
      }
      throw error;
    }
  }

  protected override log(lines: readonly LogLine[]): void {
    quietly(() => {
      if (!this.#isHeard) this.#activity?.hear(this.#agent, new Date());
      this.#isHeard = true;
      for (const line of lines) this.#activity?.log(this.#agent, line);
    });
  }
}
