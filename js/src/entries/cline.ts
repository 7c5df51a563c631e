export * from "../agents/plugins/cline.js";
export { default } from "../agents/plugins/cline.js";
