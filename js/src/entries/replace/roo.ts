export {
  ToolRepetitionDetector,
  type RepetitionCheck,
  type ToolUse,
} from "../../replace/roo/tool-repetition-detector.js";
