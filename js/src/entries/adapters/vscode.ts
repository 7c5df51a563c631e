export * from "../../adapters/vscode.js";
export * from "../../terminals/vscode/index.js";
