//! The environment at the end of the newest message.

use turnkeeper_base::text::Text;
use turnkeeper_ghost_block::Part;
use turnkeeper_history_deduper::{
    CandidateText, OnExisting, PartChange, PartEdit, TextPlace, TextRanges, UserMessage,
    apply_to_parts,
};

use super::{Decision, TurnOrder};

impl TurnOrder {
    /// The parts of the message of a turn, with the environment as the last one. Blocks that give way to it are in the
    /// log. A blank environment says that there is nothing to tell: none is added.
    pub(crate) fn with_environment(
        &mut self,
        turn: u64,
        parts: Vec<Part>,
        environment: &str,
    ) -> Vec<Part> {
        let fresh = self.deduper.fresh_block(environment);
        let last = with_separator(&self.state.separator, &fresh.text);
        let units: Vec<Option<Vec<u16>>> = parts.iter().map(units_of).collect();
        let texts = (0..).zip(&units).filter_map(|(at, units)| {
            let units = units.as_deref()?;
            Some(CandidateText::from_utf16(at, TextPlace::TextPart, units))
        });
        let texts: Vec<CandidateText> = texts.collect();
        let content = UserMessage {
            has_other_content: texts.len() < parts.len(),
            part_count: parts.len() as u32,
            texts,
        };
        let placement = self
            .deduper
            .place_block(&content, &fresh, OnExisting::Replace);
        let edits = &placement.edits;
        let mut edited = apply_to_parts(edits, &parts, picked);
        let mut blocks = placement.blocks_removed;
        if environment.trim().is_empty() {
            if edits.is_empty() || edited.is_empty() {
                return parts;
            }
            self.note(Decision::EnvironmentReplaced, blocks.into(), Some(turn));
            return edited;
        }
        let is_there = parts.last() == Some(&last);
        blocks -= u32::from(is_there);
        // All there may be to do is to put the last part in its own place.
        if !(edits.is_empty() || is_there && removes_only(edits, parts.len() - 1)) {
            self.note(Decision::EnvironmentReplaced, blocks.into(), Some(turn));
        }
        edited.push(last);
        edited
    }
}

/// The block as a part of its own.
fn with_separator(separator: &str, block: &Text) -> Part {
    let mut units = Text::from(separator).into_units();
    units.extend(block.to_units());
    Part::Text(Text::from_units(&units))
}

fn removes_only(edits: &[PartEdit], part: usize) -> bool {
    matches!(edits, [edit] if edit.part as usize == part && edit.change == PartChange::Remove)
}

fn units_of(part: &Part) -> Option<Vec<u16>> {
    match part {
        Part::Text(text) => Some(text.to_units()),
        Part::Image(_) => None,
    }
}

fn picked(part: &Part, ranges: &TextRanges) -> Part {
    let units = units_of(part).unwrap_or_default();
    Part::Text(Text::from_units(&ranges.pick_utf16(&units)))
}
