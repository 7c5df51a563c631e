//! Repairs histories, one after another.

use std::fs;
use std::path::{Path, PathBuf};

use turnkeeper_agents::sessions::{Format, Piece, SessionReader, Unreadable};
use turnkeeper_analysis::repair::{Repair, RepairPlan, RepairTotals, Rewriting};
use turnkeeper_history_deduper::DedupeOptions;

use super::target::{Target, folder_of, without_copies};
use super::words;
use crate::each_file::EachFile;
use crate::files::{AtomicFile, Replacement};
use crate::inputs::{Chunks, Input};
use crate::problem::{InFile, Kind, LeftOut, Problem, Result};
use crate::progress::BytesRead;
use crate::terminal::output::Output;

/// The files to repair, and the place of the copies.
pub(super) struct Task {
    pub(super) names: Vec<PathBuf>,
    /// Without it nothing is written, unless in place.
    pub(super) copies: Option<PathBuf>,
    pub(super) is_in_place: bool,
    pub(super) is_json: bool,
    pub(super) options: DedupeOptions,
}

/// A history that was repaired.
pub(super) struct RepairedHistory {
    pub(super) totals: RepairTotals,
    pub(super) format: Format,
    /// Where it was written, and where it is as it was.
    pub(super) output: Option<PathBuf>,
    pub(super) backup: Option<PathBuf>,
    /// The first line that could not be read, and the number of such lines; they stay as they are.
    unread: Option<(Problem, u32)>,
}

impl Task {
    pub(super) fn run(&self, output: &mut Output) {
        if !self.writes() {
            output.end_when_unread();
        }
        EachFile {
            names: &self.names,
            is_wanted: &|file| {
                let ending = file.extension().and_then(|it| it.to_str());
                matches!(ending, Some("json" | "jsonl" | "traj"))
            },
            what: "histories",
            has_bar: true,
            among: &|found| match &self.copies {
                Some(copies) => without_copies(found, &self.names, copies),
                None => found,
            },
        }
        .run(output, &mut |input, reading, output| {
            let outcome = self.repaired(input, &mut reading.chunks)?;
            words::show(&input.file, &outcome, self, output);
            if let Some((first, count)) = outcome.unread {
                output.complain(words::unread(&first, count));
            }
            Ok(())
        });
    }

    /// Whether anything may be written.
    pub(super) fn writes(&self) -> bool {
        self.is_in_place || self.copies.is_some()
    }

    fn repaired(&self, input: &Input, chunks: &mut Chunks) -> Result<RepairedHistory> {
        let file = &input.file;
        let unfit = |why: &str| {
            Problem::new(file, format!("cannot be repaired: {why}")).of_kind(Kind::Unknown)
        };
        if input.parts.is_some() {
            return Err(unfit("it is kept in several files"));
        }
        if input.row.is_some() {
            return Err(unfit("it is kept in a database"));
        }
        let folder = folder_of(input, &self.names);
        let target = match &self.copies {
            _ if self.is_in_place => Some(Target::in_place(input, folder)?),
            Some(copies) => Some(Target::copy_at(copies, input, folder)?),
            None => None,
        };
        // In place what is read is what is replaced, even if a link leads elsewhere by then.
        let source = match &target {
            Some(target) if self.is_in_place => Input {
                file: target.file.clone(),
                ..input.clone()
            },
            _ => input.clone(),
        };
        let mut looked_at = self.look_at(&source, file, target.is_some(), chunks)?;
        let is_needed = looked_at.totals.messages_changed > 0 || !self.is_in_place;
        let target = target.filter(|_| is_needed);
        if let Some(target) = &target {
            target.check_before(file)?;
            looked_at.write(&source, file, target)?;
        }
        let (output, backup) = target.map_or((None, None), |it| (Some(it.file), it.backup));
        Ok(RepairedHistory {
            totals: looked_at.totals,
            format: looked_at.format,
            output,
            backup,
            unread: looked_at.unread,
        })
    }

