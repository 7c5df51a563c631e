// The analysis in Rust, which is in this page alone: the package has it in the program.

import PACKED from "analysis-module";

import {
  initSync,
  RawFolderAudit,
  RawPageSession,
  RawRepair,
  takePanic,
} from "../../../js/glue/analysis/turnkeeper.js";

export type { RawJudgement } from "../../../js/glue/analysis/turnkeeper.js";

const CLASSES = { RawFolderAudit, RawPageSession, RawRepair };

let loading: Promise<typeof CLASSES> | undefined;

/** The classes of the analysis, whose module is compiled at the first use. */
export function analysis(): Promise<typeof CLASSES> {
  loading ??= load();
  return loading;
}

/** The module is in the script: deflated, and in base64. */
async function load(): Promise<typeof CLASSES> {
  const deflated = Uint8Array.from(atob(PACKED), (character) => character.charCodeAt(0));
  const inflating = new DecompressionStream("deflate-raw");
  const inflated = new Blob([deflated]).stream().pipeThrough(inflating);
  const module = await WebAssembly.compile(await new Response(inflated).arrayBuffer());
  initSync({ module });
  return CLASSES;
}

/** The failure inside, if that is what an error says; undefined for any other. */
export function failureInside(error: unknown): string | undefined {
  if (!(error instanceof WebAssembly.RuntimeError)) return undefined;
  const panic: unknown = takePanic();
  return `the analysis failed inside (${typeof panic === "string" ? panic : error.message})`;
}

/** Frees what nobody needs any more. */
export function release(raw: { free(): void } | undefined): void {
  try {
    raw?.free();
  } catch {
    // A call of it has failed inside, and has it still.
  }
}

/** What a call answered, as JSON. */
export function answered<T>(json: string): T {
  return JSON.parse(json) as T;
}
