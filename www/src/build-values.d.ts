// What build.mjs puts in.

/** Where the parts of the page come from: one of `src/parts/`. */
declare module "page-parts" {
  export function workerSource(): Promise<string>;
  export function analysisModule(): Promise<WebAssembly.Module | string>;
}

/** What the page shows before its worker has answered: what that says of the first sample. */
declare module "first-answer" {
  export const FIRST_ANSWER: unknown;
}

/** The worker, as one script. */
declare module "worker-source" {
  const source: string;
  export default source;
}

/** The Wasm module of the analysis: deflated, in base64. */
declare module "analysis-module" {
  const packed: string;
  export default packed;
}

/** The samples, written by samples/make.mjs. */
declare module "samples" {
  export const SAMPLE_FILES: Readonly<Record<string, { name: string; text: string }>>;
}

/** The files beside the page, and the address of the source if the package names one. */
declare module "site-links" {
  export const SITE_LINKS: { package: string; offline: string; source?: string; licences: string };
}

/** Whether everything is in one file. */
declare const IS_ONE_FILE: boolean;

/** The version of the package that is inside. */
declare const PACKAGE_VERSION: string;
