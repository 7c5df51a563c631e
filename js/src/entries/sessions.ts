// Saved sessions, without I/O and without the Wasm.

export type { AgentEvent } from "../boundary/generated/shapes.js";
export { detectFormat } from "../saved/detect-format.js";
export { eventsOf } from "../saved/events-of.js";
export { readSession, type ReadSessionOptions, type SavedSession } from "../saved/read-session.js";
export type { SessionFormat } from "../saved/saved-session.js";
