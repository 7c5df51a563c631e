//! Sessions as the page hands them over.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use turnkeeper_agents::sessions::{Piece, SessionReader};
use turnkeeper_base::json::written;
use turnkeeper_history_deduper::DedupeOptions;

use super::{FolderAudit, Judgement, PageRepair, PageSession, Wanted};
use crate::prices::Prices;
use crate::profile::Profile;
use crate::repair::{Repair, Rewriting};
use crate::session::{Audit, AuditSettings, SessionAudit};

/// The names and the bytes of sessions of every format.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/saved");
    let files = fs::read_dir(folder).expect("the fixtures");
    let mut all: Vec<_> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("bytes"))
        })
        .collect();
    all.sort();
    assert!(all.len() > 20, "{}", all.len());
    all
}

fn opened(name: &str, bytes: &[u8]) -> (PageSession, Value) {
    let mut session = PageSession::new(name);
    for chunk in bytes.chunks(1_000) {
        assert!(session.push(chunk), "{name}");
    }
    let read = session.end();
    let read = read.unwrap_or_else(|refused| panic!("{name} {}", refused.message));
    (session, parsed(&read))
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("JSON")
}

fn judged(session: &PageSession, rules: &Value, slice: usize) -> (Judgement, Value) {
    let judgement = session.judge(&rules.to_string()).expect("rules");
    let mut judgement = judgement.expect("a session that was read");
    assert!(judgement.result().is_none());
    while judgement.go(slice) < 1.0 {}
    let result = judgement.result().expect("all is done");
    (judgement, parsed(&result))
}

/// The program's answer on a file.
fn audited(name: &str, bytes: &[u8]) -> Value {
    let settings = AuditSettings {
        rules: Profile::default().rules(),
        model: None,
        prices: Prices::listed(),
    };
    let mut audit = SessionAudit::new(name, &settings).expect("rules");
    let mut reader = SessionReader::new(name);
    let mut take = |piece: &Piece| {
        if let Some(record) = &piece.record {
            audit.take(record);
        }
        if piece.problem.is_some() {
            audit.lost();
        }
    };
    reader.push(bytes, &mut take).expect("a session");
    reader.end(&mut take).expect("a session");
    let session = audit.end(reader.format()).expect("events");
    parsed(&written(&session.report))
}

#[test]
fn a_session_has_the_numbers_that_the_program_says() {
    let rules = json!({ "profile": "adaptive" });
    for (name, bytes) in fixtures() {
        let (session, read) = opened(&name, &bytes);
        let (_, whole) = judged(&session, &rules, usize::MAX);
        let expected = audited(&name, &bytes);
        assert_eq!(read["format"], expected["format"], "{name}");
        assert_eq!(whole["report"], expected, "{name}");
        let (_, sliced) = judged(&session, &rules, 1);
        assert_eq!(sliced, whole, "{name}");
    }
}

#[test]
fn the_list_has_a_row_for_each_call_and_texts_that_can_be_read() {
    for (name, bytes) in fixtures() {
        let (session, _) = opened(&name, &bytes);
        let (judgement, result) = judged(&session, &json!({ "profile": "standard" }), 7);
        let count = usize::try_from(result["rows"].as_u64().expect("a number")).expect("few");
        let rows = parsed(&judgement.rows(0, usize::MAX));
        let rows = rows.as_array().expect("rows");
        assert_eq!(rows.len(), count, "{name}");
        let calls: Vec<u64> = rows.iter().filter_map(|row| row["call"].as_u64()).collect();
        assert!(calls.iter().copied().eq(0..calls.len() as u64), "{name}");
        for (at, row) in rows.iter().enumerate() {
            let whole = parsed(&judgement.row(at).expect("a row"));
            assert_eq!(whole["excerpt"], row["excerpt"], "{name}");
            let excerpt = row["excerpt"].as_str().expect("a text");
            assert!(excerpt.encode_utf16().count() <= 201, "{name}");
            if let Some(call) = row["call"].as_u64() {
                let call = u32::try_from(call).expect("few");
                assert_eq!(judgement.row_of_call(call), at, "{name}");
                assert_eq!(whole["lastCall"], row["call"], "{name}");
            }
        }
        assert_eq!(judgement.row(count), None);
        assert_eq!(judgement.rows(count, 5), "[]");
    }
}

