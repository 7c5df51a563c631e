import type { InputError } from "../../saved/event-lines.js";
import type { AgentName } from "../../analysis/agents.js";
import type { DatabaseKind } from "../find/database.js";

import { isFolder } from "./file-questions.js";
import { FolderSearch } from "./folder-search.js";

/** A file to be read. */
export interface Input {
  /** Where it is, as it was named, or below the folder that was named. */
  file: string;
  /** The folder that was named, if it was found in one. */
  folder: string | undefined;
  /** If it is kept in several files, as OpenHands and opencode do: those, each a value, in their order. */
  parts?: string[];
  /** Whose folder it was found in. */
  agent?: AgentName;
  /** Of a database with several sessions: which kind it is, and the session's id. */
  database?: DatabaseKind;
  session?: string;
}

/**
 * The files that are named, and those in the folders that are named, in the order of their names.
 *
 * @param isWanted chooses among the files of a folder; what is named by itself is always wanted
 * @param complain is told of folders and links that cannot be read
 */
export function findInputs(
  names: readonly string[],
  isWanted: (file: string) => boolean,
  complain: (problem: InputError) => void,
): Input[] {
  return names.flatMap((name) =>
    name !== "-" && isFolder(name)
      ? new FolderSearch(name, isWanted, complain).find()
      : [{ file: name, folder: undefined }],
  );
}
