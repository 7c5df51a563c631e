export * from "../../replace/cline-extension/loop-detection.js";
