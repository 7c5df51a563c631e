/** The folder in which the hooks keep what must outlive a process. */

import { lstatSync, mkdirSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import path from "node:path";

/** The state folder that the environment names, or the system's usual place. */
export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.TURNKEEPER_STATE) return path.resolve(env.TURNKEEPER_STATE);
  return path.join(placeOfState(env, platform), "turnkeeper");
}

/** The home folder; one of an empty name would be the folder that the agent works in. */
export function homeFolder(): string {
  return homedir() || userInfo().homedir;
}

function placeOfState(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") {
    return env.LOCALAPPDATA || path.join(homeFolder(), "AppData", "Local");
  }
  if (platform === "darwin") return path.join(homeFolder(), "Library", "Application Support");
  const { XDG_STATE_HOME: named } = env;
  return named && path.isAbsolute(named) ? named : path.join(homeFolder(), ".local", "state");
}

/**
 * Makes a folder that only the user can read, unless it is there: one that the user has made stays as open as it is.
 *
 * @throws for one that is a link, or that belongs to another user: whoever made it would decide
 * what is read.
 */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) throw new Error(`${folder} is a link`);
  if (!stats.isDirectory()) throw new Error(`${folder} is no folder`);
  const user = process.getuid?.();
  if (user === undefined) return;
  if (stats.uid !== user) throw new Error(`${folder} belongs to another user`);
}
