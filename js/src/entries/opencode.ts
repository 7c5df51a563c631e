export * from "../agents/plugins/opencode.js";
