//! The running turn: a content that gets a fresh block.

use serde::Serialize;

use super::HistoryDeduper;
use super::edits::{PartChange, PartEdit};
use super::elements::{Element, Tag};
use super::message::{CandidateText, TextPlace, UserMessage};
use super::message_blocks::{MessageBlocks, Pruning};
use super::options::KeepBlock;
use super::packed_edits;
use super::states::States;
use turnkeeper_base::text::Text;
use turnkeeper_base::text::white_space::{end_of, trimmed};

/// The treatment of a block that is in the content already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnExisting {
    /// The fresh block takes its place; the default.
    #[default]
    Replace,
    /// It stays and moves to the end, and the fresh block is not needed.
    Keep,
}

/// A block made of the details that a host gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FreshBlock {
    /// The block with its tags.
    pub text: Text,
    /// The index of its tag among the tags of the options.
    pub tag: usize,
}

/// The changes that make a fresh block the last one of a content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BlockPlacement {
    /// The edits of the content before the block is added. They cross as numbers.
    #[serde(serialize_with = "packed_edits::serialize")]
    #[cfg_attr(feature = "typescript", ts(as = "Vec<u32>"))]
    pub edits: Vec<PartEdit>,
    /// Whether the fresh block is to be added. It is not if one that was there stays.
    pub adds_block: bool,
    /// Whether it follows a block of another tag, or a note about something else.
    pub follows_other_block: bool,
    /// The number of blocks in the content that give way.
    pub blocks_removed: u32,
    /// The text that goes with them, in UTF-16 code units.
    pub characters_removed: u32,
    /// If the content is a string, the length of the white space at its end before which the block
    /// goes, in UTF-16 code units.
    pub white_space_after: usize,
}

impl HistoryDeduper {
    /// The edits that take all blocks out of the content, which may be empty then. Of a string, the
    /// `separator` that the host put before the block goes, too, so that any number of rounds leaves the
    /// text as it was.
    pub fn strip(&self, content: &UserMessage, separator: &str) -> Vec<PartEdit> {
        let mut blocks = self.turn_blocks(content, &mut States::default());
        for block in blocks.iter_mut() {
            block.pruning = Pruning::Removed;
        }
        let (mut edits, _) = blocks.edits(true);
        let separator: Vec<u16> = separator.encode_utf16().collect();
        if let Some(whole) = whole_text(content)
            && let [edit] = &mut edits[..]
            && let PartChange::Rewrite { text } = &mut edit.change
        {
            text.cut_before_end(&whole.units, white_space_after(whole), &separator);
        }
        edits
    }

    /// The changes that make a fresh block the last one of the content, and the only one that tells of the same.
    /// The beginning of the block is enough: its first line says what it tells of.
    pub fn place_block(
        &self,
        content: &UserMessage,
        fresh: &FreshBlock,
        on_existing: OnExisting,
    ) -> BlockPlacement {
        let (tag, fresh) = (fresh.tag, fresh.text.to_units());
        let mut states = States::default();
        let mut blocks = self.turn_blocks(content, &mut states);
        let (start, end) = (0, fresh.len());
        let element = Element { tag, start, end };
        let fresh_state = states.told_by(&fresh, &element, self.tags()).state;
        blocks.mark_duplicates(KeepBlock::Last);
        let mut adds_block = true;
        let mut follows_other_block = false;
        for block in blocks.iter_mut() {
            if block.is_duplicate {
                continue;
            }
            if block.told.state != fresh_state {
                follows_other_block = true;
            } else if on_existing == OnExisting::Replace {
                // The fresh block is the one of its state that stays.
                block.is_duplicate = true;
            } else {
                adds_block = false;
            }
        }
        blocks.measure(content, false);
        blocks.mark_moves(content.part_count);
        let (edits, totals) = blocks.edits(false);
        BlockPlacement {
            edits,
            adds_block,
            follows_other_block,
            blocks_removed: totals.blocks_removed(),
            characters_removed: totals.removed().units,
            white_space_after: whole_text(content).map_or(0, white_space_after),
        }
    }

