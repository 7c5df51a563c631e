export * from "../agents/plugins/pi.js";
export { default } from "../agents/plugins/pi.js";
