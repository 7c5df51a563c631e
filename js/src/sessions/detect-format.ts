import { detectFormat as formatOf } from "../../glue/sessions/turnkeeper.js";
import { checkString, invalidArgument, isBytes } from "../boundary/arguments.js";
import { LARGEST } from "../boundary/byte-buffer.js";
import type { SessionFormat } from "../boundary/generated/shapes.js";
import { callFunction } from "../boundary/machine.js";
import { MACHINE, sendBytes } from "./batches.js";

/**
 * The format of a saved session, from the beginning of its file, which may be cut off anywhere. Some 64 KB
 * are enough for most files; what is cut off is not looked at, so the first message should be whole. Of
 * messages that do not show whose they are, more of the file may tell more.
 *
 * @param name The file's name. It decides nothing, since the contents do.
 * @throws `invalid_argument` for a beginning that is neither text nor bytes.
 * @returns undefined if it is no session, or if the beginning does not say.
 * @example
 * ```js
 * import { detectFormat } from "turnkeeper/sessions";
 *
 * const start = '[{"role":"user","parts":[{"text":"Fix it."}]},{"role":"mo';
 * console.log(detectFormat(start)); // gemini
 * console.log(detectFormat('{"name":"a package"}')); // undefined
 * ```
 */
export function detectFormat(start: string | Uint8Array, name = ""): SessionFormat | undefined {
  if (typeof start !== "string" && !isBytes(start)) {
    throw invalidArgument(MACHINE, "start", "must be text or bytes");
  }
  checkString(MACHINE, name, "name");
  const all = typeof start === "string" ? new TextEncoder().encode(start) : start;
  // The rest is no beginning.
  const beginning = all.subarray(0, LARGEST);
  const format = callFunction(MACHINE, () => sendBytes(beginning, formatOf));
  return format as SessionFormat | undefined;
}