    /// The block that `details` make. White space at both ends goes, and tags that are missing are
    /// added. A tag of the block that is quoted inside would begin or end it, so its `<` becomes
    /// `&lt;`.
    pub fn fresh_block(&self, details: impl Into<Text>) -> FreshBlock {
        let details = details.into().into_units();
        let details = trimmed(&details);
        let mut tags = self.tags().iter().enumerate();
        let found = tags.find_map(|(at, tag)| Some((at, tag.inside_of(details)?.to_vec())));
        let (tag, mut inside) = found.unwrap_or_else(|| {
            let line_end = &[u16::from(b'\n')][..];
            (0, [line_end, details, line_end].concat())
        });
        let Tag { open, close } = &self.tags()[tag];
        for quoted in [open, close] {
            inside = with_quoted(&inside, quoted);
        }
        FreshBlock {
            text: Text::from_units(&[open, &inside[..], close].concat()),
            tag,
        }
    }

    fn turn_blocks(&self, content: &UserMessage, states: &mut States) -> MessageBlocks {
        MessageBlocks::find(content, self.tags(), self.is_embedded(), states)
    }
}

/// The content, if it is a string.
fn whole_text<'a, 'b>(content: &'a UserMessage<'b>) -> Option<&'a CandidateText<'b>> {
    let mut texts = content.texts.iter();
    texts.find(|text| text.place == TextPlace::WholeContent)
}

/// The length of the white space at the text's end, before which a block goes.
fn white_space_after(text: &CandidateText) -> usize {
    text.units.len() - end_of(&text.units)
}

/// The text with the `<` of each bracket in it as `&lt;`.
fn with_quoted(text: &[u16], bracket: &[u16]) -> Vec<u16> {
    let mut quoted = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&unit) = rest.first() {
        if rest.starts_with(bracket) {
            quoted.extend("&lt;".encode_utf16());
            quoted.extend_from_slice(&bracket[1..]);
            rest = &rest[bracket.len()..];
        } else {
            quoted.push(unit);
            rest = &rest[1..];
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DedupeOptions, apply_to_text};

    /// The text with its block, as a host puts it there.
    fn with_block(deduper: &HistoryDeduper, text: &str, separator: &str) -> String {
        let fresh = deduper.fresh_block("10:05");
        let content = UserMessage::from_text(text);
        let placement = deduper.place_block(&content, &fresh, OnExisting::Replace);
        let end = text.len() - placement.white_space_after;
        let block = format!("{separator}{}", fresh.text);
        [&text[..end], &block, &text[end..]].concat()
    }

    #[test]
    fn ten_rounds_leave_a_text_as_it_was() {
        let deduper = HistoryDeduper::new(DedupeOptions::default()).expect("valid");
        for text in [
            "Go on.",
            "",
            "Go on.\n",
            "\n\nGo on. \u{1F600}\n\n",
            "\n\n",
            "线 ",
        ] {
            for separator in ["\n\n", "\n", " ", ""] {
                let mut now = text.to_owned();
                for _ in 0..10 {
                    let sent = with_block(&deduper, &now, separator);
                    let edits = deduper.strip(&UserMessage::from_text(&sent), separator);
                    now = apply_to_text(&edits, &sent);
                }
                assert_eq!(now, text, "{separator:?}");
            }
        }
    }

    #[test]
    fn what_is_no_separator_stays() {
        let deduper = HistoryDeduper::new(DedupeOptions::default()).expect("valid");
        for (text, rest) in [
            (
                "Go on.\n<environment_details>x</environment_details>",
                "Go on.\n",
            ),
            (
                "Go on.\n\n\n<environment_details>x</environment_details>",
                "Go on.\n",
            ),
            ("Go on.\n\n", "Go on.\n\n"),
        ] {
            let edits = deduper.strip(&UserMessage::from_text(text), "\n\n");
            assert_eq!(apply_to_text(&edits, text), rest);
        }
    }

    #[test]
    fn details_become_exactly_one_block() {
        let options = DedupeOptions::from_json(r#"{"tags": ["a", "b"]}"#).expect("valid");
        let deduper = HistoryDeduper::new(options).expect("valid");
        for (details, text, tag) in [
            ("x", "<a>\nx\n</a>", 0),
            (" <b>x</b>\n", "<b>x</b>", 1),
            ("<a>x", "<a>\n&lt;a>x\n</a>", 0),
            ("<a>x</a>y</a>", "<a>x&lt;/a>y</a>", 0),
            ("<b><a>x</a></b>", "<b><a>x</a></b>", 1),
        ] {
            let text = Text::from(text);
            assert_eq!(deduper.fresh_block(details), FreshBlock { text, tag });
        }
    }
}
