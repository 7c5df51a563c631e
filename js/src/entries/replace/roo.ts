export { ToolRepetitionDetector } from "../../replace/roo/tool-repetition-detector.js";
