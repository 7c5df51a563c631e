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
                Err(problem) if input.is_found && is_no_session(&problem) => {}
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

/// Whether nothing is wrong with a file but that there is no session in it, or nothing has happened in it.
pub(crate) fn is_no_session(problem: &Problem) -> bool {
    matches!(problem.kind, Kind::Unknown | Kind::Empty)
}
