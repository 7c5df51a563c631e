//! The parts of a Markdown text that are code: fenced blocks and inline code, as CommonMark has
//! them.
//!
//! Every machine that treats code differently asks here: the assembler leaves references in code alone,
//! the deduper takes a block that is quoted in code for no block, and the loop detector does not compare
//! what a fenced block holds. The last one reads a stream, and so asks [`MarkdownBlocks`] line by line.
//!
//! Indented code is known for what it is, so that no fence begins or ends in it; but for every
//! machine it is text, since a paragraph that is only indented must not lose its references. Left out
//! of CommonMark are HTML (a fence in it is a fence, and a backtick in a tag a backtick) and
//! definitions of links. gemini-cli's profile counts fences as gemini-cli does, see
//! `loop_detector/rules/windows/markdown.rs`.

mod blocks;
mod inline;
mod line;

use std::ops::Range;

use self::inline::InlineCode;
use super::find::{find_code_mark, find_newline};

pub use self::blocks::{LineStart, MarkdownBlocks};
pub use self::line::{BACKTICK, Fence, Line, TILDE};

/// The code of a text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct MarkdownCode {
    ranges: Vec<Range<usize>>,
    unclosed_fence: Option<usize>,
}

impl MarkdownCode {
    /// Reads a whole text.
    pub fn of(text: &[u16]) -> Self {
        let mut code = Self::default();
        if find_code_mark(text, 0) == text.len() {
            return code;
        }
        let mut blocks = MarkdownBlocks::default();
        let mut paragraph = InlineCode::default();
        let mut fence_start = 0;
        let mut start = 0;
        while start < text.len() {
            let end = find_newline(text, start);
            let (line, ends_code) = blocks.push_line(&text[start..end]);
            if ends_code {
                code.ranges.push(fence_start..start);
            }
            let after_line = text.len().min(end + 1);
            if line != Line::Continuation {
                paragraph.end_paragraph(&mut code.ranges);
            }
            match line {
                Line::Paragraph | Line::Continuation | Line::Single => {
                    paragraph.push_line(text, start..end);
                }
                Line::OpeningFence { .. } => fence_start = start,
                Line::ClosingFence => code.ranges.push(fence_start..after_line),
                Line::Blank | Line::Code => {}
            }
            start = after_line;
        }
        paragraph.end_paragraph(&mut code.ranges);
        if blocks.is_in_code() {
            code.ranges.push(fence_start..text.len());
            code.unclosed_fence = Some(fence_start);
        }
        code
    }

    /// The ranges, in order, without overlap. A fenced block is one from the beginning of the fence's
    /// line to the end of the last one.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// The start of the line of a fence that nothing closes; the code goes on to the end.
    pub fn unclosed_fence(&self) -> Option<usize> {
        self.unclosed_fence
    }

    /// The end of the code that the unit at `index` is in, if it is in any.
    pub fn end_of(&self, index: usize) -> Option<usize> {
        let before = self.ranges.partition_point(|range| range.end <= index);
        let next = self.ranges.get(before)?;
        (next.start <= index).then_some(next.end)
    }

    /// Whether the unit at `index` is code.
    pub fn contains(&self, index: usize) -> bool {
        self.end_of(index).is_some()
    }
}

#[cfg(test)]
mod tests;
