//! Inline code within one paragraph.

use std::ops::Range;

use super::line::BACKTICK;

const BACKSLASH: u16 = b'\\' as u16;

/// Backticks in a row.
#[derive(Debug)]
struct Ticks {
    range: Range<usize>,
    /// A backslash is before them, so that the first of them is text unless it ends code.
    is_escaped: bool,
    /// The next run of as many, and of one less, if there are any: by the index among the runs.
    next_as_long: Option<usize>,
    next_one_shorter: Option<usize>,
}

/// Finds the inline code of one paragraph after another.
#[derive(Debug, Default)]
pub(super) struct InlineCode {
    ticks: Vec<Ticks>,
}

impl InlineCode {
    /// Takes a line of a paragraph.
    pub(super) fn push_line(&mut self, units: &[u16], line: Range<usize>) {
        let mut at = line.start;
        while let Some(before) = units[at..line.end]
            .iter()
            .position(|&unit| unit == BACKTICK)
        {
            let start = at + before;
            let length = units[start..line.end]
                .iter()
                .take_while(|&&unit| unit == BACKTICK)
                .count();
            let backslashes = units[at..start]
                .iter()
                .rev()
                .take_while(|&&unit| unit == BACKSLASH);
            self.ticks.push(Ticks {
                range: start..start + length,
                // Two backslashes are one that is escaped.
                is_escaped: backslashes.count() % 2 == 1,
                next_as_long: None,
                next_one_shorter: None,
            });
            at = start + length;
        }
    }

    /// The paragraph ends: adds its code to `ranges`. Rows of equally many backticks begin and end code.
    pub(super) fn end_paragraph(&mut self, ranges: &mut Vec<Range<usize>>) {
        self.link();
        let mut index = 0;
        while let Some(opening) = self.ticks.get(index) {
            let (start, closing) = match opening.is_escaped {
                false => (opening.range.start, opening.next_as_long),
                true => (opening.range.start + 1, opening.next_one_shorter),
            };
            index += 1;
            if let Some(closing) = closing {
                ranges.push(start..self.ticks[closing].range.end);
                index = closing + 1;
            }
        }
        self.ticks.clear();
    }

    /// Links each run to the next ones that may end what it begins.
    fn link(&mut self) {
        let longest = self.ticks.iter().map(|ticks| ticks.range.len()).max();
        // By length, the run that was met last, from the end on.
        let mut met = vec![None; longest.unwrap_or(0) + 1];
        for (index, ticks) in self.ticks.iter_mut().enumerate().rev() {
            let length = ticks.range.len();
            ticks.next_as_long = met[length];
            ticks.next_one_shorter = met[length - 1];
            met[length] = Some(index);
        }
    }
}
