export { default } from "../agents/plugins/pi.js";
