// The history deduper alone, over a module of its own.

export * from "./exports/history-deduper.js";
import "./exports/embedded.js";
