// What the main entries export; they differ in where the Wasm comes from.

export * from "./ghost-block.js";
export * from "./history-deduper.js";
export * from "./loop-detector.js";
export * from "./summary-injector.js";
export * from "./terminal-selector.js";
export { AgentSession } from "../../agent-session.js";
export type { SessionLogEntry } from "../../boundary/generated/shapes.js";
export type { ErrorCode } from "../../boundary/errors.js";
export type { AgentSessionOptions } from "../../session-machines.js";
