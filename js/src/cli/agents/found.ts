/** The agents that are there. */

import { existsSync } from "node:fs";

import { namesIn } from "../files/file-questions.js";

import type { AgentPlace } from "./places.js";
import { onPath } from "./program.js";

/** Whether an agent has left something of its own, or can be started. */
export function isThere({ signs, command }: AgentPlace): boolean {
  return signs.some(isSign) || (command !== undefined && onPath(command).length > 0);
}

/** A folder or file that is there; of `folder/name*` one that begins with the name. */
function isSign(sign: string): boolean {
  if (!sign.endsWith("*")) return existsSync(sign);
  const [, folder = "", start = ""] = /^(.*)[\\/]([^\\/]*)\*$/.exec(sign) ?? [];
  return namesIn(folder).some((name) => name.startsWith(start));
}
