// The requests of an assembler to its host, and the meaning of the answers.

import type { RawAssembler } from "../../glue/turnkeeper.js";
import { isObject } from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import type { HostRequest } from "../boundary/generated/shapes.js";

/**
 * Answers the assembler's requests. Paths have `/`; they are relative to the assembler's root, or
 * absolute within another allowed root. Symbolic links are the host's to check.
 *
 * A method may throw, reject, or answer anything: what it does not give becomes an item with an
 * error. It should not call `assemble`, `expandDocument` or `prepareSkill` of the assembler that asks:
 * before the method's first `await` that is `wrong_order`; after it, it cannot be told from any other call
 * that overlaps, and a method that calls without end gets `limit_exceeded` from the hundredth.
 */
export interface AssemblerHost {
  /**
   * A file, or exactly the lines from `startLine` to `endLine`, both included, from 1. A request
   * has both or neither; for a single line they are equal.
   * `knownVersion` is the last `version` that this method gave for them; of that one it may answer
   * `{ unchanged: true }`.
   */
  readFile(request: {
    path: string;
    startLine?: number;
    endLine?: number;
    knownVersion?: string;
  }): Promise<
    | string
    | { content: string; version?: string }
    | { unchanged: true }
    | { missing: true }
    | { denied: string }
  >;
  /** A tool's result. Called once for equal arguments, unless it fails. */
  runTool?(request: { name: string; args: object }): Promise<string>;
  /** An image: its type, such as `image/png`, and its bytes in base64. */
  readImage?(request: { uri: string }): Promise<{ mediaType: string; data: string }>;
  /** A listing of a folder. */
  listDirectory?(request: { path: string }): Promise<string>;
}

/** Hands a host's answer in, as the answer to a request. */
type Answer = (raw: RawAssembler, id: number) => void;

/** Units that a text of an answer may have. */
const LONGEST = 60_000_000;

/** Asks the host. Never rejects. */
export async function askHost(
  host: AssemblerHost,
  machine: string,
  request: HostRequest,
): Promise<Answer> {
  const { id: _, method, ...rest } = request;
  try {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on the host
    const ask = host[method] as ((request: object) => unknown) | undefined;
    if (typeof ask !== "function") return failed(`the host has no ${method}`);
    const asked = "args" in rest ? { ...rest, args: JSON.parse(rest.args) as object } : rest;
    return understood(machine, method, await ask.call(host, asked));
  } catch (error) {
    return failed(messageOf(error));
  }
}

function understood(machine: string, method: string, answer: unknown): Answer {
  const isImage = method === "readImage";
  if (typeof answer === "string" && !isImage) return contentOf(machine, answer, undefined);
  const given = (isObject(answer) ? answer : {}) as Record<string, unknown>;
  const { content, version, mediaType, data, denied } = given;
  if (isImage && typeof mediaType === "string" && typeof data === "string") {
    return sized([mediaType, data], (raw, id) =>
      sendTexts(machine, [data], (length) => raw.answerImage(id, mediaType, length)),
    );
  }
  if (method === "readFile" && typeof content === "string") {
    return contentOf(machine, content, typeof version === "string" ? version : undefined);
  }
  if (given.unchanged === true) return (raw, id) => raw.answerUnchanged(id);
  if (given.missing === true) return (raw, id) => raw.answerMissing(id);
  if (typeof denied === "string") return sized([denied], (raw, id) => raw.answerDenied(id, denied));
  return failed(`the host's ${method} gave an answer of the wrong type`);
}

function contentOf(machine: string, text: string, version: string | undefined): Answer {
  return sized([text, version ?? ""], (raw, id) =>
    sendTexts(machine, [text], (length) => raw.answerContent(id, length, version)),
  );
}

function failed(error: string): Answer {
  return sized([error], (raw, id) => raw.answerFailed(id, error));
}

/** An answer, unless one of its texts is too long. */
function sized(texts: readonly string[], answer: Answer): Answer {
  const isLong = texts.some(({ length }) => length > LONGEST);
  return isLong ? failed("the answer is too long") : answer;
}

/** The message of an error. */
function messageOf(error: unknown): string {
  const message = isObject(error) && "message" in error ? error.message : error;
  return String(message) || "it failed";
}
