export * from "../../adapters/gemini.js";
