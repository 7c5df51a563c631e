// The fixtures that every runtime runs, as data that can be bundled.

import { cases, directives, sessions, tenTurns } from "../node/fixture-cases.mjs";

/** What `runTraces` takes. */
export const traceData = {
  cases,
  sessions: sessions.map(({ lines }) => lines),
  tables: directives,
  session: tenTurns,
};
