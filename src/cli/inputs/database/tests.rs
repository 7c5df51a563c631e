//! Databases as agents have them, also while one is written.

use std::path::Path;

use rusqlite::Connection;

use super::*;

fn lines_of(input: &Input) -> Vec<String> {
    let row = input.row.as_ref().expect("a row");
    let mut lines = Vec::new();
    row.database
        .lines(&row.session, &mut |line| {
            lines.push(
                String::from_utf8(line.to_vec())
                    .expect("text")
                    .trim_end()
                    .to_owned(),
            );
            Ok(())
        })
        .expect("read");
    lines
}

fn sessions_of(file: &Path, since: f64) -> Vec<Input> {
    let database = Database::recognised(file).expect("a database of an agent's");
    database
        .sessions(&Input::named(file), since)
        .expect("sessions")
}

fn database(file: &Path, statements: &str) -> Connection {
    let connection = Connection::open(file).expect("made");
    connection.execute_batch(statements).expect("filled");
    connection
}

const OPENCODE: &str = r#"
    CREATE TABLE session (id TEXT, title TEXT, directory TEXT, version TEXT, time_created INT, time_updated INT);
    CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
    INSERT INTO session VALUES ('s1', 'Footer', '/home/user/site', '1.2', 1767258000000, 1767258000000);
    INSERT INTO message VALUES ('m1', 's1', '{"role":"user","id":"x"}');
    INSERT INTO part VALUES ('p1', 'm1', 's1', '{"type":"text","text":"Fix it."}');
    INSERT INTO part VALUES ('p2', 'm1', 's1', 'no JSON');"#;

const OPENCODE_LINES: [&str; 4] = [
    r#"{"id":"s1","title":"Footer","directory":"/home/user/site","version":"1.2","parentID":null,"time":{"created":1767258000000}}"#,
    r#"{"role":"user","id":"m1","sessionID":"s1"}"#,
    r#"{"type":"text","text":"Fix it.","id":"p1","messageID":"m1","sessionID":"s1"}"#,
    r#"{"id":"p2","messageID":"m1","sessionID":"s1"}"#,
];

#[test]
fn a_database_is_read_as_it_is_while_it_is_written_and_from_a_log_that_was_left() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("a b?#%.db");
    database(&file, OPENCODE).close().expect("closed");
    assert_eq!(lines_of(&sessions_of(&file, 0.0)[0]), OPENCODE_LINES);
    let names = |folder: &Path| std::fs::read_dir(folder).expect("a folder").count();
    assert_eq!(names(root.path()), 1, "nothing is left beside it");

    let written = root.path().join("written.db");
    let open = database(&written, &format!("PRAGMA journal_mode = WAL; {OPENCODE}"));
    let input = &sessions_of(&written, 0.0)[0];
    assert_eq!(lines_of(input), OPENCODE_LINES);
    open.execute("UPDATE session SET title = 'Header'", [])
        .expect("written meanwhile");
    assert!(lines_of(input)[0].contains("Header"));

    let left = root.path().join("left.db");
    for end in ["", "-wal"] {
        std::fs::copy(beside(&written, end), beside(&left, end)).expect("copied");
    }
    let input = &sessions_of(&left, 0.0)[0];
    assert!(lines_of(input)[0].contains("Header"));
    assert!(!beside(&left, "-shm").exists());
}

#[test]
fn sessions_that_were_written_before_are_left_out() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("opencode.db");
    database(&file, OPENCODE);
    assert_eq!(sessions_of(&file, 1_767_258_000_000.0).len(), 1);
    assert_eq!(sessions_of(&file, 1_767_258_000_001.0).len(), 0);
}

#[test]
fn a_database_of_goose_has_the_lines_of_its_files() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("sessions.db");
    database(
        &file,
        r#"
        CREATE TABLE sessions (id TEXT, name TEXT, description TEXT, working_dir TEXT, updated_at TEXT, model_config_json TEXT);
        CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INT, metadata_json TEXT);
        INSERT INTO sessions VALUES ('g1', 'CLI Session', 'Footer', '/srv', '2026-01-01 09:00:00', '{"model_name":"gpt-5.1"}');
        INSERT INTO messages VALUES (1, 'g1', 'user', '[{"type":"text","text":"Fix it."}]', 1767258000, '{}');"#,
    );
    let [session] = &sessions_of(&file, 1_767_258_000_000.0)[..] else {
        panic!("one session")
    };
    assert_eq!(
        lines_of(session),
        [
            r#"{"id":"g1","working_dir":"/srv","updated_at":"2026-01-01 09:00:00","description":"Footer","message_count":0,"model_config":{"model_name":"gpt-5.1"}}"#,
            r#"{"role":"user","created":1767258000,"content":[{"type":"text","text":"Fix it."}],"metadata":{}}"#,
        ]
    );
    assert!(sessions_of(&file, 1_767_258_000_001.0).is_empty());
}

