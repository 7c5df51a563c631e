// What build.mjs puts in.

declare module "*.jsonl" {
  const text: string;
  export default text;
}

/** The version of the package that is inside. */
declare const PACKAGE_VERSION: string;
