import { createHash } from "node:crypto";

import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

import { worstFirst } from "../../analysis/findings.js";
import { escapeControls } from "../../analysis/plain-text.js";
import { Overview } from "../../analysis/view/overview.js";
import { Legend, TokenKindsPicture } from "../../analysis/view/pictures.js";
import { Figures, Session } from "../../analysis/view/session.js";
import { STYLE } from "../../analysis/view/style.js";
import { ENGLISH } from "../../analysis/view/words.js";
import { plural } from "../../analysis/wording.js";

import { shown } from "./json.js";
import type { AuditRecord } from "./record.js";

/**
 * The report as one page, in parts. It has no script, loads nothing and may load nothing. What comes
 * of sessions is text in it: the view library escapes what HTML would act on, and {@link part} what a
 * reader would be misled by.
 */
export function* reportPage(
  { sessions: all, total, skipped, problems, profile, period }: AuditRecord,
  hasText: boolean,
): Generator<string, void, void> {
  const sessions = all.map(({ report, timeline }) => ({
    report: shown(report, hasText),
    timeline,
  }));
  const reports = worstFirst(sessions.map(({ report }) => report));
  const title = `Turnkeeper audit: ${plural(sessions.length, "session")}`;
  yield `<!doctype html>\n<html lang="en">\n${part(<Head title={title} />)}<body>\n<main>\n`;
  yield part(
    <>
      <h1>What {plural(sessions.length, "saved session")} cost</h1>
      <Overview sessions={reports} total={total} period={period.title} words={ENGLISH} />
      <Figures of={total} words={ENGLISH} />
      <TokenKindsPicture tokens={total.tokens} words={ENGLISH} />
      <p class="quiet">
        Loops by the profile <code>{profile}</code>. Tokens by kind, and tokens and dollars with a
        ~, are {ENGLISH.estimated}.
      </p>
    </>,
  );
  if (sessions.length > 0) {
    yield `<section>\n${part(<Legend words={ENGLISH} />)}`;
    const timelines = new Map(sessions.map(({ report, timeline }) => [report, timeline]));
    for (const report of reports) {
      yield part(<Session report={report} stretches={timelines.get(report)!} words={ENGLISH} />);
    }
    yield "</section>\n";
  }
  const unread = problems.map(({ file, line, reason }) => ({
    file,
    reason: line === undefined ? reason : `line ${line}: ${reason}`,
  }));
  yield part(<Files title="Not read" files={unread} />);
  yield part(<Files title="Skipped: no sessions" files={skipped} />);
  yield "</main>\n</body>\n</html>\n";
}

/** Markup with no character that controls a terminal or the direction of writing. */
function part(view: VNode): string {
  const markup = renderToString(view);
  return markup === "" ? "" : `${escapeControls(markup)}\n`;
}

function Head({ title }: { title: string }): VNode {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      {/* The style is ours, and its hash is of the text as it is. */}
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>
  );
}

interface FilesProps {
  title: string;
  files: readonly { file: string; reason: string }[];
}

function Files({ title, files }: FilesProps): VNode {
  if (files.length === 0) return <></>;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {files.map(({ file, reason }) => (
          <li>
            <code>{file}</code> {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
