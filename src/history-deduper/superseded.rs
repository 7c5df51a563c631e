//! Copies and results that give way to a line, which says what stood there and where the newest is.

use serde::Serialize;
use turnkeeper_base::order;

use super::files::{
    CopyKind, Extent, FileCopies, RepeatedResults, SupersededCopy, SupersededResult,
};
use super::report::{DedupeChange, DedupeReason, KindTallies};
use turnkeeper_base::text::Size;

/// The beginning of the line in place of a copy of a file. A text that begins so is no copy.
pub(super) const FILE_NOTICE: &str = "[An older copy of ";
/// The beginning of the line in place of a result.
pub(super) const RESULT_NOTICE: &str = "[The same result, ";

/// The kinds of things that give way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SupersededKind {
    /// A copy of a file that the history shows.
    File,
    /// A copy of a file that is the argument of a call.
    Write,
    /// A tool's result.
    Result,
}

/// Something that gives way, or would once older messages may be rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Superseded {
    /// The kind of thing that it is.
    pub kind: SupersededKind,
    /// Its number: that of a copy, or of a result.
    pub number: u32,
    /// The index of its message in the history.
    pub index: u32,
    /// The path of a file as the history spells it; empty for a result.
    pub path: String,
    /// The index of the message that has the newest.
    pub newest: u32,
    /// The line that stands there instead.
    pub notice: String,
    /// The length that this saves, in UTF-16 code units.
    pub characters: u32,
    /// The same as estimated tokens.
    pub tokens: u32,
    /// The number of requests that had been made before its message.
    #[serde(skip)]
    pub(super) requests_before: u32,
}

impl Superseded {
    /// Everything that gives way, in the order of the history. What is no longer than its line stays.
    pub(super) fn all(
        files: Option<&FileCopies>,
        results: &RepeatedResults,
        with_writes: bool,
    ) -> Vec<Self> {
        let files = files.map_or(Vec::new(), |files| files.superseded(with_writes));
        let files = files.into_iter().filter_map(of_file);
        let results = results.superseded().into_iter().filter_map(of_result);
        let mut all: Vec<Self> = files.chain(results).collect();
        order::sort_by_key(&mut all, |one| one.index);
        all
    }

    /// Counts it among its kind.
    pub(super) fn tally(&self, kinds: &mut KindTallies) {
        let kind = match self.kind {
            SupersededKind::File => &mut kinds.file,
            SupersededKind::Write => &mut kinds.write,
            SupersededKind::Result => &mut kinds.result,
        };
        kind.add(1, self.characters, self.tokens, self.requests_before);
    }

    fn new(kind: SupersededKind, number: u32, size: Size, notice: String) -> Option<Self> {
        let units: Vec<u16> = notice.encode_utf16().collect();
        let left = Size::of(&units);
        (left.units < size.units).then(|| Self {
            kind,
            number,
            index: 0,
            path: String::new(),
            newest: 0,
            notice,
            characters: size.units - left.units,
            tokens: size.tokens().saturating_sub(left.tokens()),
            requests_before: 0,
        })
    }
}

impl From<&Superseded> for DedupeChange {
    fn from(one: &Superseded) -> Self {
        Self {
            index: one.index,
            blocks: 0,
            characters: one.characters,
            tokens: one.tokens,
            reason: match one.kind {
                SupersededKind::File => DedupeReason::Files,
                SupersededKind::Write => DedupeReason::Writes,
                SupersededKind::Result => DedupeReason::Results,
            },
        }
    }
}

fn of_file(superseded: SupersededCopy) -> Option<Superseded> {
    let SupersededCopy {
        number,
        copy,
        requests_before,
        path,
        newest,
    } = superseded;
    let kind = match copy.kind {
        CopyKind::Shown => SupersededKind::File,
        CopyKind::Written => SupersededKind::Write,
    };
    let part = match copy.extent {
        Extent::Complete => String::new(),
        Extent::Lines { first, last } => format!("lines {first} to {last} of "),
        Extent::Unknown => "a part of ".to_owned(),
    };
    let units = copy.size.units;
    let shown: String = path
        .chars()
        .map(|one| if one.is_control() { ' ' } else { one })
        .collect();
    let notice = format!(
        "{FILE_NOTICE}{part}{shown}, {units} characters, stood here; the newest is in message {newest}.]"
    );
    let index = copy.index;
    let superseded = Superseded::new(kind, number, copy.size, notice)?;
    Some(Superseded {
        index,
        path,
        newest,
        requests_before,
        ..superseded
    })
}

fn of_result(superseded: SupersededResult) -> Option<Superseded> {
    let SupersededResult {
        number,
        result,
        requests_before,
        newest,
    } = superseded;
    let units = result.size.units;
    let notice = format!("{RESULT_NOTICE}{units} characters, is in message {newest}.]");
    let index = result.index;
    let superseded = Superseded::new(SupersededKind::Result, number, result.size, notice)?;
    Some(Superseded {
        index,
        newest,
        requests_before,
        ..superseded
    })
}
