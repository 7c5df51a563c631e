export * from "../../replace/cline/repeated-calls.js";
export * from "../../replace/cline/tracker.js";
