//! One session.

use std::path::Path;

use turnkeeper_agents::sessions::{Piece, SessionReader, Unreadable};
use turnkeeper_analysis::audited::AuditedSession;
use turnkeeper_analysis::session::{Audit, AuditSettings, SessionAudit};
use turnkeeper_analysis::usage_audit::UsageAudit;

use crate::find::Beside;
use crate::inputs::{Chunks, Input};
use crate::problem::{Kind, LeftOut, Problem, Result};

/// A session that was judged.
pub(super) struct Judged {
    pub(super) session: AuditedSession,
    /// The part of it that could not be read, and was left out.
    pub(super) problem: Option<Problem>,
}

/// What is asked of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    All,
    /// What its requests used: nothing is judged.
    Usage,
}

/// Reads a session and judges it. Where its usage alone is asked for and the texts are needed for it, it is read again.
pub(super) fn judge(
    input: &Input,
    settings: &AuditSettings,
    asked: Asked,
    chunks: &mut Chunks,
    beside: &Beside,
) -> Result<Judged> {
    let file = &input.file;
    let name = file.to_string_lossy();
    if asked == Asked::Usage && !input.is_standard_input() {
        let audit = UsageAudit::new(&name, settings);
        let looked = look(
            input,
            SessionReader::for_usage(&name),
            audit,
            chunks,
            beside,
        );
        if looked.is_ok() {
            return looked;
        }
    }
    let refused = |why| Problem::new(file, format!("cannot be judged: {why}"));
    let audit = SessionAudit::new(&name, settings).map_err(refused)?;
    look(input, SessionReader::new(&name), audit, chunks, beside)
}

fn look(
    input: &Input,
    mut reader: SessionReader,
    mut audit: impl Audit,
    chunks: &mut Chunks,
    beside: &Beside,
) -> Result<Judged> {
    let file = &input.file;
    let mut lost = LeftOut::default();
    let mut take = |piece: &Piece| {
        audit.take_piece(piece);
        if let Some(problem) = &piece.problem {
            lost.add(|| problem.clone());
        }
    };
    let parts = chunks.read(input, &mut |bytes| {
        reader.push(bytes, &mut take).map_err(Problem::from)
    })?;
    let ended = reader.end(&mut take).map_err(Problem::from);
    let format = reader.format();
    for _ in 0..parts.count {
        audit.lost();
    }
    // The part that was left out says why there is nothing.
    ended.map_err(|problem| parts.first.clone().unwrap_or(problem))?;
    if let Some(format) = format {
        for record in beside.records(input, format, chunks) {
            audit.take(&record);
        }
    }
    let told = match parts.first {
        Some(first) => Some(with_more(first, parts.count + lost.count)),
        None => told(lost, file, &reader),
    };
    let Some(mut session) = audit.end(format) else {
        let empty = || Problem::new(file, "has no events").of_kind(Kind::Empty);
        return Err(told.unwrap_or_else(empty));
    };
    let report = &mut session.report;
    report.session.id = input.row.as_ref().map(|row| row.session.clone());
    if let Some(agent) = input.agent {
        report.session.agent = Some(agent.to_owned());
    }
    // The system is asked only where the session itself does not say it.
    if session.times() == (None, None) {
        session.written = input.written();
    }
    Ok(Judged {
        session,
        problem: told,
    })
}

/// The first of the lines or elements that could not be read, and how many others there are.
fn told(lost: LeftOut<Unreadable>, file: &Path, reader: &SessionReader) -> Option<Problem> {
    let Unreadable { place, reason } = lost.first?;
    if lost.count == 1 && reader.is_cut_off(place) {
        let why = format!("is cut off, so only what came before it was judged: it {reason}");
        return Some(Problem::new(file, why).at_line(Some(place)));
    }
    let problem = Problem::at_place(file, place, &reason, reader);
    Some(with_more(problem, lost.count))
}

