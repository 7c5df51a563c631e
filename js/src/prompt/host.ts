// What the assembler asks of its host, and what it makes of the answers.

import type { RawAssembler } from "../../glue/turnkeeper.js";
import { isObject } from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";

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

/** A request as it comes out of the Wasm. */
export interface HostRequest {
  id: number;
  method: keyof AssemblerHost;
  path?: string;
  startLine?: number;
  endLine?: number;
  knownVersion?: string;
  name?: string;
  /** JSON */
  args?: string;
  uri?: string;
}

/** What a host's answer means. */
type Answer =
  | { kind: "content"; text: string; version: string | undefined }
  | { kind: "image"; mediaType: string; data: string }
  | { kind: "unchanged" }
  | { kind: "missing" }
  | { kind: "denied"; reason: string }
  | { kind: "failed"; error: string };

/** Units that a text of an answer may have. */
const LONGEST = 60_000_000;

/** Asks the host. Never rejects. */
export async function askHost(host: AssemblerHost, request: HostRequest): Promise<Answer> {
  const { id: _, method, args, ...rest } = request;
  try {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on the host
    const ask = host[method] as ((request: object) => unknown) | undefined;
    if (typeof ask !== "function") return failed(`the host has no ${method}`);
    const asked = args !== undefined ? { ...rest, args: JSON.parse(args) as object } : rest;
    const answer = understood(method, await ask.call(host, asked));
    const texts = Object.values<string | undefined>(answer);
    const isLong = texts.some((text) => text !== undefined && text.length > LONGEST);
    return isLong ? failed("the answer is too long") : answer;
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** Hands the answer to a request in. */
export function giveAnswer(raw: RawAssembler, machine: string, id: number, answer: Answer): void {
  switch (answer.kind) {
    case "content":
      return sendTexts(machine, [answer.text], (length) =>
        raw.answerContent(id, length, answer.version),
      );
    case "image":
      return sendTexts(machine, [answer.data], (length) =>
        raw.answerImage(id, answer.mediaType, length),
      );
    case "unchanged":
      return raw.answerUnchanged(id);
    case "missing":
      return raw.answerMissing(id);
    case "denied":
      return raw.answerDenied(id, answer.reason);
    case "failed":
      return raw.answerFailed(id, answer.error);
  }
}

function failed(error: string): Answer {
  return { kind: "failed", error };
}

function understood(method: string, answer: unknown): Answer {
  if (typeof answer === "string" && method !== "readImage")
    return { kind: "content", text: answer, version: undefined };
  if (isObject(answer)) {
    const { content, version, unchanged, missing, denied, mediaType, data } = answer as Record<
      string,
      unknown
    >;
    if (method === "readImage") {
      if (typeof mediaType === "string" && typeof data === "string") {
        return { kind: "image", mediaType, data };
      }
    } else if (method === "readFile" && typeof content === "string") {
      return { kind: "content", text: content, version: stringIn(version) };
    }
    if (unchanged === true) return { kind: "unchanged" };
    if (missing === true) return { kind: "missing" };
    if (typeof denied === "string") return { kind: "denied", reason: denied };
  }
  return failed(`the host's ${method} gave an answer of the wrong type`);
}

function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** What an error says. */
function messageOf(error: unknown): string {
  const message = isObject(error) && "message" in error ? error.message : error;
  return String(message) || "it failed";
}
