//! One message: which of its blocks go, stay or move, and the edits that make it so.

use std::ops::Range;

use super::blocks::{Block, Tag, is_blank, sole_block, trailing_run};
use super::options::KeepBlock;
use super::report::DedupeReason;
use turnkeeper_kernels::Size;

/// Where a text stands in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// It is the whole content.
    Content,
    /// It is a part of its own.
    Part,
    /// It is the last text of a tool's result.
    ToolResult,
}

/// A text of a message that may hold blocks.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// The place of its part among the message's, from 0.
    pub part: u32,
    /// What it is.
    pub kind: TextKind,
    /// Its UTF-16 code units; unpaired surrogates are as good as any.
    pub units: &'a [u16],
}

/// What the deduper has to know of a user message. Texts that cannot end with a closing tag need
/// not be among `texts`.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// The texts that may hold blocks, in the order of their parts.
    pub texts: &'a [Text<'a>],
    /// How many parts the message has.
    pub parts: u32,
    /// Whether one of the parts that are not in `texts` holds anything but white space.
    pub has_more: bool,
}

/// What becomes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It becomes what the ranges of it are together.
    Rewrite,
    /// Its part goes.
    Drop,
    /// Its part goes to the end of the message; its text becomes the ranges, if there are any.
    Move,
    /// The ranges become a text part of their own at the end of the message.
    Append,
}

/// One step of a [`Plan`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The place of the part, as the message was.
    pub part: u32,
    /// What becomes of it.
    pub action: Action,
    /// Ranges of UTF-16 code units of the text as it was.
    pub ranges: Vec<Range<usize>>,
}

impl Edit {
    /// What the ranges of a text are together.
    pub fn pick(&self, units: &[u16]) -> Vec<u16> {
        let ranges = self.ranges.iter().cloned();
        ranges.flat_map(|range| &units[range]).copied().collect()
    }
}

/// What is to be done to one message, in the order of its parts; nothing, for most.
pub type Plan = Vec<Edit>;

/// What becomes of a block for the sake of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Older {
    Stays,
    Goes,
    /// These ranges of its text stay, of which so much is left.
    Shrinks(Vec<Range<usize>>, Size),
}

#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) block: Block,
    /// The place of its text among those of the message.
    pub(crate) text: usize,
    /// Nothing until it is measured.
    pub(crate) size: Size,
    /// Whether it is the one of its tag that stays in the message.
    pub(crate) is_kept: bool,
    moves: bool,
    pub(crate) older: Older,
}

/// A text that holds blocks.
#[derive(Debug, Clone)]
struct Holder {
    part: u32,
    kind: TextKind,
    length: usize,
    /// The block is all that the part is for.
    is_sole: bool,
    /// Nothing but white space stands before the blocks.
    is_bare: bool,
    /// Where its blocks begin among those of the message, and end.
    first: usize,
    end: usize,
}

/// The blocks of a message.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    holders: Vec<Holder>,
    pub(crate) found: Vec<Found>,
    /// Whether anything would be left without the blocks.
    pub(crate) has_more: bool,
}

/// What a message's edits amount to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) blocks: u32,
    pub(crate) shortened: u32,
    pub(crate) gone: Size,
    pub(crate) reason: Option<DedupeReason>,
}

impl Layout {
    pub(crate) fn read(message: &Message, tags: &[Tag], embedded: bool) -> Self {
        let mut layout = Self {
            holders: Vec::new(),
            found: Vec::new(),
            has_more: message.has_more,
        };
        for (at, text) in message.texts.iter().enumerate() {
            if !layout.add(at, text, tags, embedded) {
                layout.has_more |= !is_blank(text.units);
            }
        }
        layout
    }

    /// Takes in a text, if it holds blocks.
    fn add(&mut self, at: usize, text: &Text, tags: &[Tag], embedded: bool) -> bool {
        let sole = match text.kind {
            TextKind::Part => sole_block(text.units, tags),
            _ => None,
        };
        let is_sole = sole.is_some();
        let blocks = match sole {
            Some(block) => vec![block],
            None if embedded || text.kind == TextKind::Content => trailing_run(text.units, tags),
            None => return false,
        };
        let Some(head) = blocks.first() else {
            return false;
        };
        let is_bare = is_blank(&text.units[..head.start]);
        if is_bare && text.kind == TextKind::ToolResult {
            // No host appended it: it is what the tool said.
            return false;
        }
        self.has_more |= !is_bare;
        let first = self.found.len();
        for block in &blocks {
            self.found.push(Found {
                block: *block,
                text: at,
                size: Size::default(),
                is_kept: true,
                moves: false,
                older: Older::Stays,
            });
        }
        self.holders.push(Holder {
            part: text.part,
            kind: text.kind,
            length: text.units.len(),
            is_sole,
            is_bare,
            first,
            end: self.found.len(),
        });
        true
    }

