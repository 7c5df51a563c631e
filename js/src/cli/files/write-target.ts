import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

import { InputError } from "../../saved/event-lines.js";

/**
 * The file that is replaced if that name is written to. A link stays a link, so it is what the link leads
 * to; pipes and devices are refused, since they cannot be replaced in one step.
 *
 * @throws {@link InputError}
 */
export function replacedFile(name: string): string {
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat === undefined) {
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
    throw new InputError(name, "is a link that leads nowhere");
  }
  // A folder in the way is for the system to refuse, in its words.
  if (!stat.isFile() && !stat.isDirectory()) throw new InputError(name, "is no regular file");
  return realpathSync(name);
}

/** Whether a name leads, through links, out of a folder; either may not exist yet. */
export function leadsOut(name: string, folder: string): boolean {
  return !isInside(realPath(name), realPath(folder));
}

/** The real path of a name, also of one that is to be made. */
function realPath(name: string): string {
  const whole = path.resolve(name);
  let there = whole;
  while (!existsSync(there) && path.dirname(there) !== there) there = path.dirname(there);
  return path.join(realpathSync(there), path.relative(there, whole));
}

/** Whether a path is that of a folder or of what is in it; both are absolute and free of links. */
export function isInside(real: string, folder: string): boolean {
  const way = path.relative(folder, real);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
