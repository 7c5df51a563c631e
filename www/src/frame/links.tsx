import type { VNode } from "preact";
import { SITE_LINKS } from "site-links";

import { useWords } from "../words/words.js";

/**
 * The documents, the package and the page in a file, which are beside the page where it is served; the source if the
 * package names one, and the licences of what the page has inside.
 */
export function Links(): VNode {
  const { frame } = useWords();
  return (
    <p class="links">
      {!IS_ONE_FILE && (
        <>
          <a href={`documents/${frame.readme}`}>{frame.documents}</a>
          <a href={SITE_LINKS.package} download>
            {frame.package}
          </a>
          <a href={SITE_LINKS.offline} download>
            {frame.offline}
          </a>
        </>
      )}
      {SITE_LINKS.source !== undefined && <a href={SITE_LINKS.source}>{frame.source}</a>}
      <a href={SITE_LINKS.licences}>{frame.licences}</a>
    </p>
  );
}
