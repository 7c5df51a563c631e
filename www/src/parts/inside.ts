// The parts of a page that is one file, where nothing can be loaded: they are in its script.

import PACKED from "analysis-module";
import WORKER_SOURCE from "worker-source";

export function workerSource(): Promise<string> {
  return Promise.resolve(WORKER_SOURCE);
}

/** The module as the worker unpacks it. */
export function analysisModule(): Promise<WebAssembly.Module | string> {
  return Promise.resolve(PACKED);
}
