//! Notes for the ledger of a session. Hooks write them as lines; after a compaction the ledger reads them and makes a
//! text of them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use turnkeeper_base::json::{Json, parse, written};
use turnkeeper_summary_injector::{LedgerEvent, WorkLedger};

use super::event::{FinishedCall, Happening};
use super::prompts::{first_units, last_units, units, words_of};

/// Longer notes are replaced by a snapshot of the ledger that they make.
pub(crate) const MOST_BYTES: u64 = 1_000_000;

/// The most of arguments and results that the ledger needs, in UTF-16 code units.
const LONGEST_ARGUMENT: usize = 2_000;
const LONGEST_RESULT: usize = 800;
/// The longest text of a ledger.
const LONGEST_TEXT: usize = 6_000;

/// The notes for the ledger about what happened.
pub(crate) fn notes_of<'a>(happened: &'a Happening) -> Vec<Json<'a>> {
    match happened {
        Happening::Prompt { text } => {
            let words = words_of(text.as_deref()).filter(|words| !words.is_empty());
            let note = |words| {
                let text = first_units(words, LONGEST_ARGUMENT);
                Json::object([("type", "prompt".into()), ("text", text.into())])
            };
            words.map(note).into_iter().collect()
        }
        Happening::Results(results) => results.calls.iter().flat_map(notes_of_call).collect(),
        _ => vec![],
    }
}

fn notes_of_call<'a>(call: &'a FinishedCall) -> [Json<'a>; 2] {
    let some = |fields: Vec<(&'a str, Option<Json<'a>>)>| {
        let fields = fields.into_iter();
        let there = fields.filter_map(|(name, value)| Some((name.into(), value?)));
        Json::Object(there.collect())
    };
    let id = || call.id.as_deref().map(Json::from);
    let asked = some(vec![
        ("type", Some("tool_call".into())),
        ("name", Some((&*call.name).into())),
        ("args", Some(shortened(&call.args, 0))),
        ("id", id()),
    ]);
    let answered = some(vec![
        ("type", Some("tool_result".into())),
        ("output", Some(ends(&call.output))),
        ("id", id()),
        ("isError", call.is_error.map(Json::from)),
        (
            "exitCode",
            call.exit_code.map(|code| Json::Number(code as f64)),
        ),
    ]);
    [asked, answered]
}

fn ends(text: &str) -> Json<'_> {
    if units(text) <= 2 * LONGEST_RESULT {
        return text.into();
    }
    let first = first_units(text, LONGEST_RESULT);
    let last = last_units(text, LONGEST_RESULT);
    format!("{first}\n…\n{last}").into()
}

const DEEPEST: usize = 4;
const MOST_ITEMS: usize = 20;

/// Arguments with their long texts cut.
fn shortened<'a>(value: &'a Json, depth: usize) -> Json<'a> {
    match value {
        Json::Text(text) => short_text(text),
        Json::List(_) | Json::Object(_) if depth == DEEPEST => Json::Null,
        Json::List(items) => {
            let items = items.iter().take(MOST_ITEMS);
            Json::List(items.map(|item| shortened(item, depth + 1)).collect())
        }
        Json::Object(fields) => {
            let fields = fields.iter().take(MOST_ITEMS);
            let short = |(name, value): &'a (_, _)| {
                let name: &std::borrow::Cow<str> = name;
                ((&**name).into(), shortened(value, depth + 1))
            };
            Json::Object(fields.map(short).collect())
        }
        value => value.clone(),
    }
}

/// Both ends of a long text and its length, since texts that differ in the middle are no equals; of a patch, what
/// names its files.
fn short_text(text: &str) -> Json<'_> {
    let length = units(text);
    if length <= LONGEST_ARGUMENT {
        return text.into();
    }
    if text.starts_with("*** Begin Patch") {
        let names = text.split('\n').filter(|line| line.starts_with("*** "));
        let names = names.collect::<Vec<_>>().join("\n");
        return first_units(&names, LONGEST_ARGUMENT).to_owned().into();
    }
    let first = first_units(text, LONGEST_ARGUMENT / 2);
    let last = last_units(text, LONGEST_ARGUMENT / 2);
    format!("{first}…{length}…{last}").into()
}

