// What plugins of agents need of the watch.

export { AgentWatch, usersWords } from "../../agents/watch.js";
export type * from "../../agents/watch.js";
export * from "./common.js";
