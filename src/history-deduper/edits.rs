//! The edits that repair a message.

use std::ops::Range;

/// The edits that repair one message of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageEdits {
    /// The message's index in the history.
    pub index: u32,
    /// The edits of its parts.
    pub edits: Vec<PartEdit>,
}

/// The edit of one part of a message. Edits come in the order of the parts; what goes to
/// the end of the message is there in the order of the edits.
///
/// [`apply_to_text`] and [`apply_to_text_parts`] show how edits are applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartEdit {
    /// The index of the part in the message before any edit.
    pub part: u32,
    /// The change of the part.
    pub change: PartChange,
}

/// The change of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartChange {
    /// The part's text becomes `text`.
    Rewrite {
        /// The text of the part that stays.
        text: TextRanges,
    },
    /// The part goes.
    Remove,
    /// The part goes to the end of the message.
    MoveToEnd {
        /// The text of the part that stays; `None` if all of it does.
        text: Option<TextRanges>,
    },
    /// A new text part at the end of the message holds `text`. The part itself stays where it is;
    /// another edit takes `text` out of it.
    AppendText {
        /// The text of the part that the new part holds.
        text: TextRanges,
    },
}

/// Ranges of a text, one after the other, in UTF-16 code units. They begin and end between
/// characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextRanges(pub Vec<Range<usize>>);

impl TextRanges {
    /// The ranges of `text`, joined.
    pub fn pick(&self, text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        String::from_utf16_lossy(&self.pick_utf16(&units))
    }

    /// The ranges of a text in UTF-16 code units, joined.
    pub fn pick_utf16(&self, units: &[u16]) -> Vec<u16> {
        let ranges = self.0.iter().cloned();
        ranges.flat_map(|range| &units[range]).copied().collect()
    }

    /// Takes `cut` out of what the ranges of `units` are together, if it stands directly before the last
    /// `after` units of that.
    pub(super) fn cut_before_end(&mut self, units: &[u16], after: usize, cut: &[u16]) {
        let kept = self.pick_utf16(units);
        let end = kept.len().saturating_sub(after);
        if cut.is_empty() || !kept[..end].ends_with(cut) {
            return;
        }
        let begin = end - cut.len();
        let mut at = 0;
        let mut ranges = Vec::new();
        for range in self.0.drain(..) {
            // The range's place in what is kept: what is before the cut stays, and what is after it.
            let offset = range.start;
            let here = at..at + range.len();
            at = here.end;
            for part in [
                here.start..here.end.min(begin),
                here.start.max(end)..here.end,
            ] {
                if part.start < part.end {
                    ranges.push(part.start - here.start + offset..part.end - here.start + offset);
                }
            }
        }
        self.0 = ranges;
    }

    /// The length of all ranges together.
    pub(super) fn length(&self) -> usize {
        self.0.iter().map(Range::len).sum()
    }
}

/// The string that a message's content becomes.
pub fn apply_to_text(edits: &[PartEdit], content: &str) -> String {
    // A string has one part, which is only ever rewritten.
    apply_to_text_parts(edits, &[content]).concat()
}

/// The text parts that a message's content becomes.
pub fn apply_to_text_parts<T: AsRef<str>>(edits: &[PartEdit], parts: &[T]) -> Vec<String> {
    let parts: Vec<String> = parts.iter().map(|text| text.as_ref().to_owned()).collect();
    apply_to_parts(edits, &parts, |text, ranges| ranges.pick(text))
}

/// The parts of any kind that a message's content becomes. `pick` makes a part of a text that has those ranges of
/// another part's.
pub fn apply_to_parts<P: Clone>(
    edits: &[PartEdit],
    parts: &[P],
    pick: impl Fn(&P, &TextRanges) -> P,
) -> Vec<P> {
    let mut edited: Vec<Option<P>> = parts.iter().cloned().map(Some).collect();
    let mut at_the_end = Vec::new();
    for PartEdit { part, change } in edits {
        let part = *part as usize;
        let given = &parts[part];
        match change {
            PartChange::Rewrite { text } => edited[part] = Some(pick(given, text)),
            PartChange::Remove => edited[part] = None,
            PartChange::MoveToEnd { text } => {
                edited[part] = None;
                let text = text.as_ref().map(|text| pick(given, text));
                at_the_end.push(Some(text.unwrap_or_else(|| given.clone())));
            }
            PartChange::AppendText { text } => at_the_end.push(Some(pick(given, text))),
        }
    }
    edited.into_iter().chain(at_the_end).flatten().collect()
}
