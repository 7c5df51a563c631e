export * from "../../agents/plugins/langchain.js";
