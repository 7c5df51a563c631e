// Saved sessions, without I/O, over a module of its own.

export * from "./exports/sessions.js";
import "./exports/embedded.js";
