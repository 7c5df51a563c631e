import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { ask } from "../ask.js";
import { download } from "../frame/download.js";
import type { Language } from "../words/language.js";
import { useWords } from "../words/words.js";
import type { JudgedSession } from "../worker/shapes.js";

import { pictureOf } from "./saved-picture.js";

interface SavingProps {
  judged: JudgedSession;
  /** Undefined until the worker has it. */
  session: number | undefined;
  language: Language;
}

/** What people post: the report as a page, and the sentence with its stripes as a picture. */
export function Saving({ judged, session, language }: SavingProps): VNode {
  const words = useWords();
  const [hasTexts, setHasTexts] = useState(false);
  const savePage = (): void => {
    if (session === undefined) return;
    ask("savedPage", { id: session, language, hasTexts }).then(
      (page) => download("turnkeeper.html", page),
      () => {
        // Another session has been opened.
      },
    );
  };
  const savePicture = (section: Element): void => {
    const { money, headline } = words.sessions;
    const sentences = [money(judged.report), headline(judged.report, judged.play)];
    void pictureOf(section, sentences).then((picture) => download("turnkeeper.png", picture));
  };
  const isWaiting = session === undefined;
  return (
    <div class="saving">
      <button type="button" disabled={isWaiting} onClick={savePage}>
        {words.saving.page}
      </button>
      <button
        type="button"
        disabled={isWaiting}
        onClick={({ currentTarget }) => savePicture(currentTarget.closest("section")!)}
      >
        {words.saving.picture}
      </button>
      <label>
        <input
          type="checkbox"
          checked={hasTexts}
          onChange={({ currentTarget }) => setHasTexts(currentTarget.checked)}
        />{" "}
        {words.saving.texts}
      </label>
    </div>
  );
}
