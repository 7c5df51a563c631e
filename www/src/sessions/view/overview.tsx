import type { VNode } from "preact";

import type { Words } from "../../words/en.js";
import { useWords } from "../../words/words.js";
import type { AuditedFolder, FolderRow } from "../../worker/shapes.js";

interface OverviewProps {
  audited: AuditedFolder;
  /** The name of the folder. */
  name: string;
  /** Opens a session. */
  onOpen: (row: FolderRow) => void;
}

/** What an audit found, on one screen: the headline, on what money went, and the sessions that wasted most. */
export function Overview({ audited, name, onOpen }: OverviewProps): VNode {
  const { audit } = useWords();
  const { sessions, findings, total } = audited;
  return (
    <>
      <p class="headline" role="status">
        {audit.headline(total, name)}
      </p>
      {findings.length > 0 && (
        <section>
          <h2>{audit.findings}</h2>
          <ol class="findings">
            {findings.map((finding) => (
              <li key={finding.waste}>
                {finding.dollars !== undefined && <b>{audit.dollars(finding.dollars)} </b>}
                {audit.findingTitle(finding)}; {audit.findingPlace(finding)}
                <br />
                {audit.findingDoes(finding)}
                {finding.command !== undefined && (
                  <>
                    : <code>{finding.command}</code>
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      <section>
        <h2>{audit.sessions}</h2>
        <SessionTable sessions={sessions} onOpen={onOpen} />
      </section>
    </>
  );
}

type Column = Exclude<keyof Words["audit"]["columns"], "session">;

interface SessionTableProps {
  sessions: readonly FolderRow[];
  onOpen: (row: FolderRow) => void;
}

/** A row for each session. A column that has nothing to say of any of them is left out. */
function SessionTable({ sessions, onOpen }: SessionTableProps): VNode {
  const { audit } = useWords();
  const cells = (row: FolderRow, column: Column): string => CELLS[column](row, audit);
  const all = Object.keys(CELLS) as Column[];
  const columns = all.filter((column) => sessions.some((row) => cells(row, column) !== ""));
  return (
    <div class="scrolled">
      <table class="sessions cards">
        <thead>
          <tr>
            <th scope="col">{audit.columns.session}</th>
            {columns.map((column) => (
              <th key={column} scope="col" class={column}>
                {audit.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sessions.map((row) => (
            <tr key={row.file}>
              <th scope="row">
                <button type="button" class="link" onClick={() => onOpen(row)}>
                  <bdi>{row.title}</bdi>
                </button>
              </th>
              {columns.map((column) => (
                <td key={column} class={column} data-label={audit.columns[column]}>
                  {cells(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a session's row says in each column, the money first; "" where there is nothing to say. */
const CELLS: Record<Column, (row: FolderRow, words: Words["audit"]) => string> = {
  cost: ({ usage }, words) => words.cost(usage),
  toSave: ({ toSave }, words) => (toSave ? words.dollars(toSave) : ""),
  agent: ({ agent }) => agent,
  project: ({ project }) => project ?? "",
  when: ({ ended }, words) => (ended === undefined ? "" : words.day(ended)),
  calls: ({ calls }, words) => words.count(calls),
  outdated: ({ outdated }, words) => (outdated > 0 ? words.count(outdated) : ""),
  loops: ({ loops }, words) => (loops > 0 ? words.count(loops) : ""),
};
