//! Copies and results that give way to a line, which says what stood there and where the newest is.

use serde::Serialize;

use super::reading::{CopySource, Place};
use super::report::{DedupeChange, DedupeKinds, DedupeReason};
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
    /// The way in which a copy of a file came into the history.
    pub from: Option<CopySource>,
    /// Its place in the history.
    pub place: Place,
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
    /// Counts it among its kind, after that many requests.
    pub(super) fn tally(&self, kinds: &mut DedupeKinds, requests: u32) {
        let kind = match self.kind {
            SupersededKind::File => &mut kinds.file,
            SupersededKind::Write => &mut kinds.write,
            SupersededKind::Result => &mut kinds.result,
        };
        let carried = requests - self.requests_before;
        kind.add(1, self.characters, self.tokens, carried);
    }

    /// A text of that size that gives way to a notice, unless it is no longer than that. The caller says of the rest
    /// what it is.
    pub(super) fn new(
        kind: SupersededKind,
        place: &Place,
        size: Size,
        notice: String,
    ) -> Option<Self> {
        let left = Size::of_text(&notice);
        (left.units < size.units).then(|| Self {
            kind,
            from: None,
            place: place.clone(),
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
            index: one.place.index,
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
