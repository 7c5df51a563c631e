//! Reads the sessions that are named, one after another.

use std::path::{Path, PathBuf};

use turnkeeper_agents::sessions::{
    Format, InputError, InputFailure, Piece, SessionReader, Unreadable, detect_format,
};
use turnkeeper_analysis::wording::plural;
use turnkeeper_messages::Event;

use crate::inputs::{Chunks, Input, find_inputs, may_be_database};
use crate::problem::{Kind, Problem, Result};
use crate::progress::{BytesRead, Progress};
use crate::terminal::output::Output;

/// An event of a session, as it was read.
pub(super) struct Read<'a, 'e> {
    pub(super) event: &'a Event<'e>,
    /// The line or element, from 1.
    pub(super) line: u32,
    /// The JSON of the event as it stands in the file, where that is what the file holds.
    pub(super) written: Option<&'a str>,
}

/// Something of a session.
pub(super) enum Part<'a, 'e> {
    Event(Read<'a, 'e>),
    /// So much has been read at once, and what was shown of it may be written.
    Chunk,
}

/// The files with these endings, of a folder, are sessions, and so are databases.
pub(super) fn is_wanted(file: &Path, endings: &[&str]) -> bool {
    let ending = file.extension().and_then(|it| it.to_str());
    ending.is_some_and(|it| endings.contains(&it)) || may_be_database(file)
}

/// Plays each session, and tells what is wrong: the number of sessions that were played, and of problems.
///
/// `play` gives the problem of a session; then it does not count as played.
pub(super) fn each(
    names: &[PathBuf],
    endings: &[&str],
    has_bar: bool,
    output: &mut Output,
    play: &mut dyn FnMut(&Input, &mut Reading, &mut Output) -> Result<()>,
) -> (u64, u64) {
    let mut problems = 0;
    let mut complain = |problem: Problem, output: &mut Output| {
        problems += 1;
        output.complain(problem);
    };
    let wanted = |file: &Path| is_wanted(file, endings);
    let inputs = find_inputs(names, &wanted, &mut |problem| complain(problem, output));
    let read = BytesRead::default();
    let size = inputs.iter().map(Input::size).sum();
    let mut reading = Reading {
        progress: Progress::new(&read, size, has_bar && !inputs.is_empty()),
        chunks: Chunks::new(&read),
    };
    let mut played = 0;
    for input in &inputs {
        reading.progress.file(&input.file);
        match play(input, &mut reading, output) {
            Ok(()) => played += 1,
            // In a folder, files that are something else are passed over, and so are sessions that have just begun.
            Err(problem)
                if input.is_found && matches!(problem.kind, Kind::Unknown | Kind::Empty) => {}
            Err(problem) => complain(problem, output),
        }
    }
    drop(reading);
    if played == 0 && problems == 0 {
        for name in names {
            problems += 1;
            output.complain(Problem::new(name, "has no sessions"));
        }
    }
    (played, problems)
}

/// The means of reading, which all sessions have in turn.
pub(super) struct Reading {
    chunks: Chunks,
    progress: Progress,
}

/// The parts of a session that could not be read.
#[derive(Default)]
pub(super) struct LeftOut {
    first: Option<Problem>,
    pub(super) count: u64,
}

impl LeftOut {
    fn add(&mut self, problem: impl FnOnce() -> Problem) {
        self.count += 1;
        self.first.get_or_insert_with(problem);
    }

    /// The first of them, which says how many more there are.
    pub(super) fn problem(self) -> Option<Problem> {
        let mut problem = self.first?;
        if self.count > 1 {
            let more = plural(self.count - 1, "more record");
            problem.why += &format!("; {more} cannot be read");
        }
        Some(problem)
    }
}

impl Reading {
    /// Gives the events of a session in their order. What cannot be read is left out; an error says that the rest of the
    /// file, or all of it, could not be read.
    pub(super) fn read(
        &mut self,
        input: &Input,
        left_out: &mut LeftOut,
        take: &mut dyn FnMut(Part),
    ) -> Result<()> {
        let Reading { chunks, progress } = self;
        let file = &input.file;
        let mut reader = SessionReader::new(&file.to_string_lossy());
        // Of event lines each is an event as it stands there.
        let mut is_events = None;
        let parts = chunks.read(input, &mut |bytes| {
            let mut places = Vec::new();
            let is_events =
                *is_events.get_or_insert_with(|| detect_format(bytes) == Some(Format::Events));
            let read = reader.push(bytes, &mut |piece| {
                give(piece, is_events, take, &mut places)
            });
            tell(places, file, &reader, left_out);
            take(Part::Chunk);
            progress.tick();
            read.map_err(|why| problem_of(file, why))
        })?;
        let mut places = Vec::new();
        let is_events = is_events.unwrap_or_default();
        let read = reader.end(&mut |piece| give(piece, is_events, take, &mut places));
        tell(places, file, &reader, left_out);
        if let Some(problem) = parts.first {
            left_out.add(|| problem);
            left_out.count += u64::from(parts.count) - 1;
        }
        read.map_err(|why| problem_of(file, why))
    }
}

fn problem_of(file: &Path, error: InputError) -> Problem {
    let kind = match error.kind {
        InputFailure::Broken => Kind::Bad,
        InputFailure::Unknown => Kind::Unknown,
        InputFailure::Empty => Kind::Empty,
    };
    Problem::new(file, error.reason)
        .of_kind(kind)
        .at_line(error.line)
}

fn tell(places: Vec<Unreadable>, file: &Path, reader: &SessionReader, left_out: &mut LeftOut) {
    for Unreadable { place, reason } in places {
        left_out.add(|| Problem::at_place(file, place, &reason, reader));
    }
}

fn give(
    piece: &Piece,
    is_events: bool,
    take: &mut dyn FnMut(Part),
    problems: &mut Vec<Unreadable>,
) {
    problems.extend(piece.problem.clone());
    let Some(record) = piece.record.as_ref().filter(|it| !it.is_again) else {
        return;
    };
    let written = is_events.then(|| object_in(piece.bytes)).flatten();
    for item in &record.items {
        take(Part::Event(Read {
            event: &item.event,
            line: record.place,
            written,
        }));
    }
}

/// The object in the bytes of a line.
fn object_in(bytes: &[u8]) -> Option<&str> {
    let start = bytes.iter().position(|&byte| byte == b'{')?;
    let end = bytes.iter().rposition(|&byte| byte == b'}')?;
    str::from_utf8(bytes.get(start..=end)?).ok()
}
