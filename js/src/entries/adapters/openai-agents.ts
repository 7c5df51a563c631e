export * from "../../agents/plugins/openai-agents.js";
