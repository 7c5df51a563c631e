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
    /// What of it could not be read, and was left out.
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
        let is_line = reader.unit() == "line" && place > 0;
        if is_line && self.count == 1 && reader.is_cut_off(place) {
            let why = format!("is cut off, so only what came before it was judged: it {reason}");
            return Some(Problem::new(file, why).at_line(Some(place)));
        }
        let problem = match place {
            _ if is_line => Problem::new(file, reason).at_line(Some(place)),
            0 => Problem::new(file, reason),
            _ => Problem::new(file, format!("element {place}: it {reason}")),
        };
        Some(with_more(problem, self.count))
    }
}

/// The problem of the first of so many lines, elements or files that were left out.
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