    /// Reads a history, and finds out what is to be done. What cannot be read again is held if it is to be written.
    fn look_at(
        &self,
        source: &Input,
        file: &Path,
        is_written: bool,
        chunks: &mut Chunks,
    ) -> Result<LookedAt> {
        let repair = Repair::new(self.options.clone());
        let mut repair = repair.map_err(|error| Problem::new(file, error.to_string()))?;
        let is_once = source.is_standard_input() || !source.file.is_file();
        let mut held = (is_written && is_once).then(Vec::new);
        let mut unread = LeftOut::default();
        let mut reader = SessionReader::new(&file.to_string_lossy());
        let mut take = |piece: &Piece| {
            if let Some(problem) = &piece.problem {
                unread.add(|| problem.clone());
            }
            repair.take(piece);
        };
        chunks.read(source, &mut |bytes| {
            reader.push(bytes, &mut take)?;
            if let Some(held) = &mut held {
                held.extend_from_slice(bytes);
            }
            refuse_records(reader.format(), file)
        })?;
        reader.end(&mut take)?;
        let format = refuse_records(reader.format(), file).map(|()| reader.format())?;
        let format =
            format.ok_or_else(|| Problem::new(file, "has no events").of_kind(Kind::Empty))?;
        let is_lines = reader.unit() == "line";
        let unread = match unread.first {
            Some(Unreadable { place, reason }) => {
                let problem = Problem::at_place(file, place, &reason, &reader);
                // Of an array or an object all that follows may be lost.
                if !is_lines {
                    return Err(problem);
                }
                Some((problem, unread.count))
            }
            None => None,
        };
        let (totals, plan) = repair.end();
        Ok(LookedAt {
            totals,
            plan,
            format,
            is_lines,
            held,
            unread,
        })
    }
}

/// Refuses what no agent sends again.
fn refuse_records(format: Option<Format>, file: &Path) -> Result<()> {
    match format {
        Some(format) if !format.is_history() => {
            let title = format.title();
            let why = "it records what happened, not what is sent again";
            let problem = Problem::new(file, format!("cannot be repaired: {why} ({title})"));
            Err(problem.of_kind(Kind::Unknown))
        }
        _ => Ok(()),
    }
}

/// A history of which it is known what is to be done.
struct LookedAt {
    totals: RepairTotals,
    plan: RepairPlan,
    format: Format,
    is_lines: bool,
    /// Its bytes, if they cannot be read again.
    held: Option<Vec<u8>>,
    unread: Option<(Problem, u32)>,
}

impl LookedAt {
    /// Reads the history again, and writes it as it is to be.
    fn write(&mut self, source: &Input, file: &Path, target: &Target) -> Result<()> {
        if let Some(folder) = target.file.parent().filter(|it| !it.as_os_str().is_empty()) {
            fs::create_dir_all(folder).writing(&target.file)?;
        }
        let like = Some(&*source.file).filter(|_| target.read.is_some());
        let mut new = AtomicFile::new(&target.file, like)?;
        let mut rewriting = Rewriting::new(&self.plan, self.is_lines);
        let mut reader = SessionReader::new(&file.to_string_lossy());
        let mut out = Vec::new();
        let mut push = |bytes: &[u8]| {
            reader.push(bytes, &mut |piece| rewriting.take(piece, &mut out))?;
            new.write(&out)?;
            out.clear();
            Ok(())
        };
        match self.held.take() {
            Some(held) => push(&held)?,
            None => drop(Chunks::new(&BytesRead::default()).read(source, &mut push)?),
        }
        reader.end(&mut |piece| rewriting.take(piece, &mut out))?;
        rewriting.end(&mut out);
        new.write(&out)?;
        target.check_after(file)?;
        let backup = target.backup.as_deref();
        // Of a copy, what is replaced is not what was read.
        let read = target.read.as_ref().filter(|_| backup.is_some());
        new.commit(&Replacement { backup, read })
    }
}
