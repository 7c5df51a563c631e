//! One session.

use std::path::Path;

use turnkeeper_analysis::audited::AuditedSession;
use turnkeeper_analysis::session::{AuditSettings, SessionAudit};
use turnkeeper_sessions::{Piece, SessionReader};

use crate::find::Beside;
use crate::inputs::{Chunks, Input};
use crate::problem::{Kind, Problem, Result};

/// A session that was judged.
pub(super) struct Judged {
    pub(super) session: AuditedSession,
    /// The part of it that could not be read, and was left out.
    pub(super) problem: Option<Problem>,
}

/// Reads a session and judges it.
pub(super) fn judge(
    input: &Input,
    settings: &AuditSettings,
    chunks: &mut Chunks,
    beside: &Beside,
) -> Result<Judged> {
    let file = &input.file;
    let name = file.to_string_lossy();
    let refused = |why| Problem::new(file, format!("cannot be judged: {why}"));
    let mut audit = SessionAudit::new(&name, settings).map_err(refused)?;
    let mut reader = SessionReader::new(&name);
    let mut lost = Lost::default();
    let mut take = |piece: &Piece| {
        if let Some(record) = &piece.record {
            audit.take(record);
        }
        if let Some(problem) = &piece.problem {
            audit.lost();
            lost.add(problem.place, &problem.reason);
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
        None => lost.told(file, &reader),
    };
    let Some(mut session) = audit.end(format) else {
        let empty = || Problem::new(file, "has no events").of_kind(Kind::Empty);
        return Err(told.unwrap_or_else(empty));
    };
    let report = &mut session.report;
    report.id = input.row.as_ref().map(|row| row.session.clone());
    if let Some(agent) = input.agent {
        report.agent = Some(agent.to_owned());
    }
    session.written = input.written();
    Ok(Judged {
        session,
        problem: told,
    })
}

/// The lines or elements that could not be read.
#[derive(Default)]
struct Lost {
    first: Option<(u32, String)>,
    count: u32,
}

impl Lost {
    fn add(&mut self, place: u32, reason: &str) {
        self.count += 1;
        self.first.get_or_insert_with(|| (place, reason.to_owned()));
    }

    /// The first of them, and how many others there are.
    fn told(self, file: &Path, reader: &SessionReader) -> Option<Problem> {
        let (place, reason) = self.first?;
        if self.count == 1 && reader.is_cut_off(place) {
            let why = format!("is cut off, so only what came before it was judged: it {reason}");
            return Some(Problem::new(file, why).at_line(Some(place)));
        }
        let problem = Problem::at_place(file, place, &reason, reader);
        Some(with_more(problem, self.count))
    }
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

    use turnkeeper_analysis::prices::Prices;
    use turnkeeper_analysis::profile::Profile;

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
        judge(input, &settings, &mut chunks, &Beside::default())
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
}