/// The lines for what happened.
pub(crate) fn lines_of(happened: &Happening) -> String {
    notes_of(happened).iter().map(line_of).collect()
}

fn line_of(note: &Json) -> String {
    let mut line = written(note);
    line.push('\n');
    line
}

/// A line that stands for all before.
pub(crate) fn snapshot_line(notes: &[u8]) -> String {
    let bytes = BASE64_STANDARD.encode(ledger_of(notes).snapshot());
    line_of(&Json::object([
        ("type", "snapshot".into()),
        ("bytes", bytes.into()),
    ]))
}

/// The ledger that notes make, as facts; `None` if there is nothing to tell.
pub(crate) fn ledger_text(notes: &[u8]) -> Option<String> {
    text_of(&ledger_of(notes))
}

/// The same of a ledger.
pub(crate) fn text_of(ledger: &WorkLedger) -> Option<String> {
    let text = ledger.text(LONGEST_TEXT);
    (!text.is_empty()).then_some(text)
}

fn ledger_of(notes: &[u8]) -> WorkLedger {
    let mut ledger = WorkLedger::new();
    for line in notes.split(|byte| *byte == b'\n') {
        // A line may be cut, if the disk was full.
        if let Ok(note) = parse(line, &mut Vec::new()) {
            tell(&mut ledger, &note);
        }
    }
    ledger
}

/// Shows the ledger a note.
pub(crate) fn tell(ledger: &mut WorkLedger, note: &Json) {
    let text = |name| note.get(name).and_then(Json::as_text);
    match text("type") {
        Some("prompt") => ledger.prompt(text("text").unwrap_or_default()),
        Some("snapshot") => {
            let bytes = BASE64_STANDARD.decode(text("bytes").unwrap_or_default());
            if let Some(saved) = bytes.ok().and_then(|it| WorkLedger::restore(&it).ok()) {
                *ledger = saved;
            }
        }
        _ => {
            if let Ok(event) = serde_json::from_value::<LedgerEvent>(note.to_value()) {
                ledger.observe(&event);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Results;

    fn results(command: &str, output: &str) -> Happening<'static> {
        let call = FinishedCall {
            id: None,
            name: "Bash".into(),
            args: Json::object([("command", command.to_owned().into())]),
            output: output.to_owned().into(),
            is_error: None,
            exit_code: Some(0),
        };
        Happening::Results(Results {
            calls: vec![call],
            ..Results::default()
        })
    }

    #[test]
    fn notes_make_the_same_ledger_by_lines_and_by_a_snapshot_of_them() {
        let lines = lines_of(&results("make", "done")) + &lines_of(&results("ls", "a.rs"));
        let text = ledger_text(lines.as_bytes()).expect("something to tell");
        assert!(text.contains("make") && text.contains("a.rs"), "{text}");
        let snapshot = snapshot_line(format!("{lines}{{\"cut").as_bytes());
        assert_eq!(ledger_text(snapshot.as_bytes()), Some(text));
        assert_eq!(ledger_text(b"\xff\n{}\n"), None);
    }

    #[test]
    fn long_texts_keep_their_ends_and_a_patch_its_files() {
        let long = format!("{}{}", "a".repeat(3_000), "é".repeat(3_000));
        let note = lines_of(&results(&long, &long));
        assert!(note.contains("a…6000…é") && note.len() < 8_000, "{note}");
        let part = |name| format!("*** Update File: {name}\n{}", "+line\n".repeat(400));
        let patch = format!(
            "*** Begin Patch\n{}{}*** End Patch",
            part("a.rs"),
            part("b.rs")
        );
        let note = lines_of(&results(&patch, ""));
        assert!(
            note.contains("*** Update File: b.rs") && !note.contains("+line"),
            "{note}"
        );
    }
}
