import path from "node:path";

import { namesIn } from "./file-questions.js";

/**
 * The sessions in a folder that is laid out as opencode's storage is, with
 * `session/PROJECT/ses_….json`, `message/SESSION/msg_….json` and `part/MESSAGE/prt_….json`; undefined
 * for any other folder. Each has its own file, by whose name it is known, and all files in their order. Ids of opencode ascend with time, so the order of names is that of the session.
 *
 * @param entries the names in the folder
 */
export function opencodeSessions(
  folder: string,
  entries: readonly string[],
): { file: string; parts: string[] }[] | undefined {
  if (!["session", "message", "part"].every((name) => entries.includes(name))) return undefined;
  const sessions = namesIn(path.join(folder, "session")).flatMap((project) =>
    jsonFiles(path.join(folder, "session", project), "ses_"),
  );
  if (sessions.length === 0) return undefined;
  return sessions.map((file) => {
    const messages = jsonFiles(path.join(folder, "message", path.basename(file, ".json")), "msg_");
    const parts = messages.flatMap((message) => [
      message,
      ...jsonFiles(path.join(folder, "part", path.basename(message, ".json")), "prt_"),
    ]);
    return { file, parts: [file, ...parts] };
  });
}

function jsonFiles(folder: string, prefix: string): string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith(".json"))
    .map((name) => path.join(folder, name));
}
