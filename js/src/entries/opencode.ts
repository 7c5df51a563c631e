export { server } from "../agents/plugins/opencode.js";
