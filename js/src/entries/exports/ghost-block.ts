// What belongs to the ghost-block assembler.

export { GhostBlockAssembler } from "../../prompt/ghost-block.js";
export type { AssembledPrompt } from "../../prompt/assembled-prompt.js";
export type { AssemblerOptions } from "../../prompt/options.js";
export { stripGhostBlocks } from "../../prompt/strip-ghost-blocks.js";
export type { AssemblerHost } from "../../prompt/host.js";
export type {
  ContextItem,
  Diagnostic,
  PreparedSkill,
  Reference,
} from "../../boundary/generated/shapes.js";
export * from "./common.js";
