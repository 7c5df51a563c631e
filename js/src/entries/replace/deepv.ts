export * from "../../replace/deepv/index.js";
