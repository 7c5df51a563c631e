// The page as it is before its script has come, drawn while it is built.

import { renderToString } from "preact-render-to-string";

import { App } from "./app.js";

/** The page in the language of the one who seems to look at it. */
export function firstPaint(): string {
  return renderToString(<App />);
}
