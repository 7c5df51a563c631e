export {
  turnkeeperMiddleware,
  type LangChainMiddleware,
  type WatchOptions,
} from "../../agents/plugins/langchain.js";
