import type { VNode } from "preact";

import { Progress } from "../frame/source.js";
import type { FolderHolder } from "../frame/use-folder.js";
import { escapeControls } from "../words/plain-text.js";
import { useWords } from "../words/words.js";
import type { FolderRow } from "../worker/shapes.js";

import { Overview } from "./view/overview.js";

interface FolderProps {
  folder: FolderHolder;
  onOpen: (row: FolderRow) => void;
}

/** What the sessions of the open folder cost: what `turnkeeper audit` shows. */
export function Folder({ folder: { current }, onOpen }: FolderProps): VNode {
  const words = useWords();
  if (current.state === "none") return <></>;
  const name = escapeControls(current.name.slice(0, 300));
  return (
    <section class="folder" aria-labelledby="folder-heading">
      <h2 id="folder-heading">
        <bdi>{words.source.folder(name)}</bdi>
      </h2>
      {current.state === "reading" && (
        <Progress label={words.source.auditing} part={current.part} />
      )}
      {current.state === "broken" && (
        <p class="complaint" role="alert">
          {words.source.broken} <bdi>{current.problem}</bdi>
        </p>
      )}
      {current.state === "open" && current.audited.sessions.length === 0 && (
        <p class="complaint" role="alert">
          {words.source.noSessions}
        </p>
      )}
      {current.state === "open" && current.audited.sessions.length > 0 && (
        <>
          <Overview audited={current.audited} name={name} onOpen={onOpen} />
          {current.audited.skipped > 0 && (
            <p class="hint">{words.source.skipped(current.audited.skipped)}</p>
          )}
        </>
      )}
    </section>
  );
}
