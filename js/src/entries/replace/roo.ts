export * from "../../replace/roo/tool-repetition-detector.js";
