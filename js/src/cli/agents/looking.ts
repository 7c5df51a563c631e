/** Where to look for what is ours, whether or not the record knows of it. */

import { type Installation, type InstalledFile } from "./installed.js";
import type { AgentPlace, Wanted } from "./places.js";
import type { Program } from "./program.js";

/** The files of an agent that are looked at: those of the user and those of a project. */
export function filesOf(
  { changes, formerly }: AgentPlace,
  program: Program,
  projects: readonly Wanted["project"][],
): string[] {
  // Files of every mode are found.
  const how = { program, mode: "stop", economy: true } as const;
  const files = projects.flatMap((project) => [
    ...(changes({ ...how, project }) ?? []).map(({ file }) => file),
    ...(formerly?.(project) ?? []),
  ]);
  return [...new Set(files)];
}

/** The files that the record has of an agent, in one project or in all. */
export function recorded(
  installation: Installation,
  { agent }: AgentPlace,
  project?: string,
): InstalledFile[] {
  const files = installation.of(agent);
  return project === undefined ? files : files.filter((it) => it.project === project);
}