/// The problem of the first line, element or file that was left out, with the number of all.
fn with_more(problem: Problem, count: u32) -> Problem {
    let more = match count {
        0 | 1 => return problem,
        2 => "; 1 more was left out".to_owned(),
        _ => format!("; {} more were left out", count - 1),
    };
    Problem {
        why: problem.why + &more,
        ..problem
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use turnkeeper_analysis::prices::Prices;
    use turnkeeper_analysis::profile::Profile;
    use turnkeeper_analysis::report::SessionUsage;

    use super::*;
    use crate::progress::BytesRead;

    const CALL: &str = "{\"type\":\"tool_call\",\"name\":\"ls\",\"args\":{}}\n";

    fn judged(input: &Input) -> Result<Judged> {
        let settings = AuditSettings {
            rules: Profile::default().rules(),
            model: None,
            prices: Prices::listed(),
        };
        let mut chunks = Chunks::new(&BytesRead::default());
        judge(
            input,
            &settings,
            Asked::All,
            &mut chunks,
            &Beside::default(),
        )
    }

    /// The calls of a session, and what is told of it.
    fn told(name: &str, text: &str) -> (u64, Option<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(name);
        fs::write(&file, text).expect("written");
        let place = folder.path().to_string_lossy().into_owned() + "/";
        let words = |problem: &Problem| problem.to_string().replace(&place, "");
        match judged(&Input::found(file)) {
            Ok(found) => (
                found.session.report.counts.calls,
                found.problem.as_ref().map(words),
            ),
            Err(problem) => (0, Some(format!("{:?}: {}", problem.kind, words(&problem)))),
        }
    }

    fn starts(told: (u64, Option<String>), calls: u64, start: &str, end: &str) {
        let words = told.1.expect("something is told");
        assert_eq!(told.0, calls, "{words}");
        assert!(words.starts_with(start) && words.ends_with(end), "{words}");
    }

    #[test]
    fn a_broken_line_costs_itself_and_is_told() {
        assert_eq!(told("a.jsonl", &CALL.repeat(3)), (3, None));
        let broken = format!("{CALL}{{\"type\":\n{CALL}");
        starts(
            told("a.jsonl", &broken),
            2,
            "a.jsonl, line 2: is not JSON (",
            ")",
        );
        let more = "; 2 more were left out";
        starts(
            told("a.jsonl", &format!("{broken}{{\n{{\n")),
            2,
            "a.jsonl, line 2: is not JSON (",
            more,
        );
        let cut = format!("{CALL}{}", &CALL[..20]);
        let why =
            "a.jsonl, line 2: is cut off, so only what came before it was judged: it is not JSON (";
        starts(told("a.jsonl", &cut), 1, why, ")");
    }

    #[test]
    fn a_file_of_which_nothing_is_read_says_why() {
        assert_eq!(
            told("a.jsonl", ""),
            (0, Some("Empty: a.jsonl has no events".into()))
        );
        starts(
            told("a.jsonl", "{\"type\":\"tool_ca"),
            0,
            "Bad: a.jsonl, line 1: is not JSON (",
            ")",
        );
        let unknown = "Unknown: a.json is in no format that turnkeeper reads: ";
        starts(
            told("a.json", "{\"theme\":\"dark\"}"),
            0,
            unknown,
            "an object with \"theme\"",
        );
    }

    #[test]
    fn a_part_that_is_broken_costs_itself_and_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = |number: u32, text: &str| {
            let file = folder.path().join(format!("{number}.json"));
            fs::write(&file, text).expect("written");
            file
        };
        let input = Input {
            parts: Some(vec![part(0, CALL), part(1, "{"), part(2, CALL)]),
            ..Input::found(folder.path().to_owned())
        };
        let found = judged(&input).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(
            (
                found.session.report.counts.calls,
                found.session.report.counts.unread
            ),
            (2, 1)
        );
        let problem = found.problem.expect("a problem");
        assert!(problem.file.ends_with("1.json") && problem.why.starts_with("is not JSON ("));
    }

    /// What both ways say of a session that need not be judged for it, and of what is left out.
    fn both(input: &Input) -> [Option<(SessionUsage, Option<String>)>; 2] {
        let settings = AuditSettings {
            rules: Profile::default().rules(),
            model: None,
            prices: Prices::listed(),
        };
        let mut chunks = Chunks::new(&BytesRead::default());
        [Asked::All, Asked::Usage].map(|asked| {
            let judged = judge(input, &settings, asked, &mut chunks, &Beside::default());
            let judged = judged.ok()?;
            let told = judged.problem.map(|problem| problem.to_string());
            Some((judged.session.report.into(), told))
        })
    }

    #[test]
    fn the_usage_alone_is_that_of_the_whole_audit() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
        let mut recorded = 0;
        for folder in ["saved", "sessions", "difficult-sessions", "bad-inputs"] {
            let inputs = crate::inputs::find_inputs(&[data.join(folder)], &|_| true, &mut |_| {});
            for input in inputs {
                let [whole, usage] = both(&input);
                assert_eq!(whole, usage, "{}", input.file.display());
                recorded += usize::from(whole.is_some_and(|(it, _)| !it.usage.is_estimated));
            }
        }
        assert!(recorded > 10, "{recorded}");
    }

    proptest! {
        #[test]
        fn lines_in_any_order_have_the_usage_of_the_whole_audit(lines in prop::collection::vec(lines(), 1..24)) {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("a.jsonl");
            fs::write(&file, lines.join("\n")).expect("written");
            let [whole, usage] = both(&Input::found(file));
            prop_assert_eq!(whole, usage);
        }
    }

    /// A line of Claude Code's, or of Codex's, whose fields may be anything that they are found to be.
    fn lines() -> impl Strategy<Value = String> {
        let id = prop_oneof![
            Just("\"id\":\"msg_1\","),
            Just("\"id\":\"msg_2\","),
            Just("\"id\":\"7\","),
            Just(""),
        ];
        let usage = prop_oneof![
            Just(r#","usage":{"input_tokens":3,"output_tokens":5}"#),
            Just(
                r#","usage":{"input_tokens":3,"output_tokens":9,"cache_read_input_tokens":7,"speed":"fast"}"#
            ),
            Just(r#","usage":{}"#),
            Just(""),
        ];
        let content = prop_oneof![
            Just(r#"[{"type":"text","text":"I say \"usage\"."}]"#),
            Just(r#"[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]"#),
            Just(r#"[{"type":"tool_use","input":{"usage":{"output_tokens":3}}}]"#),
            Just(r#"[{"type":"thinking","thinking":"Well.","signature":"x"}]"#),
            Just(r#""Go on.""#),
            Just("[]"),
        ];
        let model = prop_oneof![
            Just("\"model\":\"claude-sonnet-4-5\","),
            Just("\"model\":\"<synthetic>\","),
            Just(""),
        ];
        let answer = (id, usage, content, model, 0..4_u8, any::<bool>()).prop_map(
            |(id, usage, content, model, at, is_side)| {
                format!(
                    r#"{{"type":"assistant","uuid":"u{at}","sessionId":"s","cwd":"/p{at}","isSidechain":{is_side},"timestamp":"2026-09-01T12:0{at}:00Z","message":{{{id}{model}"role":"assistant","content":{content}{usage}}}}}"#
                )
            },
        );
        let sum = prop_oneof![Just(r#"{"total_tokens":"#), Just(r#"{"total_tokens": "#)];
        let last = prop_oneof![
            Just(r#","last_token_usage":{"input_tokens":8,"output_tokens":2}"#),
            Just(r#","last_token_usage":{"input_tokens":8.5,"output_tokens":2}"#),
            Just(""),
        ];
        let more = prop_oneof![
            Just(r#","rate_limits":{"primary":null}"#),
            Just(r#","info":null"#),
            Just(r#","info":{"#),
            Just(""),
        ];
        let count = (0..5_u8, sum, last, more).prop_map(|(at, sum, last, more)| {
            format!(
                r#"{{"timestamp":"2026-09-01T12:0{at}:00.000Z","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{sum}{at}}}{last}}}{more}}}}}"#
            )
        });
        let others = prop_oneof![
            Just(
                r#"{"type":"user","uuid":"r","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"\ud83d ok"}]},"toolUseResult":{"usage":{"output_tokens":77}}}"#
            ),
            Just(
                r#"{"type":"user","uuid":"w","sessionId":"s","message":{"role":"user","content":"Fix it."}}"#
            ),
            Just(r#"{"type":"ai-title","aiTitle":"A title","sessionId":"s"}"#),
            Just(
                r#"{"type":"progress","uuid":"g","data":{"message":{"type":"assistant","message":{"id":"msg_9","role":"assistant","content":[],"usage":{"output_tokens":4}}}}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:00Z","type":"session_meta","payload":{"id":"c","cwd":"/w"}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:01Z","type":"turn_context","payload":{"model":"gpt-5","cwd":"/w"}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:02Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:03.000Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:04.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"\"a\\n\""}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:05.000Z","type":"event_msg","payload":{"type":"agent_message","message":"broken \x"}}"#
            ),
            Just(
                r#"{"timestamp":"2026-09-01T11:00:06.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Done."}}"#
            ),
            Just(r#"{"type":"assistant","message":{"usage":{"#),
        ];
        prop_oneof![3 => answer, 2 => count, 2 => others.prop_map(str::to_owned)]
    }
}
