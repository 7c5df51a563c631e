//! Reads the sessions that are named, one after another.

use std::path::{Path, PathBuf};

use turnkeeper_agents::sessions::{Format, Piece, SessionReader, Unreadable, detect_format};
use turnkeeper_analysis::wording::plural;
use turnkeeper_messages::Event;

use crate::each_file::{Done, EachFile, Reading};
use crate::inputs::{Input, may_be_database};
use crate::problem::{LeftOut, Problem, Result};
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

/// Plays each session, and tells what is wrong. `play` gives the problem of a session; then it does not count as played.
pub(super) fn each(
    names: &[PathBuf],
    endings: &[&str],
    has_bar: bool,
    output: &mut Output,
    play: &mut dyn FnMut(&Input, &mut Reading, &mut Output) -> Result<()>,
) -> Done {
    EachFile {
        names,
        is_wanted: &|file| is_wanted(file, endings),
        what: "sessions",
        has_bar,
        among: &|found| found,
    }
    .run(output, play)
}

/// The first part that was left out, which says how many more there are.
pub(super) fn problem_of(left_out: LeftOut) -> Option<Problem> {
    let mut problem = left_out.first?;
    if left_out.count > 1 {
        let more = plural(u64::from(left_out.count) - 1, "more record");
        problem.why += &format!("; {more} cannot be read");
    }
    Some(problem)
}

/// Gives the events of a session in their order. What cannot be read is left out; an error says that the rest of the
/// file, or all of it, could not be read.
pub(super) fn read(
    input: &Input,
    Reading { chunks, progress }: &mut Reading,
    left_out: &mut LeftOut,
    take: &mut dyn FnMut(Part),
) -> Result<()> {
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
        read.map_err(Problem::from)
    })?;
    let mut places = Vec::new();
    let is_events = is_events.unwrap_or_default();
    let read = reader.end(&mut |piece| give(piece, is_events, take, &mut places));
    tell(places, file, &reader, left_out);
    if let Some(problem) = parts.first {
        left_out.add(|| problem);
        left_out.count += parts.count - 1;
    }
    read.map_err(Problem::from)
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
