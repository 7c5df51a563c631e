import { bytesOf, checkString } from "../boundary/arguments.js";

import { isCopilotBeginning } from "./copilot-chat.js";
import { containerOf, type Container } from "./container.js";
import { cutterOf } from "./cutters.js";
import { InputError } from "./event-lines.js";
import { Recogniser } from "./formats.js";
import type { Piece } from "./json-pieces.js";
import { Unreadable, type SessionFormat, type RecordReader } from "./saved-session.js";

const MACHINE = "sessions";

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
  const bytes =
    typeof start === "string"
      ? new TextEncoder().encode(start)
      : bytesOf(MACHINE, start, "start", "must be text or bytes");
  checkString(MACHINE, name, "name");
  let reader: RecordReader | undefined;
  try {
    const container = containerOf(name, bytes);
    if (container === "markdown") return "cline-markdown";
    const recogniser = new Recogniser(container);
    let holder: string | undefined;
    for (const { value } of piecesOf(name, container, bytes)) {
      if (value === undefined) continue;
      const isFirst = reader === undefined;
      reader ??= recogniser.look(value);
      if (reader === undefined) continue;
      if (isFirst) holder = value.key;
      if (container !== "object" || (value.isElement && value.key === holder)) {
        reader.read(value.json, value.place);
      }
    }
  } catch (error) {
    // The records before tell the format; readSession says what is wrong after them.
    if (!(error instanceof InputError || error instanceof Unreadable)) throw error;
  }
  if (reader === undefined && isCopilotBeginning(new TextDecoder().decode(bytes))) {
    return "copilot-chat";
  }
  return reader?.format;
}

/** The whole pieces of a beginning, and its last line, which may be whole. */
function* piecesOf(
  name: string,
  container: Container,
  bytes: Uint8Array,
): Generator<Piece, void, void> {
  const cutter = cutterOf(container, name);
  yield* cutter.push(bytes);
  if (container === "lines") yield* cutter.end();
}
