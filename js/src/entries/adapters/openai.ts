export * from "../../adapters/openai.js";
