// The summary injector alone, over a module of its own.

export * from "./exports/summary-injector.js";
import "./exports/embedded.js";
