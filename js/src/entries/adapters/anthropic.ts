export * from "../../adapters/anthropic.js";