    /// Decides for each of so many tags which block stays, the last or the first.
    pub(crate) fn keep_one(&mut self, keep: KeepBlock, tags: usize) {
        let mut seen = vec![false; tags];
        let count = self.found.len();
        for step in 0..count {
            let place = match keep {
                KeepBlock::First => step,
                KeepBlock::Last => count - 1 - step,
            };
            let found = &mut self.found[place];
            found.is_kept = !seen[found.block.tag];
            seen[found.block.tag] = true;
        }
    }

    /// Measures the blocks that go, or all that may.
    pub(crate) fn measure(&mut self, message: &Message, all: bool) {
        for found in &mut self.found {
            if all || !found.is_kept {
                let units = message.texts[found.text].units;
                found.size = Size::of(&units[found.block.start..found.block.end]);
            }
        }
    }

    /// Decides which of the kept blocks have to move: those behind which something else stands.
    pub(crate) fn place(&mut self, parts: u32) {
        let mut next = parts;
        let mut is_end = true;
        let mut any_moves = false;
        for holder in self.holders.iter().rev() {
            if holder.kind != TextKind::Content {
                // A part in between holds no block.
                is_end &= holder.part + 1 == next;
                next = holder.part;
            }
            for found in &mut self.found[holder.first..holder.end] {
                found.moves = !is_end;
                any_moves |= found.is_kept && found.moves;
            }
            // What stands before the blocks of a text is not at the end, nor what precedes it.
            is_end &= holder.vanishes_if_empty();
        }
        if any_moves {
            // Those at the end move, too, so that all keep their order.
            for holder in &self.holders {
                if holder.is_sole {
                    self.found[holder.first].moves = true;
                }
            }
        }
    }

    /// The edits, and what they amount to. `ages` says whether older blocks go and shrink.
    pub(crate) fn edits(&self, ages: bool) -> (Plan, Outcome) {
        let mut plan = Plan::new();
        let mut outcome = Outcome::default();
        for holder in &self.holders {
            let found = &self.found[holder.first..holder.end];
            holder.edits(found, ages, &mut plan, &mut outcome);
        }
        (plan, outcome)
    }
}

impl Holder {
    fn vanishes_if_empty(&self) -> bool {
        self.is_bare && self.kind == TextKind::Part
    }

    fn edits(&self, found: &[Found], ages: bool, plan: &mut Plan, outcome: &mut Outcome) {
        let mut appended = Plan::new();
        let (mut is_touched, mut is_empty) = (false, true);
        // Where the white space before the next block begins.
        let mut behind = found.first().map_or(0, |found| found.block.start);
        // What stands before the blocks, those that stay, and the white space behind them.
        let before = 0..behind;
        let mut text = vec![before];
        for found in found {
            let block = found.block;
            let white = behind..block.start;
            behind = block.end;
            let whole = block.start..block.end;
            let mut ranges = std::slice::from_ref(&whole);
            let mut reason = found.moves.then_some(DedupeReason::Moved);
            let mut is_gone = !found.is_kept;
            if is_gone {
                reason = Some(DedupeReason::Duplicates);
            } else if ages {
                match &found.older {
                    Older::Stays => {}
                    Older::Goes => {
                        is_gone = true;
                        reason = Some(DedupeReason::Recent);
                    }
                    Older::Shrinks(kept, size) => {
                        outcome.gone += found.size - *size;
                        outcome.shortened += 1;
                        ranges = kept;
                        reason = Some(DedupeReason::Sections);
                    }
                }
            }
            outcome.reason = outcome.reason.max(reason);
            is_touched |= reason.is_some();
            if is_gone {
                outcome.blocks += 1;
                outcome.gone += found.size;
            } else if found.moves && !self.is_sole {
                appended.push(Edit {
                    part: self.part,
                    action: Action::Append,
                    ranges: ranges.to_vec(),
                });
            } else {
                // The first that stays follows the text and the white space behind that.
                let is_first = is_empty;
                is_empty = false;
                if !is_first {
                    text.push(white);
                    text.extend_from_slice(ranges);
                    continue;
                }
                text.extend_from_slice(ranges);
            }
            outcome.gone += Size::white(white.len());
        }
        if !is_touched {
            return;
        }
        text.push(behind..self.length);
        let length = length_of(&text);
        let is_dropped = is_empty && self.vanishes_if_empty();
        if is_dropped {
            outcome.gone += Size::white(length);
        }
        let moves = self.is_sole && !is_empty && found.first().is_some_and(|found| found.moves);
        if is_dropped || (moves && length == self.length) {
            text.clear();
        }
        plan.push(Edit {
            part: self.part,
            action: if is_dropped {
                Action::Drop
            } else if moves {
                Action::Move
            } else {
                Action::Rewrite
            },
            ranges: text,
        });
        plan.append(&mut appended);
    }
}

fn length_of(ranges: &[Range<usize>]) -> usize {
    let mut length = 0;
    for range in ranges {
        length += range.len();
    }
    length
}
