// What build.mjs puts in.

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
  export const SITE_LINKS: { package: string; source?: string; licences: string };
}

/** The version of the package that is inside. */
declare const PACKAGE_VERSION: string;
