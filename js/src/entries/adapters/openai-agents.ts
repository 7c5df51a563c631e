export {
  LoopStopped,
  turnkeeperFilter,
  type WatchOptions,
} from "../../agents/plugins/openai-agents.js";
