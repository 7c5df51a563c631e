use turnkeeper_base::json::written;

use super::*;
use crate::sessions::detect_format;

/// The outcome of a file: each piece's bytes, and for a record its place and its events, or what is wrong.
#[derive(Debug, Default, PartialEq)]
struct Read {
    bytes: Vec<u8>,
    said: Vec<String>,
    error: Option<InputError>,
    format: Option<&'static str>,
}

fn read(file: impl AsRef<[u8]>) -> Read {
    read_in(file.as_ref(), usize::MAX)
}

/// A file as it is read in chunks of this size.
fn read_in(file: &[u8], size: usize) -> Read {
    let mut reader = SessionReader::new("a");
    let mut read = Read::default();
    let Read { bytes, said, .. } = &mut read;
    let mut take = |piece: &Piece| {
        bytes.extend_from_slice(piece.bytes);
        if let Some(record) = &piece.record {
            said.push(format!("{}: {} events", record.place, record.items.len()));
        }
        if let Some(problem) = &piece.problem {
            said.push(format!("{}: {}", problem.place, problem.reason));
        }
    };
    let mut chunks = file.chunks(size);
    let pushed = chunks.try_for_each(|chunk| reader.push(chunk, &mut take));
    let result = pushed.and_then(|()| reader.end(&mut take));
    read.error = result.err();
    read.format = reader.format().map(Format::name);
    read
}

const USER: &str = r#"{"role":"user","content":"Go on."}"#;
const MODEL: &str = r#"{"role":"assistant","content":"Done."}"#;

#[test]
fn a_bad_line_costs_itself_alone() {
    let cut = r#"{"role":"user","content":"Go"#;
    let nul = "\0".repeat(20);
    for (what, line, said) in [
        ("nothing", String::new(), None),
        (
            "a line that is cut",
            cut.to_owned(),
            Some("2: is not JSON (EOF while parsing a string)"),
        ),
        ("NULs", nul.clone(), Some("2: has a run of NULs")),
        (
            "no object",
            "7".to_owned(),
            Some("2: is not an event: a JSON object with a type is needed"),
        ),
        (
            "a message without a role",
            "{}".to_owned(),
            Some("2: is no message: it has no role"),
        ),
    ] {
        let file = format!("{USER}\n{line}\n{MODEL}\n");
        let said = ["1: 1 events"]
            .into_iter()
            .chain(said)
            .chain(["3: 2 events"]);
        let found = read(&file);
        assert_eq!(found.said, said.collect::<Vec<_>>(), "{what}");
        assert_eq!(found.bytes, file.as_bytes(), "{what}");
        assert_eq!(
            (found.error, found.format),
            (None, Some("messages")),
            "{what}"
        );
    }
    let bytes = [
        USER.as_bytes(),
        b"\n{\"role\":\"user\",\"content\":\"\xff\"}\n",
    ]
    .concat();
    assert_eq!(read(&bytes).said, ["1: 1 events", "2: is not UTF-8 text"]);
}

