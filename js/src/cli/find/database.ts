/**
 * Sessions in SQLite databases, as the lines of a file: one object a row, in the shapes that the readers of
 * saved sessions know. Nothing is ever written to a database.
 */

import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { InputError } from "../../saved/event-lines.js";
import { fields, parsed } from "../../messages/fields.js";

export type DatabaseKind = "opencode" | "crush" | "goose";

/** Rows of a database, by the names of their columns. */
type Row = Record<string, unknown>;

interface Database {
  prepare(sql: string): {
    all(...values: unknown[]): Row[];
    iterate(...values: unknown[]): Iterable<Row>;
  };
  close(): void;
}

/** How a database is asked. */
interface Dialect {
  /** The table of sessions, and when each was written last, in milliseconds. */
  table: string;
  written: string;
  order: string;
  /** The rows of a session, as objects that its reader knows. */
  rows(database: Database, session: Row, file: string): Iterable<Row>;
}

const DIALECTS: Record<DatabaseKind, Dialect> = {
  opencode: {
    table: "session",
    written: "time_updated",
    order: "id",
    *rows(database, { id, title, directory, version, time_created }) {
      yield { id, title, directory, version: version ?? "", time: { created: time_created } };
      const parts = database.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id");
      const messages = database.prepare(
        "SELECT id, data FROM message WHERE session_id = ? ORDER BY id",
      );
      for (const message of messages.all(id)) {
        yield { ...dataOf(message), id: message.id, sessionID: id };
        for (const part of parts.all(message.id)) {
          yield { ...dataOf(part), id: part.id, messageID: message.id, sessionID: id };
        }
      }
    },
  },
  goose: {
    table: "sessions",
    written: "strftime('%s', updated_at) * 1000",
    order: "id",
    *rows(database, { name, description, working_dir, model_config_json, ...rest }) {
      const isPlaceholder = typeof name === "string" && PLACEHOLDER.test(name);
      const title = isPlaceholder ? "" : name;
      yield {
        ...rest,
        description: title || description || "",
        working_dir,
        message_count: 0,
        model_config: parsed(model_config_json),
      };
      const messages = database.prepare("SELECT * FROM messages WHERE session_id = ? ORDER BY id");
      for (const { role, content_json, created_timestamp, metadata_json } of messages.iterate(
        rest.id,
      )) {
        const metadata = parsed(metadata_json ?? "{}");
        yield { role, created: Number(created_timestamp), content: parsed(content_json), metadata };
      }
    },
  },
  crush: {
    table: "sessions",
    // Times of crush are seconds.
    written: "updated_at * 1000",
    order: "created_at",
    *rows(database, session, file) {
      yield { session: { ...session, directory: projectOf(file) }, timestamp: session.created_at };
      const messages = database.prepare(
        "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid",
      );
      for (const message of messages.iterate(session.id)) {
        yield { message, timestamp: message.created_at };
      }
    },
  },
};

/** What goose calls a session before it has a name. */
const PLACEHOLDER = /^(CLI Session|New session \d*)$/i;

function dataOf({ data }: Row): Row {
  return fields(parsed(data));
}

/** The folder around `.crush`. */
function projectOf(file: string): string {
  const home = path.dirname(path.resolve(file));
  return path.basename(home) === ".crush" ? path.dirname(home) : home;
}

/**
 * The ids of the sessions in a database; undefined if this Node cannot read databases.
 *
 * @param since sessions that were written last before are left out
 * @throws {@link InputError} if it cannot be read, or is no database of that kind
 */
export function sessionsIn(file: string, kind: DatabaseKind, since: number): string[] | undefined {
  const { table, written, order } = DIALECTS[kind];
  return reading(file, (database) =>
    database
      .prepare(`SELECT id, ${written} AS written FROM ${table} ORDER BY ${order}`)
      .all()
      .filter(({ written }) => typeof written !== "number" || written >= since)
      .map(({ id }) => String(id)),
  );
}

/**
 * A session's rows as lines.
 *
 * @throws {@link InputError} if the database cannot be read
 */
export function databaseLines(file: string, kind: DatabaseKind, id: string): Uint8Array[] {
  const dialect = DIALECTS[kind];
  const encoder = new TextEncoder();
  const lines = reading(file, (database) =>
    database
      .prepare(`SELECT * FROM ${dialect.table} WHERE id = ?`)
      .all(id)
      .flatMap((session) =>
        Array.from(dialect.rows(database, session, file), (row) =>
          encoder.encode(`${JSON.stringify(row)}\n`),
        ),
      ),
  );
  if (lines !== undefined) return lines;
  throw new InputError(file, "is a database, which Node 22.13 and later reads");
}

interface SqliteModule {
  DatabaseSync: new (file: string | URL, options: { readOnly: boolean }) => Database;
}

/** The module of Node that reads databases, where there is one. */
function sqlite(): SqliteModule | undefined {
  const node = process as { getBuiltinModule?: (name: string) => unknown };
  // Node warns that its module is new; that is no news for a user.
  const warn = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return node.getBuiltinModule?.("node:sqlite") as SqliteModule | undefined;
  } finally {
    process.emitWarning = warn;
  }
}

/**
 * Where a program may be writing to the database, a copy of it and of its log is read, so that nobody waits.
 *
 * @returns undefined where Node reads no databases
 */
function reading<T>(file: string, work: (database: Database) => T): T | undefined {
  const { DatabaseSync } = sqlite() ?? {};
  if (DatabaseSync === undefined) return undefined;
  const log = `${file}-wal`;
  const folder = existsSync(log) ? mkdtempSync(path.join(tmpdir(), "turnkeeper-")) : undefined;
  let database: Database | undefined;
  try {
    if (folder === undefined) {
      // As it is: SQLite would make a log beside it to read it.
      const place = pathToFileURL(file);
      place.searchParams.set("immutable", "1");
      database = new DatabaseSync(place, { readOnly: true });
    } else {
      const copy = path.join(folder, "copy.db");
      copyFileSync(file, copy);
      if (existsSync(log)) copyFileSync(log, `${copy}-wal`);
      database = new DatabaseSync(copy, { readOnly: false });
    }
    return work(database);
  } catch (error) {
    throw new InputError(file, `cannot be read as a database (${(error as Error).message})`);
  } finally {
    database?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
