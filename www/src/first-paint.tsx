// The page as it is before its script has come, drawn while it is built.

import { renderToString } from "preact-render-to-string";

import { App } from "./app.js";

export const FIRST_PAINT = renderToString(<App />);