#[test]
fn chunks_decide_nothing_of_how_a_file_is_built() {
    let long = |length: usize| "o".repeat(length);
    let object = format!(r#"{{"title":"{}","messages":[{USER}]}}"#, long(4_096));
    let object = object.replacen(&long(4_096), &long(2 * 4_096 - object.len()), 1);
    assert_eq!(object.len(), 4_096);
    for file in [
        // A sign that is white space may be cut.
        format!("{object}\u{3000}\n"),
        format!("{object}\n{object}\n"),
        format!("\0\u{feff}[{object}]"),
        format!("{USER}\n{MODEL}\n").repeat(100),
        format!("{{\u{3000}\n{}", &object[1..]),
    ] {
        let whole = read(&file);
        for size in [1, 7, 4_095, 4_096, 4_097] {
            assert_eq!(read_in(file.as_bytes(), size), whole, "{size}: {file}");
        }
    }
}

#[test]
fn records_on_one_line_are_all_read() {
    let cut = r#"{"role":"user","content":"Go"#;
    let nul = "\0".repeat(20);
    for (line, said) in [
        (
            format!("{USER}{MODEL}"),
            &["1: 1 events", "1: 2 events"][..],
        ),
        (
            format!("{cut}{MODEL}"),
            &[
                "1: is not JSON (expected `,` or `}` at `role\":\"assistant\",\"conte…`)",
                "1: 2 events",
            ],
        ),
        (
            format!("{nul}{MODEL}"),
            &["1: has a run of NULs", "1: 2 events"],
        ),
    ] {
        let found = read(format!("{line}\n"));
        assert_eq!(found.said, said);
        assert_eq!(found.bytes, format!("{line}\n").as_bytes());
    }
}

#[test]
fn numbers_are_read_to_the_last_bit() {
    let numbers = [
        116.32963333333333_f64,
        0.1 + 0.2,
        5e-324,
        1.7976931348623157e308,
    ];
    for number in numbers {
        let line = format!(r#"{{"type":"tool_call","name":"a","args":{number:e}}}"#);
        let mut reader = SessionReader::new("a");
        let mut read = None;
        let mut take = |piece: &Piece| {
            let items = piece.record.iter().flat_map(|record| &record.items);
            read = items
                .map(|item| written(&item.event))
                .next()
                .or(read.take());
        };
        reader.push(line.as_bytes(), &mut take).expect("events");
        reader.end(&mut take).expect("events");
        let args = written(&number);
        assert_eq!(
            read,
            Some(format!(
                r#"{{"type":"tool_call","name":"a","args":{args}}}"#
            ))
        );
    }
}

#[test]
fn the_last_line_may_be_cut_off() {
    for (file, is_cut_off) in [
        (format!("{USER}\n{{\"role"), true),
        (format!("{USER}\n{{\"role\n"), false),
        (format!("[{USER},{{\"role"), false),
    ] {
        let mut reader = SessionReader::new("a");
        reader
            .push(file.as_bytes(), &mut |_| {})
            .expect("a session");
        reader.end(&mut |_| {}).expect("a session");
        assert_eq!(reader.is_cut_off(2), is_cut_off, "{file}");
    }
}

#[test]
fn an_element_that_is_broken_is_skipped_where_its_end_is_found() {
    for (file, said) in [
        (
            format!(r#"[{USER},{{"role":}},{MODEL}]"#),
            &[
                "1: 1 events",
                "2: is not JSON (expected value at `}`)",
                "3: 2 events",
            ][..],
        ),
        (
            format!("[{USER},{USER}{MODEL},]"),
            &[
                "1: 1 events",
                "2: 1 events",
                "0: is not JSON: { is in the wrong place at element 2",
                "3: 2 events",
                "0: is not JSON: ] is in the wrong place at element 3",
            ],
        ),
        (
            format!("[{USER}] x"),
            &["1: 1 events", "0: has trailing content"],
        ),
        (
            format!(r#"{{"messages":[{USER},{{"role":"#),
            &["1: 1 events", "0: breaks off at element 2 of \"messages\""],
        ),
        (
            format!("[{USER},oops,{MODEL}]"),
            &[
                "1: 1 events",
                "2: is not JSON (expected value at `oops`)",
                "3: 2 events",
            ],
        ),
    ] {
        let found = read(&file);
        assert_eq!(found.said, said, "{file}");
        assert_eq!(found.bytes, file.as_bytes());
        assert_eq!(found.error, None);
    }
}

#[test]
fn a_file_of_which_nothing_can_be_read_is_an_error() {
    use InputFailure::{Broken, Empty, Unknown};
    let long = "o".repeat(300_000);
    let trajectory = format!(r#"{{"trajectory_id":"1","steps":[{{"observation":"{long}"}}]}}"#);
    for (file, kind, reason) in [
        ("[]", Empty, "a has no events"),
        (
            "{\"role\":",
            Broken,
            "a, line 1: is not JSON (EOF while parsing a value)",
        ),
        ("[{}", Broken, "a breaks off at element 1"),
        (
            "[1, 2]",
            Unknown,
            "a is in no format that turnkeeper reads: element 2 is a number",
        ),
        ("[1],2", Unknown, "a has trailing content"),
        (
            &format!("[1,\"{long}\"]\n[2]\n"),
            Unknown,
            "a is in no format that turnkeeper reads: each line is an array",
        ),
        (
            &format!(
                "{{\"messages\":[{{\"role\":\"user\",\"content\":\"{long}\"}}]}}\n{{\"messages\":[]}}"
            ),
            Unknown,
            "a is in no format that turnkeeper reads: each line is an object with \"messages\"",
        ),
        (
            "{{ name }}",
            Unknown,
            "a, line 1: is not JSON (key must be a string at `{ name }}`)",
        ),
        (
            "{\n // mine\n \"a\":1}",
            Unknown,
            "a is not JSON: / is in the wrong place at its beginning",
        ),
        (
            "[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\"}]}]",
            Broken,
            "a element 1: it has a tool call without a name",
        ),
        (
            "{\"a\":1}\nx",
            Unknown,
            "a is in no format that turnkeeper reads: line 1 is an object with \"a\"",
        ),
        (
            &format!("{trajectory}\n{trajectory}\n"),
            Unknown,
            "a is in no format that turnkeeper reads: each line is an object with \"trajectory_id\",\"steps\"",
        ),
    ] {
        let error = read(file).error.expect("an error");
        assert_eq!(
            (error.kind, &error.to_string()[..]),
            (kind, reason),
            "{}",
            &file[..file.len().min(60)]
        );
    }
}

#[test]
fn a_message_of_an_export_that_is_too_long_is_told() {
    let file = format!("**User:**\n\n{}", "all the same\n".repeat(100_000));
    let error = read(&file).error.expect("an error");
    assert_eq!(error.to_string(), "a element 1: it is longer than 128 MB");
    let found = read(format!("{file}\n---\n\n**Assistant:**\n\nDone.\n"));
    assert_eq!(found.said, ["1: is longer than 128 MB", "2: 2 events"]);
}

#[test]
fn a_later_line_may_say_whose_messages_they_are() {
    let message = |role: &str, time: u8| {
        format!(
            r#"{{"role":"{role}","content":"{{\"exit_code\":1}}","timestamp":"2026-09-01T10:00:0{time}","tool_call_id":"c"}}"#
        )
    };
    let meta = r#"{"role":"session_meta","model":"m","tools":[]}"#;
    let [user, tool] = [message("user", 1), message("tool", 2)];
    for lines in [
        [meta, &user, &tool],
        [&user, meta, &tool],
        [&user, &tool, meta],
    ] {
        let found = read(lines.join("\n"));
        assert_eq!(
            (found.format, found.error),
            (Some("hermes"), None),
            "{lines:?}"
        );
        assert_eq!(
            detect_format(lines.join("\n").as_bytes()),
            Some(Format::Hermes)
        );
    }
    // After many lines they are anybody's, and the line costs nothing.
    let found = read(format!(
        "{}{meta}\n{USER}\n",
        format!("{USER}\n").repeat(300)
    ));
    assert_eq!(found.format, Some("messages"));
    assert!(
        found.said.iter().all(|it| it.ends_with("events")),
        "{:?}",
        found.said.last()
    );
}

#[test]
fn a_record_that_comes_again_is_known() {
    let line = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"go"}}"#;
    let mut reader = SessionReader::new("a");
    let mut again = Vec::new();
    let mut take = |piece: &Piece| again.extend(piece.record.as_ref().map(|it| it.is_again));
    let file = format!("{line}\n{}\n{line}\n", line.replace("\"u\"", "\"v\""));
    reader.push(file.as_bytes(), &mut take).expect("a session");
    reader.end(&mut take).expect("a session");
    assert_eq!(again, [false, false, true]);
}

#[test]
fn a_session_whose_first_line_is_long_is_read() {
    let long = format!(r#"{{"role":"user","content":"{}"}}"#, "o".repeat(300_000));
    assert_eq!(
        read(format!("{long}\n{MODEL}")).said,
        ["1: 1 events", "2: 2 events"]
    );
}