#[test]
fn a_database_of_crush_names_its_project() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join(".crush/crush.db");
    std::fs::create_dir(root.path().join(".crush")).expect("made");
    database(
        &file,
        r#"
        CREATE TABLE sessions (id TEXT, title TEXT, prompt_tokens INT, cost REAL, created_at INT, updated_at INT);
        CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INT);
        INSERT INTO sessions VALUES ('c1', 'Footer', 900, 1.25, 1767258000, 1767258001);
        INSERT INTO messages VALUES ('m1', 'c1', 'user', '[]', '', 1767258000);"#,
    );
    let [session] = &sessions_of(&file, 1_767_258_001_000.0)[..] else {
        panic!("one session")
    };
    let project = root.path().to_string_lossy();
    assert_eq!(lines_of(session), [
        format!(r#"{{"session":{{"id":"c1","title":"Footer","prompt_tokens":900,"cost":1.25,"created_at":1767258000,"updated_at":1767258001,"directory":"{project}"}},"timestamp":1767258000}}"#),
        r#"{"message":{"id":"m1","session_id":"c1","role":"user","parts":"[]","model":"","created_at":1767258000},"timestamp":1767258000}"#.to_owned(),
    ]);
}

#[test]
fn a_database_of_hermes_has_the_lines_of_its_files() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("state.db");
    database(
        &file,
        r#"
        CREATE TABLE sessions (id TEXT, source TEXT, model TEXT, system_prompt TEXT, started_at REAL, title TEXT);
        CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, timestamp REAL);
        INSERT INTO sessions VALUES ('h1', 'cli', 'minimax', 'You are an agent.', 1767258000.5, 'Footer');
        INSERT INTO messages VALUES (1, 'h1', 'user', char(0) || 'json:[{"type":"text","text":"Fix it."}]', NULL, NULL, 1767258001.5);
        INSERT INTO messages VALUES (2, 'h1', 'assistant', '', NULL, '[{"id":"k"}]', 1767258002);"#,
    );
    let [session] = &sessions_of(&file, 1_767_258_002_000.0)[..] else {
        panic!("one session")
    };
    assert_eq!(
        lines_of(session),
        [
            r#"{"id":"h1","source":"cli","model":"minimax","started_at":1767258000.5,"title":"Footer","role":"session_meta","platform":"cli","timestamp":1767258000.5}"#,
            r#"{"role":"user","timestamp":1767258001.5,"content":[{"type":"text","text":"Fix it."}]}"#,
            r#"{"role":"assistant","timestamp":1767258002,"content":"","tool_calls":[{"id":"k"}]}"#,
        ]
    );
}

#[test]
fn other_databases_and_other_files_are_none_of_an_agents() {
    let root = tempfile::tempdir().expect("a folder");
    let other = root.path().join("other.db");
    database(&other, "CREATE TABLE sessions (id TEXT)");
    assert!(Database::recognised(&other).is_none());
    let why = Database::open(&other).expect_err("of no agent").why;
    assert_eq!(
        why,
        "is an SQLite database of no agent that turnkeeper knows"
    );
    let broken = root.path().join("broken.db");
    let mut bytes = vec![0; 4_096];
    bytes[..HEADER.len()].copy_from_slice(HEADER);
    std::fs::write(&broken, bytes).expect("written");
    assert!(Database::recognised(&broken).is_none());
    std::fs::write(&broken, "[]").expect("written");
    assert!(Database::recognised(&broken).is_none());
    assert!(Database::recognised(root.path()).is_none());
}

#[test]
fn views_without_end_other_tables_and_names_that_are_no_text_are_no_agents() {
    let root = tempfile::tempdir().expect("a folder");
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let session = "CREATE TABLE session (id TEXT, title TEXT, directory TEXT, version TEXT, time_created INT, time_updated INT);
        INSERT INTO session VALUES ('s1', '', '', '', 0, 0);";
    let message = "CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);";
    let part = "CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);";
    for (name, statements) in [
        ("sessions", format!("CREATE VIEW session AS {endless} SELECT i AS id, '' AS title, '' AS directory, '' AS version,
            0 AS time_created, 0 AS time_updated FROM n; {message} {part}")),
        ("messages", format!("{session} {part} CREATE VIEW message AS {endless} SELECT i AS id, 's1' AS session_id, '{{}}' AS data FROM n;")),
        ("parts", format!("{session} {message} CREATE VIEW Part AS {endless} SELECT i AS id, 'm' AS message_id, '{{}}' AS data FROM n;")),
    ] {
        let file = root.path().join(format!("{name}.db"));
        database(&file, &statements).close().expect("closed");
        assert!(Database::open(&file).is_err(), "{name}");
    }
    let file = root.path().join("names.db");
    database(&file, OPENCODE).close().expect("closed");
    assert_eq!(sessions_of(&file, 0.0).len(), 1);
    // A name of the same length, which is no UTF-8.
    let bytes = fs::read(&file).expect("there");
    let at = bytes
        .windows(12)
        .position(|it| it == b"time_created")
        .expect("a name");
    let broken = [&bytes[..at], b"time_cre\xffted", &bytes[at + 12..]].concat();
    fs::write(&file, broken).expect("written");
    let why = Database::open(&file).expect_err("refused").to_string();
    assert!(why.ends_with("of no agent that turnkeeper knows"), "{why}");
}

#[test]
fn no_query_goes_on_for_ever() {
    let root = tempfile::tempdir().expect("a folder");
    let file = root.path().join("a.db");
    database(&file, OPENCODE).close().expect("closed");
    let connection = connect(&file, &Access::Immutable).expect("opened");
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let ended = connection.query_row(endless, [], |_| Ok(()));
    assert!(ended.is_err_and(|it| it.to_string() == "interrupted"));
}
