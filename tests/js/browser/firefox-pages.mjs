// Pages in Firefox: a folder served on this machine alone.

import { serve } from "../packaging/page.mjs";
import { inFirefox } from "../www/firefox.mjs";

/** What each of the pages in `folder` leaves in `window.outcome`. */
export async function outcomesInFirefox(folder, pages) {
  const server = serve(folder);
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const outcomes = [];
  try {
    await inFirefox({}, async (firefox) => {
      for (const page of pages) {
        await firefox.open(`http://127.0.0.1:${server.address().port}/${page}`);
        await firefox.eventually(() => window.outcome !== undefined, true);
        outcomes.push(JSON.parse(await firefox.run(() => JSON.stringify(window.outcome))));
      }
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return outcomes;
}