#[test]
fn the_tools_have_all_calls_and_the_tokens_of_all_calls_and_results() {
    for (name, bytes) in fixtures() {
        let (session, _) = opened(&name, &bytes);
        let (_, judged) = judged(&session, &json!({ "profile": "adaptive" }), 7);
        let tools = judged["tools"].as_array().expect("a list");
        let of = |field: &str| -> Vec<u64> {
            let numbers = tools.iter().map(|tool| tool[field].as_u64());
            numbers.map(|number| number.expect("a number")).collect()
        };
        assert_eq!(
            of("calls").iter().sum::<u64>(),
            judged["report"]["calls"],
            "{name}: {tools:?}"
        );
        assert!(
            of("tokens").is_sorted_by(|more, less| more >= less),
            "{name}"
        );
        let tokens = &judged["report"]["tokens"];
        let both = ["calls", "results"].map(|kind| tokens[kind].as_u64().expect("a number"));
        // Results of calls that the file does not have are no tool's, and each tool's are rounded.
        assert!(
            of("tokens").iter().sum::<u64>() <= both.iter().sum::<u64>() + tools.len() as u64,
            "{name}"
        );
    }
}

#[test]
fn a_result_is_of_its_call_and_failed_calls_are_counted() {
    let event = |id: &str, fields: &str| format!(r#"{{"id":"{id}",{fields}}}"#);
    let lines = [
        event(
            "1",
            r#""type":"tool_call","name":"read","args":{"path":"a"}"#,
        ),
        event(
            "2",
            r#""type":"tool_call","name":"sh","args":{"command":"make"}"#,
        ),
        event(
            "1",
            &format!(r#""type":"tool_result","output":"{}""#, "x".repeat(400)),
        ),
        event(
            "2",
            r#""type":"tool_result","output":"no rule","exitCode":2"#,
        ),
        r#"{"type":"tool_call","name":"sh","args":{"command":"ls"}}"#.to_owned(),
        r#"{"type":"tool_result","output":"denied","isError":true}"#.to_owned(),
    ];
    let (session, _) = opened("e.jsonl", format!("{}\n", lines.join("\n")).as_bytes());
    let (judgement, judged) = judged(&session, &json!({ "profile": "adaptive" }), 7);
    let tools: Vec<Vec<&Value>> = judged["tools"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            ["tool", "calls", "failed", "firstCall"]
                .map(|field| &it[field])
                .to_vec()
        })
        .collect();
    assert_eq!(json!(tools), json!([["read", 1, 0, 0], ["sh", 2, 2, 1]]));
    let rows = parsed(&judgement.rows(0, 10));
    let labels = ["call", "call", "result", "error", "call", "error"];
    let rows = rows.as_array().expect("rows");
    assert!(rows.iter().map(|row| &row["label"]).eq(labels.iter()));
}

#[test]
fn words_are_found_from_row_to_row_and_round() {
    let lines = [
        r#"{"type":"text","text":"Let me "}"#,
        r#"{"type":"text","text":"LOOK."}"#,
        &call(1),
        r#"{"type":"tool_result","output":"It looks fine.","isError":true}"#,
    ];
    let (session, _) = opened("e.jsonl", format!("{}\n", lines.join("\n")).as_bytes());
    let (judgement, _) = judged(&session, &json!({ "profile": "adaptive" }), 7);
    assert_eq!(judgement.find("look", 0), Some(2));
    assert_eq!(judgement.find("look", 2), Some(0));
    assert_eq!(judgement.find("error", usize::MAX), Some(2));
    assert_eq!(judgement.find("nowhere", 0), None);
}

fn call(n: u32) -> String {
    format!(r#"{{"type":"tool_call","name":"read","args":{{"n":{n}}}}}"#)
}

const RESULT: &str = r#"{"type":"tool_result","output":"same"}"#;

#[test]
fn pieces_of_a_text_are_a_row_and_calls_have_the_run_of_their_result() {
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let mut lines = vec![text("Let me "), text("look.")];
    for _ in 0..6 {
        lines.extend([call(1), RESULT.to_owned()]);
    }
    lines.push(text("Done."));
    let (session, _) = opened("a.jsonl", lines.join("\n").as_bytes());
    let (judgement, result) = judged(&session, &json!({ "profile": "adaptive" }), 4);
    let rows = parsed(&judgement.rows(0, 100));
    assert_eq!(rows.as_array().map(Vec::len), Some(14));
    assert_eq!(rows[0]["excerpt"], "Let me look.");
    assert_eq!(rows[0]["pieces"], 2);
    let stop = &result["play"]["marks"][1];
    assert_eq!(
        (&stop["action"], &stop["call"]),
        (&json!("stop"), &json!(4))
    );
    let at = judgement.row_of_call(4);
    assert_eq!(rows[at]["run"], json!({ "count": 5, "threshold": 5 }));
    assert_eq!(rows[at + 1]["action"], "stop");
    assert_eq!(rows[at + 1]["saved"], false);
    assert_eq!(rows[at + 2]["saved"], true);
    assert_eq!(rows[13]["saved"], true);
    let last = parsed(&judgement.row(13).expect("a row"));
    assert_eq!(last["lastCall"], 5);
    let stopped = parsed(&judgement.row(at + 1).expect("a row"));
    assert_eq!(stopped["lastAction"], "stop");
}

#[test]
fn rules_that_are_out_of_range_are_named_and_thresholds_change_what_is_found() {
    let lines: Vec<String> = (0..4).flat_map(|_| [call(1), RESULT.to_owned()]).collect();
    let (session, _) = opened("a.jsonl", lines.join("\n").as_bytes());
    let wrong = session.judge(r#"{"profile":"standard","identicalCalls":0}"#);
    let wrong = wrong.expect_err("a threshold of 0");
    assert_eq!(wrong.field(), Some("identicalCalls"));
    let found = |rules: Value| {
        judged(&session, &rules, 3).1["play"]["marks"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!(found(json!({ "profile": "standard" })), Some(0));
    assert_eq!(
        found(json!({ "profile": "standard", "identicalCalls": 4 })),
        Some(1)
    );
    // Another agent's rules have no thresholds of the page's.
    assert!(session.judge(r#"{"profile":"roo"}"#).is_ok());
}

#[test]
fn a_profile_alone_says_what_it_says_in_a_judgement() {
    let lines: Vec<String> = (0..6).flat_map(|_| [call(1), RESULT.to_owned()]).collect();
    let (session, _) = opened("a.jsonl", lines.join("\n").as_bytes());
    for profile in Profile::ALL {
        let mut play = session.compare(profile.name()).expect("a profile");
        while play.go(2) < 1.0 {}
        let (_, judged) = judged(&session, &json!({ "profile": profile.name() }), 5);
        assert_eq!(parsed(&play.result().expect("done")), judged["play"]);
    }
    assert!(session.compare("of next year").is_none());
}

#[test]
fn another_model_answers_where_a_prompt_names_one() {
    let start = r#"{"type":"prompt_started","promptId":"p","model":"gemini-3-pro-preview"}"#;
    let mut lines = vec![start.to_owned()];
    lines.extend((0..12).flat_map(|n| [call(n), RESULT.replace("same", &n.to_string())]));
    let (session, _) = opened("a.jsonl", lines.join("\n").as_bytes());
    let marks = |rules: Value| {
        judged(&session, &rules, 3).1["play"]["marks"]
            .as_array()
            .map(Vec::len)
    };
    let preview = marks(json!({ "profile": "standard" }));
    assert!(
        preview > Some(0),
        "a preview model reads one file after another"
    );
    let other = json!({ "profile": "standard", "model": "gemini-2.0-flash" });
    assert_eq!(marks(other), Some(0));
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_shown() {
    let text = format!("{}\nno JSON\n{}\n", call(1), call(2));
    let (session, read) = opened("a.jsonl", text.as_bytes());
    let problem = &read["problem"];
    assert_eq!(
        (&problem["line"], &problem["count"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(problem["isRest"], false);
    let (_, result) = judged(&session, &json!({ "profile": "adaptive" }), 1);
    assert_eq!(result["report"]["calls"], 2);
    assert_eq!(result["report"]["unread"], 1);
    let (_, read) = opened("a.jsonl", format!("{}\n{{\"type\"", call(1)).as_bytes());
    assert_eq!(read["problem"]["line"], 2);
    assert_eq!(read["problem"]["isRest"], true);
}

#[test]
fn a_file_that_is_no_session_is_refused() {
    for (bytes, expected, line) in [
        (&b""[..], "has no events", None),
        (b"\x1f\x8b\x08\0\0", "is a binary file", Some(1)),
        (br#"{"name":"x"}"#, "name", None),
    ] {
        let mut session = PageSession::new("a.json");
        session.push(bytes);
        let refused = session.end().expect_err("no session");
        assert!(refused.message.contains(expected), "{}", refused.message);
        assert_eq!(refused.line, line);
        assert!(session.compare("roo").is_none());
    }
}

#[test]
fn a_saved_page_has_the_numbers_and_no_text_that_was_not_asked_for() {
    let call = json!({"type": "tool_call", "name": "read", "args": {"path": "secret.txt"}});
    let result = json!({"type": "tool_result", "output": "secret"});
    let events = format!("{call}\n{result}\n").repeat(12);
    let (session, _) = opened("secret.jsonl", events.as_bytes());
    let (judgement, _) = judged(&session, &json!({"profile": "adaptive"}), 100);
    let page = |has_texts| judgement.page("en", has_texts, 0.0).expect("all is done");
    assert!(page(true).contains("secret"));
    assert!(!page(false).contains("secret"));
    for part in ["1 session", "calls 1 to", "loop-stop", "</html>"] {
        assert!(page(false).contains(part), "{part}");
    }
}

#[test]
fn a_folder_is_the_sum_of_its_sessions() {
    let files = fixtures();
    let history = |name: &str| {
        let found = files.iter().find(|(file, _)| file.contains(name));
        found.unwrap_or_else(|| panic!("no {name}")).1.clone()
    };
    let cline = history("cline-history");
    let claude = history("claude-code");
    let paths = [
        ("sub/api_conversation_history.json", cline.clone()),
        ("sub/ui_messages.json", cline),
        ("claude.jsonl", claude.clone()),
        ("settings.json", b"{}".to_vec()),
    ];
    let names = paths.iter().map(|(name, _)| (*name).to_owned());
    let mut folder = FolderAudit::new(names.collect());
    for (name, bytes) in &paths {
        if folder.file(name) {
            folder.push(bytes);
            folder.end();
        }
    }
    let result = parsed(&folder.result());
    assert_eq!(result["skipped"], 2);
    assert_eq!(result["total"]["sessions"], 2);
    let rows = result["sessions"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["file"] == "claude.jsonl");
    let row = row.expect("the session");
    let expected = audited("claude.jsonl", &claude);
    assert_eq!(row["calls"], expected["calls"]);
    assert_eq!(row["usage"], expected["usage"]);
    assert_eq!(row["agent"], "Claude Code");
}

#[test]
fn a_history_is_compared_with_what_the_repair_leaves() {
    for (name, bytes) in fixtures() {
        for options in [json!({}), json!({ "economy": "resume" })] {
            compare_repair(&name, &bytes, &options);
        }
    }
}

fn compare_repair(name: &str, bytes: &[u8], options: &Value) {
    let dedupe = || DedupeOptions::from_json(&options.to_string()).expect("options");
    let run = |wanted| {
        let mut repair = PageRepair::new(name, dedupe(), wanted).expect("options");
        bytes.chunks(777).for_each(|chunk| {
            repair.read(chunk);
        });
        repair.decide();
        bytes.chunks(900).for_each(|chunk| repair.repair(chunk));
        repair.end();
        repair
    };
    let mut repair = Repair::new(dedupe()).expect("options");
    let mut reader = SessionReader::new(name);
    let mut take = |piece: &Piece| repair.take(piece);
    reader.push(bytes, &mut take).expect("a session");
    reader.end(&mut take).expect("a session");
    let (totals, plan) = repair.end();
    let mut rewriting = Rewriting::new(&plan, reader.unit() == "line");
    let mut expected = Vec::new();
    let mut reader = SessionReader::new(name);
    let mut take = |piece: &Piece| rewriting.take(piece, &mut expected);
    reader.push(bytes, &mut take).expect("a session");
    reader.end(&mut take).expect("a session");
    rewriting.end(&mut expected);
    assert!(run(Wanted::Bytes).bytes() == expected, "{name}");

    let page = run(Wanted::Blocks);
    let Some(judged) = page.judged() else {
        assert_eq!(totals.messages, 0, "{name}");
        return;
    };
    let judged = parsed(&judged);
    assert_eq!(judged["messages"], totals.messages, "{name}");
    assert_eq!(judged["messagesChanged"], totals.messages_changed, "{name}");
    assert_eq!(judged["tokensSaved"], totals.tokens_removed, "{name}");
    let rows = parsed(&page.rows(0, usize::MAX));
    let rows = rows.as_array().expect("rows");
    let tokens = |fate: &str| -> u64 {
        let rows = rows.iter().filter(|row| row["fate"] == fate);
        rows.filter_map(|row| row["tokens"].as_u64()).sum()
    };
    let total = |when: &str| judged[when]["total"].as_u64().expect("a number");
    let (before, after) = (
        tokens("kept") + tokens("removed"),
        tokens("kept") + tokens("new"),
    );
    // A sum that is rounded once is below the sum of what is rounded for each row.
    let is_near = |total: u64, sum: u64| total <= sum && sum - total <= rows.len() as u64;
    assert!(is_near(total("before"), before), "{name}");
    assert!(is_near(total("after"), after), "{name}");
    what_is_shown_adds_up(&judged, totals.kinds.is_some(), name);
    let strip = judged["strip"].as_array().expect("pieces").iter();
    let all: u64 = strip.filter_map(|piece| piece["tokens"].as_u64()).sum();
    assert_eq!(
        all,
        tokens("kept") + tokens("removed") + tokens("new"),
        "{name}"
    );
}

fn what_is_shown_adds_up(judged: &Value, has_kinds: bool, name: &str) {
    let saved = judged["tokensSaved"].as_u64().expect("a number");
    let sum_of = |when: &str| -> u64 {
        let kinds = judged[when].as_object().expect("kinds").iter();
        let kinds = kinds.filter(|(kind, _)| *kind != "total");
        kinds.filter_map(|(_, tokens)| tokens.as_u64()).sum()
    };
    for when in ["before", "after"] {
        assert_eq!(sum_of(when), judged[when]["total"], "{when}, {name}");
    }
    assert_eq!(sum_of("before"), sum_of("after") + saved, "{name}");
    let gone = judged["gone"].as_array().expect("kinds").iter();
    let gone: u64 = gone.filter_map(|gone| gone["tokens"].as_u64()).sum();
    assert_eq!(gone, if has_kinds { saved } else { 0 }, "{name}");
}
