import { createHash } from "node:crypto";

import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";

import type { Total } from "../../../analysis/audit-report.js";
import { escapeControls } from "../../../analysis/plain-text.js";
import { grouped, plural } from "../../../analysis/wording.js";
import { TOKENS_ESTIMATED } from "../../../saved/tokens.js";
import type { AuditRecord } from "../record.js";

import { tokensAfterNudge } from "../after-nudge.js";
import { EconomyTable } from "./economy.js";
import { BeforeAndAfter, TokenTable } from "./pictures.js";
import { Legend, Session } from "./session.js";
import { STYLE } from "./style.js";

/**
 * The report as one page, in parts. It has no script, loads nothing and may load nothing. What comes
 * of sessions is text in it: the view library escapes what HTML would act on, and {@link part} what a
 * reader would be misled by.
 */
export function* reportPage(record: AuditRecord): Generator<string, void, void> {
  const { sessions, total, skipped, problems, profile } = record;
  const title = `Turnkeeper audit: ${plural(sessions.length, "session")}`;
  yield `<!doctype html>\n<html lang="en">\n${part(<Head title={title} />)}<body>\n<main>\n`;
  yield part(
    <>
      <h1>What {plural(sessions.length, "saved session")} cost</h1>
      <Figures total={total} />
      <p>
        Loops by the profile <code>{profile}</code>. Tokens are {TOKENS_ESTIMATED}.
      </p>
    </>,
  );
  if (sessions.length > 0) {
    yield part(
      <>
        <Section title="Tokens by kind">
          <TokenTable tokens={total.tokens} />
        </Section>
        {total.economy.requestCharacters > 0 && (
          <Section title="Redundant">
            <p>
              What newer messages say better, in the histories and with every request that sent it
              again: <code>turnkeeper repair --economy resume</code> takes it out.
            </p>
            <EconomyTable economy={total.economy} />
          </Section>
        )}
        <Section title="Before and after">
          <p>
            The histories as they are, as <code>turnkeeper repair</code> leaves them, and with
            environment in the newest message alone.
          </p>
          <BeforeAndAfter total={total} />
        </Section>
      </>,
    );
    yield `<section>\n${part(<Legend />)}`;
    for (const session of sessions) yield part(<Session session={session} />);
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

function Figures({ total }: { total: Total }): VNode {
  const sent = (tokens: number): string => `${plural(tokens, "token")} sent for them`;
  const late = tokensAfterNudge(total.afterNudge);
  return (
    <dl class="figures">
      <Figure value={grouped(total.calls)} name="tool calls">
        {plural(total.turns, "request")}
      </Figure>
      <Figure value={grouped(total.stops)} name="loops">
        in {plural(total.sessionsWithStops, "session")}; {plural(total.nudges, "nudge")} besides
      </Figure>
      {late !== undefined && (
        <Figure value={grouped(total.afterNudge.calls)} name="late calls">
          {late}
        </Figure>
      )}
      <Figure value={grouped(total.tokens.total)} name="tokens">
        estimated
      </Figure>
      <Figure value={grouped(total.duplicateBlocks)} name="duplicate blocks">
        {sent(total.duplicateTokensSent)}
      </Figure>
      <Figure value={grouped(total.outdatedBlocks)} name="outdated blocks">
        {sent(total.outdatedTokensSent)}
      </Figure>
      <Figure
        value={`${grouped(total.terminalsReusable)} of ${grouped(total.commands)}`}
        name="commands"
      >
        could run in a terminal already open
      </Figure>
    </dl>
  );
}

function Figure(props: { value: string; name: string; children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <b>{props.value}</b> {props.children}
      </dd>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface FilesProps {
  title: string;
  files: readonly { file: string; reason: string }[];
}

function Files({ title, files }: FilesProps): VNode {
  if (files.length === 0) return <></>;
  return (
    <Section title={title}>
      <ul>
        {files.map(({ file, reason }) => (
          <li>
            <code>{file}</code> {reason}
          </li>
        ))}
      </ul>
    </Section>
  );
}
