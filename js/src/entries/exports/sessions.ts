// The reader of saved sessions.

export type { AgentEvent, SessionFormat } from "../../boundary/generated/shapes.js";
export { detectFormat } from "../../sessions/detect-format.js";
export { eventsOf } from "../../sessions/events-of.js";
export { readSession, type LeftOut, type SavedSession } from "../../sessions/read-session.js";
export * from "./common.js";
