// What plugins of agents, and the hook where there is no program, need of the watch.

export { AgentWatch, hookEvent, usersWords } from "../../agents/watch.js";
export type * from "../../agents/watch.js";
export * from "./common.js";
