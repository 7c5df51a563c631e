// The ghost-block assembler alone, over a module of its own.

export * from "./exports/ghost-block.js";
import "./exports/embedded.js";
