//! Work on sessions one after another.

use std::path::{Path, PathBuf};

use crate::inputs::{Chunks, Input, find_inputs};
use crate::problem::{Kind, Problem, Result};
use crate::progress::{BytesRead, Progress};
use crate::terminal::output::Output;

/// The sessions whose turn it is, and how they are told of.
pub(crate) struct EachFile<'a> {
    pub(crate) names: &'a [PathBuf],
    /// Chooses among the files of a folder; what is named by itself is always taken.
    pub(crate) is_wanted: &'a dyn Fn(&Path) -> bool,
    /// The name of the files that are looked for, in the plural.
    pub(crate) what: &'a str,
    /// Whether a bar shows how far it is, for work that shows no rows meanwhile.
    pub(crate) has_bar: bool,
    /// Chooses among what was found.
    pub(crate) among: &'a dyn Fn(Vec<Input>) -> Vec<Input>,
}

/// The numbers of sessions with which something was done, and of problems.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) sessions: u64,
    pub(crate) problems: u64,
}

/// The means of reading, which all sessions have in turn.
pub(crate) struct Reading {
    pub(crate) chunks: Chunks,
    pub(crate) progress: Progress,
}

impl EachFile<'_> {
    /// Does the work, and tells what is wrong. After a problem the next session has its turn; one that was found in a
    /// folder and is something else, or empty, is passed over.
    pub(crate) fn run(
        &self,
        output: &mut Output,
        work: &mut dyn FnMut(&Input, &mut Reading, &mut Output) -> Result<()>,
    ) -> Done {
        let mut done = Done::default();
        let mut tell = |problem: Problem, output: &mut Output| {
            done.problems += 1;
            output.complain(problem);
        };
        let mut complain = |problem| tell(problem, output);
        let found = find_inputs(self.names, self.is_wanted, &mut complain);
        let inputs = (self.among)(found);
        let read = BytesRead::default();
        let total = inputs.iter().map(Input::size).sum();
        let has_bar = self.has_bar && !inputs.is_empty();
        let mut reading = Reading {
            chunks: Chunks::new(&read),
            progress: Progress::new(&read, total, has_bar),
        };
        let mut sessions = 0;
        for input in &inputs {
            reading.progress.file(&input.file);
            match work(input, &mut reading, output) {
                Ok(()) => sessions += 1,
                Err(problem) if is_passed_over(&problem, input) => {}
                Err(problem) => tell(problem, output),
            }
            reading.progress.tick();
        }
        drop(reading);
        if sessions == 0 && done.problems == 0 {
            for name in self.names {
                done.problems += 1;
                output.complain(Problem::new(name, format!("has no {}", self.what)));
            }
        }
        Done { sessions, ..done }
    }
}

/// Whether nothing is wrong: a file that nobody named is no session, or nothing has happened in it, or in one session of
/// a database.
pub(crate) fn is_passed_over(problem: &Problem, input: &Input) -> bool {
    match problem.kind {
        Kind::Unknown => input.is_found,
        Kind::Empty => input.is_found || input.row.is_some(),
        Kind::Bad | Kind::Refused | Kind::Mistake => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_database_that_was_named_a_session_may_be_empty_and_of_no_other_kind() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("sessions.db");
        let made = rusqlite::Connection::open(&file).expect("made");
        made.execute_batch(
            "CREATE TABLE session (id TEXT, title TEXT, directory TEXT, version TEXT, time_created INT, time_updated INT);
             CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);
             CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
             INSERT INTO session VALUES ('s1', '', '', '', 0, 0);",
        )
        .expect("filled");
        made.close().expect("closed");
        let complain = &mut |problem: Problem| panic!("{problem}");
        let [row] = &find_inputs(&[file], &|_| true, complain)[..] else {
            panic!("it has a session");
        };
        let named = Input::named("a.jsonl");
        let found = Input::found("a.jsonl".into());
        for (kind, expected) in [
            (Kind::Empty, [true, false, true]),
            (Kind::Unknown, [false, false, true]),
            (Kind::Bad, [false; 3]),
        ] {
            let problem = Problem::new(Path::new("a"), "x").of_kind(kind);
            let passed_over = [row, &named, &found].map(|it| is_passed_over(&problem, it));
            assert_eq!(passed_over, expected, "{kind:?}");
        }
    }
}
