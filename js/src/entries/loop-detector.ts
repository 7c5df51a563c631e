// The loop detector alone, over a module of its own.

export * from "./exports/loop-detector.js";
import "./exports/embedded.js";
