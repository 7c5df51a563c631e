export { default, plugin } from "../agents/plugins/cline.js";
