export { turnkeeperMiddleware, type WatchOptions } from "../../agents/plugins/langchain.js";
