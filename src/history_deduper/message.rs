//! One message: which of its blocks go, stay or move, and the edits that make it so.

use std::ops::Range;

use super::blocks::{Block, Tag, is_white, sole_block, trailing_run};
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
    /// Nothing until it is measured.
    pub(crate) size: Size,
    /// Whether it is the one of its tag that stays in the message.
    pub(crate) is_kept: bool,
    moves: bool,
    pub(crate) older: Older,
}

/// A text that holds blocks.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    part: u32,
    kind: TextKind,
    length: usize,
    /// The block is all that the part is for.
    is_sole: bool,
    /// Nothing but white space stands before the blocks.
    is_bare: bool,
    pub(crate) found: Vec<Found>,
    /// The text's place among those of the message.
    pub(crate) text: usize,
}

/// The blocks of a message.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) holders: Vec<Holder>,
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
        let mut has_more = message.has_more;
        let mut holders = Vec::new();
        for (at, text) in message.texts.iter().enumerate() {
            match Holder::read(at, text, tags, embedded) {
                Some(holder) => {
                    has_more |= !holder.is_bare;
                    holders.push(holder);
                }
                None => has_more |= !text.units.iter().copied().all(is_white),
            }
        }
        Self { holders, has_more }
    }

    /// Decides for each tag which block stays, the last or the first.
    pub(crate) fn keep_one(&mut self, keep: KeepBlock) {
        let mut seen: Vec<usize> = Vec::new();
        let mut keep_unseen = |found: &mut Found| {
            found.is_kept = !seen.contains(&found.block.tag);
            seen.push(found.block.tag);
        };
        let all = self.holders.iter_mut().flat_map(|holder| &mut holder.found);
        match keep {
            KeepBlock::First => all.for_each(&mut keep_unseen),
            KeepBlock::Last => all.rev().for_each(&mut keep_unseen),
        }
    }

    /// Measures the blocks that go, or all that may.
    pub(crate) fn measure(&mut self, message: &Message, all: bool) {
        for holder in &mut self.holders {
            let units = message.texts[holder.text].units;
            for found in &mut holder.found {
                if all || !found.is_kept {
                    found.size = Size::of(&units[found.block.start..found.block.end]);
                }
            }
        }
    }

    pub(crate) fn kept(&mut self) -> impl Iterator<Item = (usize, &mut Found)> {
        self.holders.iter_mut().flat_map(|holder| {
            let text = holder.text;
            let kept = holder.found.iter_mut().filter(|found| found.is_kept);
            kept.map(move |found| (text, found))
        })
    }

    /// Decides which of the kept blocks have to move: those behind which something else stands.
    pub(crate) fn place(&mut self, parts: u32) {
        let mut next = parts;
        let mut is_end = true;
        for holder in self.holders.iter_mut().rev() {
            if holder.kind != TextKind::Content {
                // A part in between holds no block.
                is_end &= holder.part + 1 == next;
                next = holder.part;
            }
            let moves = !is_end;
            holder
                .found
                .iter_mut()
                .for_each(|found| found.moves = moves);
            // What stands before the blocks of a text is not at the end, nor what precedes it.
            is_end &= holder.vanishes_if_empty();
        }
        if self.kept().any(|(_, found)| found.moves) {
            // Those at the end move, too, so that all keep their order.
            let sole = self.holders.iter_mut().filter(|holder| holder.is_sole);
            sole.for_each(|holder| holder.found[0].moves = true);
        }
    }

    /// The edits, and what they amount to. `ages` says whether older blocks go and shrink.
    pub(crate) fn edits(&self, ages: bool) -> (Plan, Outcome) {
        let mut plan = Plan::new();
        let mut outcome = Outcome::default();
        for holder in &self.holders {
            holder.edits(ages, &mut plan, &mut outcome);
        }
        (plan, outcome)
    }
}

impl Holder {
    fn read(at: usize, text: &Text, tags: &[Tag], embedded: bool) -> Option<Self> {
        let sole = match text.kind {
            TextKind::Part => sole_block(text.units, tags),
            _ => None,
        };
        let is_sole = sole.is_some();
        let blocks = match sole {
            Some(block) => vec![block],
            None if embedded || text.kind == TextKind::Content => trailing_run(text.units, tags),
            None => return None,
        };
        let head = blocks.first()?.start;
        let is_bare = text.units[..head].iter().copied().all(is_white);
        if is_bare && text.kind == TextKind::ToolResult {
            // No host appended it: it is what the tool said.
            return None;
        }
        let found = blocks.into_iter().map(|block| Found {
            block,
            size: Size::default(),
            is_kept: true,
            moves: false,
            older: Older::Stays,
        });
        Some(Self {
            part: text.part,
            kind: text.kind,
            length: text.units.len(),
            is_sole,
            is_bare,
            found: found.collect(),
            text: at,
        })
    }

    fn vanishes_if_empty(&self) -> bool {
        self.is_bare && self.kind == TextKind::Part
    }

    fn edits(&self, ages: bool, plan: &mut Plan, outcome: &mut Outcome) {
        let mut text = self.rest();
        let mut appended = Vec::new();
        let (mut is_touched, mut is_empty) = (false, true);
        // Where the white space before the next block begins.
        let mut behind = self.found[0].block.start;
        for found in &self.found {
            let block = found.block;
            let white = behind..block.start;
            behind = block.end;
            let mut ranges: Vec<_> = std::iter::once(block.start..block.end).collect();
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
                        ranges.clone_from(kept);
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
                appended.push(ranges);
            } else {
                let tail = text.len() - 1;
                if !is_empty {
                    text.splice(tail..tail, std::iter::once(white).chain(ranges));
                    continue;
                }
                // The first that stays follows the text and the white space behind that.
                text.splice(tail..tail, ranges);
                is_empty = false;
            }
            outcome.gone += Size::white(white.len());
        }
        if !is_touched {
            return;
        }
        let is_dropped = is_empty && self.vanishes_if_empty();
        if is_dropped {
            outcome.gone += Size::white(text.iter().map(Range::len).sum());
        }
        let moves = self.is_sole && self.found[0].moves && !is_empty;
        let action = match (is_dropped, moves) {
            (true, _) => Action::Drop,
            (_, true) => Action::Move,
            _ => Action::Rewrite,
        };
        let is_whole = text.iter().map(Range::len).sum::<usize>() == self.length;
        let ranges = if is_dropped || (moves && is_whole) {
            Vec::new()
        } else {
            text
        };
        let part = self.part;
        plan.push(Edit {
            part,
            action,
            ranges,
        });
        plan.extend(appended.into_iter().map(|ranges| Edit {
            part,
            action: Action::Append,
            ranges,
        }));
    }

    /// What stands before the blocks, and the white space behind them.
    fn rest(&self) -> Vec<Range<usize>> {
        let first = self.found.first().expect("a holder holds one");
        let last = self.found.last().expect("a holder holds one");
        vec![0..first.block.start, last.block.end..self.length]
    }
}
