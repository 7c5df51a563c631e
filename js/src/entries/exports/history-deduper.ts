// What belongs to the history deduper.

export { stripEnvironment, withEnvironment } from "../../context/environment.js";
export { HistoryDeduper, dedupeHistory } from "../../context/history-deduper.js";
export type { DedupeReport, SupersededFile } from "../../context/report.js";
export { restoreHistory } from "../../context/undo.js";
export type { DedupeOptions } from "../../boundary/generated/shapes.js";
export * from "./common.js";
