// What the assembler asks of its host, and what it makes of the answers.

import { isObject } from "./arguments.js";

/**
 * Answers the assembler's requests. Paths have `/`; they are relative to the assembler's root, or
 * absolute within another allowed root. Symbolic links are the host's to check.
 *
 * A method may throw, reject, or answer anything: what it does not give becomes an item with an
 * error. It may call the assembler, but must not wait for a call that waits for its answer.
 */
export interface AssemblerHost {
  /**
   * A file, or exactly the lines from `startLine` to `endLine`, from 1, or `startLine` alone.
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

/** The kind of answer, as `src/wasm/ghost_block.rs` counts them, and its texts. */
type Answer = [kind: number, ...texts: string[]];

/** Units that a text of an answer may have, of which two can cross together. */
const LONGEST = 60_000_000;

/** Asks the host. Never rejects. */
export async function askHost(host: AssemblerHost, request: HostRequest): Promise<Answer> {
  const { id: _, method, args, ...rest } = request;
  try {
    const ask = host[method] as ((request: object) => unknown) | undefined;
    if (typeof ask !== "function") return [4, `the host has no ${method}`];
    const asked = args !== undefined ? { ...rest, args: JSON.parse(args) as object } : rest;
    const answer = understood(method, await ask.call(host, asked));
    const isLong = answer.some((part) => String(part).length > LONGEST);
    return isLong ? [4, "the answer is too long"] : answer;
  } catch (error) {
    return [4, said(error)];
  }
}

function understood(method: string, answer: unknown): Answer {
  if (typeof answer === "string" && method !== "readImage") return [0, answer];
  if (isObject(answer)) {
    const { content, version, unchanged, missing, denied, mediaType, data } = answer as Record<
      string,
      unknown
    >;
    if (method === "readImage") {
      if (typeof mediaType === "string" && typeof data === "string") return [5, data, mediaType];
    } else if (method === "readFile" && typeof content === "string") {
      return typeof version === "string" ? [0, content, version] : [0, content];
    }
    if (unchanged === true) return [1];
    if (missing === true) return [2];
    if (typeof denied === "string") return [3, denied];
  }
  return [4, `the host's ${method} gave an answer of the wrong type`];
}

/** What an error says; reading even that may throw. */
function said(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    return String(message) || "it failed";
  } catch {
    return "it failed";
  }
}
