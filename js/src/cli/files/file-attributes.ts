import { spawnSync } from "node:child_process";

import { InputError } from "../../saved/event-lines.js";

/**
 * Gives a new file the access list and the extended attributes of another, which Node does not know of: the system's
 * `cp` does. That of macOS copies the content, too.
 *
 * @param which its access list alone, or its extended attributes, too
 * @returns whether they are known to be the same; not where `cp` cannot copy them, as that of BusyBox
 * @throws {@link InputError} if the system refuses one of "all"
 */
export function copyAttributes(from: string, to: string, which: "access" | "all"): boolean {
  // Windows gives a new file the access list that its folder passes on.
  if (process.platform === "win32") return true;
  if (process.platform === "darwin") return cp(["-p", from, to]).status === 0;
  const preserve = which === "all" ? "mode,xattr" : "mode";
  const { status, stderr } = cp(["--attributes-only", `--preserve=${preserve}`, "--", from, to]);
  if (status === 0) return true;
  const isUnable = status === null || /BusyBox|unrecognized option/.test(stderr);
  if (isUnable || which === "access") return false;
  const why = stderr.trim().replace(/^cp: /, "");
  throw new InputError(from, `has attributes that cannot be kept: ${why}`);
}

function cp(argv: readonly string[]) {
  return spawnSync("cp", argv, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
  });
}
