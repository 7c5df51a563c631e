import type { VNode } from "preact";

import { agentTitle, projectName, sessionTitle } from "../audit-words.js";
import type { SessionReport, Total } from "../audit-report.js";
import { findingsOf, worstFirst } from "../findings.js";
import { oneLine } from "../plain-text.js";

import type { AuditWords } from "./words.js";

interface OverviewProps {
  sessions: readonly SessionReport[];
  total: Total;
  /** The time that it is of, in words. */
  period: string;
  words: AuditWords;
  /** Opens a session, where it can be opened. */
  onOpen?: (report: SessionReport) => void;
}

/** What an audit found, on one screen: the headline, on what money went, and the sessions that wasted most. */
export function Overview({ sessions, total, period, words, onOpen }: OverviewProps): VNode {
  const findings = findingsOf(sessions);
  return (
    <>
      <p class="headline" role="status">
        {words.headline(total, period)}
      </p>
      {findings.length > 0 && (
        <section>
          <h2>{words.findings}</h2>
          <ol class="findings">
            {findings.map((finding) => {
              const { does, command } = words.findingAdvice(finding);
              return (
                <li key={finding.waste}>
                  {finding.dollars !== undefined && <b>{words.dollars(finding.dollars)} </b>}
                  {words.findingTitle(finding)}; {words.findingPlace(finding)}
                  <br />
                  {does}
                  {command !== undefined && (
                    <>
                      : <code>{oneLine(command, 4_000)}</code>
                    </>
                  )}
                </li>
              );
            })}
          </ol>
        </section>
      )}
      <section>
        <h2>{words.sessions}</h2>
        <SessionTable sessions={worstFirst(sessions)} words={words} {...(onOpen && { onOpen })} />
      </section>
    </>
  );
}

/** The rows that are shown at most; who has more asks for a time or an agent. */
const MOST_ROWS = 500;

function SessionTable(props: Pick<OverviewProps, "sessions" | "words" | "onOpen">): VNode {
  const { sessions, words, onOpen } = props;
  return (
    <div class="scrolled">
      <table class="sessions">
        <thead>
          <tr>
            {SESSION_COLUMNS.map((column) => (
              <th key={column} scope="col">
                {words.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sessions.slice(0, MOST_ROWS).map((report) => (
            <tr key={`${report.file} ${report.id ?? ""}`}>
              {SESSION_COLUMNS.map((column) => {
                const cell = SESSION_CELLS[column](report, words);
                if (column !== "session") return <td key={column}>{cell}</td>;
                return (
                  <th key={column} scope="row">
                    {onOpen ? (
                      <button type="button" class="link" onClick={() => onOpen(report)}>
                        <bdi>{cell}</bdi>
                      </button>
                    ) : (
                      <bdi>{cell}</bdi>
                    )}
                  </th>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export type SessionColumn = keyof AuditWords["columns"];

/** What a session's row says in each column; "" where there is nothing to say. */
export const SESSION_CELLS: Record<
  SessionColumn,
  (report: SessionReport, words: AuditWords) => string
> = {
  session: (report) => oneLine(sessionTitle(report), 120),
  agent: ({ agent, format }) => agentTitle(agent ?? format),
  project: ({ project }) => (project === undefined ? "" : oneLine(projectName(project), 60)),
  when: ({ ended }, words) => (ended === undefined ? "" : words.day(ended)),
  calls: ({ calls }, words) => words.count(calls),
  cost: ({ usage }, words) => words.cost(usage),
  toSave: ({ saveable }, words) => (saveable.dollars ? words.dollars(saveable.dollars) : ""),
  outdated: ({ saveable }, words) => (saveable.tokens > 0 ? words.count(saveable.tokens) : ""),
  loops: ({ loops }, words) => (loops.length > 0 ? words.count(loops.length) : ""),
};

export const SESSION_COLUMNS = Object.keys(SESSION_CELLS) as SessionColumn[];
