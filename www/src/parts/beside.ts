// The parts of the page that are files beside it: its worker, and the module of the analysis.

export async function workerSource(): Promise<string> {
  return (await fetched("worker.js")).text();
}

/** The module, whose compilation begins while it comes. */
export async function analysisModule(): Promise<WebAssembly.Module | string> {
  const response = await fetched("analysis.wasm");
  // A server that does not know the type of such a file says that it is another one.
  const bytes = await response.arrayBuffer();
  return WebAssembly.compile(bytes);
}

async function fetched(file: string): Promise<Response> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  return response;
}
