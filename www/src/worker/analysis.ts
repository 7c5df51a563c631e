// The analysis in Rust, which is in this page alone: the package has it in the program.

import {
  initSync,
  RawFolderAudit,
  RawPageSession,
  RawRepair,
  takePanic,
} from "../../../js/glue/analysis/turnkeeper.js";

export type { RawJudgement } from "../../../js/glue/analysis/turnkeeper.js";

const CLASSES = { RawFolderAudit, RawPageSession, RawRepair };

/** Takes the module, which the page hands over before it asks for anything. */
export let takeModule!: (module: WebAssembly.Module | string) => void;

const given = new Promise<WebAssembly.Module | string>((resolve) => {
  takeModule = resolve;
});
const loaded = given.then(async (module) => {
  initSync({ module: typeof module === "string" ? await unpacked(module) : module });
  return CLASSES;
});

/** The classes of the analysis. */
export function analysis(): Promise<typeof CLASSES> {
  return loaded;
}

/** A module that is deflated, and in base64. */
async function unpacked(packed: string): Promise<WebAssembly.Module> {
  const deflated = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const inflating = new DecompressionStream("deflate-raw");
  const inflated = new Blob([deflated]).stream().pipeThrough(inflating);
  return WebAssembly.compile(await new Response(inflated).arrayBuffer());
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
