// The terminal selector alone, over a module of its own.

export * from "./exports/terminal-selector.js";
import "./exports/embedded.js";
