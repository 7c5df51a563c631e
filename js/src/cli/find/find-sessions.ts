import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import type { AgentName } from "../../analysis/agents.js";
import { fields, list, text } from "../../messages/fields.js";
import { InputError } from "../../saved/event-lines.js";
import { attempt, isFile, isFolder } from "../files/file-questions.js";
import { FolderSearch, type Input } from "../files/inputs.js";

import { placesOf, type Place } from "./agents.js";
import { sessionsIn, type DatabaseKind } from "./database.js";

/** What is looked for, and who is told of what. */
export interface Search {
  agents: readonly AgentName[];
  /** Sessions that ended before are not looked at, in milliseconds since 1970. */
  since: number;
  /** Folders and files that cannot be read. */
  complain: (problem: InputError) => void;
  /** What is there and cannot be read here, and how it could be. */
  missing: (message: string) => void;
}

/** The sessions of agents in the folders where these keep them. A folder that is not there is nothing to tell. */
export function findSessions(search: Search): Input[] {
  const around = { home: homedir(), platform: process.platform, env: process.env };
  const found = search.agents.flatMap((agent) =>
    placesOf(agent, around).flatMap((place) => inPlace(place, search)),
  );
  // Two variables may lead to one folder.
  const seen = new Set<string>();
  return found.filter(({ file, session }) => {
    const key = `${file}\0${session ?? ""}`;
    return !seen.has(key) && seen.add(key);
  });
}

function inPlace(place: Place, search: Search): Input[] {
  const { agent, folder, files, database } = place;
  if (!isFolder(folder)) return [];
  if (agent === "crush") return crushProjects(place, search);
  const { complain, since } = search;
  const isWanted = (file: string): boolean =>
    files.test(path.relative(folder, file).split(path.sep).join("/"));
  return new FolderSearch(folder, isWanted, complain).find().flatMap((input) => {
    const { file, parts } = input;
    if (database === undefined) {
      return changedAfter(parts?.at(-1) ?? file, since) ? [{ ...input, agent }] : [];
    }
    return parts === undefined ? databaseSessions(input, agent, database, search) : [];
  });
}

function databaseSessions(
  input: Input,
  agent: AgentName,
  kind: DatabaseKind,
  { since, missing, complain }: Search,
): Input[] {
  // The newest records may be in the log beside it.
  if (![input.file, `${input.file}-wal`].some((file) => changedAfter(file, since))) return [];
  try {
    const ids = sessionsIn(input.file, kind, since);
    if (ids === undefined) {
      missing(`${input.file} is a database, which Node 22.13 and later reads`);
      return [];
    }
    return ids.map((session) => ({ ...input, agent, database: kind, session }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    complain(error);
    return [];
  }
}

/** Each project has its own database; a list names the projects. */
function crushProjects({ agent, folder }: Place, search: Search): Input[] {
  const projects = attempt(
    () => fields(JSON.parse(readFileSync(path.join(folder, "projects.json"), "utf8"))).projects,
  );
  return list(projects)
    .map(fields)
    .flatMap((project) => {
      const home = text(project.data_dir) ?? path.join(text(project.path) ?? "", ".crush");
      const file = path.join(home, "crush.db");
      if (text(project.path) === undefined || !isFile(file)) return [];
      return databaseSessions({ file, folder: home }, agent, "crush", search);
    });
}

/** A file that was written before cannot tell of anything after. */
function changedAfter(file: string, since: number): boolean {
  return since === -Infinity || (attempt(() => statSync(file).mtimeMs) ?? -Infinity) >= since;
}
