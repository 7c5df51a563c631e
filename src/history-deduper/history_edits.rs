//! The changes of a history, message by message.

use rustc_hash::FxHashMap;
use turnkeeper_base::json::{Change, Edit, Element, Json, Key, Piece, text_of};
use turnkeeper_base::text::Size;

use super::edits::{PartChange, PartEdit, TextRanges};
use super::reading::PlaceKey;
use super::shapes::View;
use super::{DedupeReport, Superseded};

/// The changes of a history.
#[derive(Debug, Clone)]
pub struct HistoryEdits {
    /// The report of what is done, and of what waits.
    pub report: DedupeReport,
    /// The copies of files and the results that give way to a line.
    pub superseded: Vec<Superseded>,
    pub(super) changes: FxHashMap<u32, Changes>,
}

/// The fate of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum MessageFate {
    /// It stays as it is.
    Stays,
    /// It goes: it holds nothing but second results.
    Goes,
    /// These edits are made of it, which speak of it in its own shape.
    Changes(Vec<Edit>),
}

impl HistoryEdits {
    /// Whether nothing changes of the message with this index.
    pub fn leaves(&self, index: u32) -> bool {
        !self.changes.contains_key(&index)
    }

    /// The indexes of the message's parts that go since their calls have other results.
    pub fn parts_gone(&self, index: u32) -> &[usize] {
        let changes = self.changes.get(&index);
        changes.map_or(&[], |changes| &changes.gone)
    }

    /// The number of all such parts.
    pub fn second_results(&self) -> u32 {
        let gone = self.changes.values().map(|changes| changes.gone.len());
        gone.sum::<usize>() as u32
    }

    /// The fate of the message with this index, which is given again as it was taken.
    pub fn of(&self, index: u32, message: &Json) -> MessageFate {
        let Some(changes) = self.changes.get(&index) else {
            return MessageFate::Stays;
        };
        let Some(view) = View::of(message, true) else {
            return MessageFate::Stays;
        };
        let parts = view.content().items().len();
        if !changes.gone.is_empty() && changes.gone.len() == parts {
            return MessageFate::Goes;
        }
        match changes.edits(&view) {
            edits if edits.is_empty() => MessageFate::Stays,
            edits => MessageFate::Changes(edits),
        }
    }
}

/// The keys that lead from a part to the text of which edits speak: of a tool's result the last.
pub(super) fn keys_of_text(part: &Json) -> Vec<PlaceKey> {
    if part.get("type").and_then(Json::as_text) == Some("text") {
        return vec!["text".into()];
    }
    let inner = part.get("content").map_or(&[][..], Json::items);
    let is_text = |part: &Json| part.get("type").and_then(Json::as_text) == Some("text");
    match inner.iter().rposition(is_text) {
        Some(at) => vec!["content".into(), PlaceKey::Index(at as u32), "text".into()],
        None => vec!["content".into()],
    }
}

pub(super) fn text_at<'a>(mut value: &'a Json<'a>, keys: &[PlaceKey]) -> Option<&'a str> {
    for key in keys {
        value = match key {
            PlaceKey::Name(name) => value.get(name)?,
            PlaceKey::Index(at) => value.items().get(*at as usize)?,
        };
    }
    value.as_text()
}

/// Everything that changes of a content, in the shape of Anthropic's API.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    pub(super) edits: Vec<PartEdit>,
    /// The texts that give way.
    pub(super) superseded: Vec<Superseded>,
    /// The indexes of the parts that go.
    pub(super) gone: Vec<usize>,
}

impl Changes {
    /// The same as edits of the provider's message.
    fn edits(&self, view: &View) -> Vec<Edit> {
        let mut made = Vec::new();
        // The texts of which ranges stay.
        let mut ranged: Vec<(i32, Vec<PlaceKey>)> = Vec::new();
        let mut elements: Vec<Option<Element>> = (0..view.content().items().len())
            .map(|at| Some(Element::Was(at)))
            .collect();
        let mut at_the_end = Vec::new();
        for PartEdit { part, change } in &self.edits {
            let at = *part as usize;
            let given = view.content().items().get(at);
            let place = given.map_or((-1, vec![]), |part| (at as i32, keys_of_text(part)));
            let ranges = match change {
                PartChange::Rewrite { text } => Some(text),
                PartChange::Remove => None,
                PartChange::MoveToEnd { text } => {
                    at_the_end.push(Element::Was(at));
                    text.as_ref()
                }
                PartChange::AppendText { text } => {
                    let whole = view.text(place.0, &place.1).unwrap_or_default();
                    let pieces = self.pieces(&place, Size::of_text(whole).units, Some(text));
                    let text = text_of(whole, &pieces);
                    at_the_end.push(Element::New(view.text_part(text)));
                    continue;
                }
            };
            if !matches!(change, PartChange::Rewrite { .. })
                && let Some(element) = elements.get_mut(at)
            {
                *element = None;
            }
            if let Some(ranges) = ranges {
                made.extend(self.edit(view, &place, Some(ranges)));
                ranged.push(place);
            }
        }
        for one in &self.superseded {
            let place = (one.place.part, one.place.keys.clone());
            if !ranged.contains(&place) {
                made.extend(self.edit(view, &place, None));
                ranged.push(place);
            }
        }
        for at in &self.gone {
            elements[*at] = None;
        }
        if !at_the_end.is_empty() || elements.contains(&None) {
            let elements = elements.into_iter().flatten().chain(at_the_end);
            made.push(Edit {
                keys: vec![Key::Name(view.list())],
                change: Change::List(elements.collect()),
            });
        }
        made
    }

    fn edit(
        &self,
        view: &View,
        place: &(i32, Vec<PlaceKey>),
        ranges: Option<&TextRanges>,
    ) -> Option<Edit> {
        let text = view.text(place.0, &place.1)?;
        let pieces = self.pieces(place, Size::of_text(text).units, ranges);
        view.edit(place.0, &place.1, pieces)
    }

    /// The pieces of a text: the lines in place of what gives way, and of the rest the ranges that stay.
    fn pieces(
        &self,
        (part, keys): &(i32, Vec<PlaceKey>),
        units: u32,
        ranges: Option<&TextRanges>,
    ) -> Vec<Piece> {
        let here = self.superseded.iter();
        let here = here.filter(|one| one.place.part == *part && one.place.keys == *keys);
        let mut here: Vec<&Superseded> = here.collect();
        here.sort_by_key(|one| one.place.start);
        let whole = 0..units as usize;
        let ranges = ranges.map_or(std::slice::from_ref(&whole), |ranges| &ranges.0);
        let mut pieces = Vec::new();
        for range in ranges {
            let mut at = range.start;
            for one in &here {
                let (start, end) = (one.place.start as usize, one.place.end as usize);
                if start < at || end > range.end {
                    continue;
                }
                pieces.push(Piece::Kept(at..start));
                pieces.push(Piece::New(one.notice.clone()));
                at = end;
            }
            pieces.push(Piece::Kept(at..range.end));
        }
        pieces
    }
}
