//! Which parts of a Markdown text are code: fenced blocks and inline code.

use std::ops::Range;

use turnkeeper_kernels::{find_code_mark, find_newline};

use super::super::Diagnostic;
use super::{BACKSLASH, find_unit, is_blank, part, unit_at};

const BACKTICK: u16 = b'`' as u16;
const TILDE: u16 = b'~' as u16;

/// The code of a text, in order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Code {
    ranges: Vec<Range<usize>>,
    /// Where a fence begins that nothing closes; the code goes on to the end.
    unclosed: Option<usize>,
}

impl Code {
    pub(crate) fn find(units: &[u16]) -> Self {
        let mut code = Self::default();
        if find_code_mark(units, 0) == units.len() {
            return code;
        }
        // Where the open fence begins, and its marks.
        let mut fence: Option<(usize, &[u16])> = None;
        // Runs of backticks in the paragraph that is being read.
        let mut runs = Vec::new();
        let mut start = 0;
        while start < units.len() {
            let end = find_newline(units, start);
            let line = part(units, start, end);
            let (marks, rest) = marks(line);
            let is_blank = is_blank_line(rest);
            if let Some((from, opening)) = fence {
                let is_same = marks.first() == opening.first();
                if is_same && marks.len() >= opening.len() && is_blank {
                    code.ranges.push(from..units.len().min(end + 1));
                    fence = None;
                }
            } else if !marks.is_empty() && (marks[0] == TILDE || !rest.contains(&BACKTICK)) {
                // Inline code may have three backticks, too.
                code.inline(&mut runs);
                fence = Some((start, marks));
            } else if is_blank_line(line) {
                code.inline(&mut runs);
            } else {
                backticks(line, start, &mut runs);
            }
            start = end + 1;
        }
        code.inline(&mut runs);
        if let Some((from, _)) = fence {
            code.ranges.push(from..units.len());
            code.unclosed = Some(from);
        }
        code
    }

    /// The ranges, in order, without overlap.
    pub(crate) fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    pub(crate) fn remark(&self, remarks: &mut Vec<Diagnostic>) {
        if let Some(at) = self.unclosed {
            let message = "nothing closes this block of code";
            remarks.push(Diagnostic::error(at, "unclosed_fence", message));
        }
    }

    /// Pairs runs of equally many backticks; what stands between them is code.
    fn inline(&mut self, runs: &mut Vec<Range<usize>>) {
        let mut longest = 0;
        for run in &*runs {
            longest = longest.max(run.len());
        }
        // The next run as long as each, itself if there is none; and the run of each length that
        // was met last, from the end on.
        let mut next = vec![0; runs.len()];
        let mut last_of = vec![usize::MAX; longest + 1];
        for (place, run) in runs.iter().enumerate().rev() {
            let last = &mut last_of[run.len()];
            next[place] = if *last == usize::MAX { place } else { *last };
            *last = place;
        }
        let mut place = 0;
        while place < runs.len() {
            let closing = next[place];
            if closing > place {
                self.ranges.push(runs[place].start..runs[closing].end);
            }
            place = closing + 1;
        }
        runs.clear();
    }
}

/// Asks about offsets that never decrease.
pub(crate) struct Cursor<'a> {
    ranges: &'a [Range<usize>],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(ranges: &'a [Range<usize>]) -> Self {
        Self { ranges }
    }

    /// The end of the range that holds the offset.
    pub(crate) fn end_of(&mut self, at: usize) -> Option<usize> {
        while let Some((first, rest)) = self.ranges.split_first() {
            if first.end > at {
                return (first.start <= at).then_some(first.end);
            }
            self.ranges = rest;
        }
        None
    }
}

fn is_blank_line(line: &[u16]) -> bool {
    line.iter().all(|&unit| is_blank(unit))
}

/// The marks of a fence behind indentation and quote marks, none if the line has none, and what
/// follows them.
fn marks(line: &[u16]) -> (&[u16], &[u16]) {
    let mut start = 0;
    while is_blank(unit_at(line, start)) || unit_at(line, start) == u16::from(b'>') {
        start += 1;
    }
    let mark = unit_at(line, start);
    let mut end = start;
    while end < line.len() && line[end] == mark {
        end += 1;
    }
    if !matches!(mark, BACKTICK | TILDE) || end - start < 3 {
        end = start;
    }
    line[start..].split_at(end - start)
}

/// The runs of backticks in a line; a backslash takes the first of them away.
fn backticks(line: &[u16], start: usize, runs: &mut Vec<Range<usize>>) {
    let mut at = 0;
    loop {
        let from = find_unit(line, at, BACKTICK);
        if from == line.len() {
            return;
        }
        at = from;
        while unit_at(line, at) == BACKTICK {
            at += 1;
        }
        let mut backslash = from;
        while backslash > 0 && line[backslash - 1] == BACKSLASH {
            backslash -= 1;
        }
        let escaped = (from - backslash) % 2;
        // Within code a backslash is only itself, and so the run before the code's end is whole;
        // that is left aside here, as `\`` at the end of inline code is rare.
        if from + escaped < at {
            runs.push(start + from + escaped..start + at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `#` for every unit of code.
    fn marked(text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        let code = Code::find(&units);
        let mut cursor = Cursor::new(code.ranges());
        let marked: Vec<u16> = (0..units.len())
            .map(|at| match cursor.end_of(at) {
                Some(_) if units[at] != super::super::NEWLINE => u16::from(b'#'),
                _ => units[at],
            })
            .collect();
        String::from_utf16(&marked).expect("whole characters")
    }

    #[test]
    fn fences_and_inline_code() {
        let table = [
            ("plain ~ text", "plain ~ text"),
            ("a `b` c", "a ### c"),
            ("a ``b ` c`` d", "a ######### d"),
            ("a ` b", "a ` b"),
            ("a `b\nc` d", "a ##\n## d"),
            ("a `b\n\nc` d", "a `b\n\nc` d"),
            (r"a \`b` c", r"a \`b` c"),
            ("x\n```js\nlet a;\n```\ny", "x\n#####\n######\n###\ny"),
            ("````\n```\n````\ny", "####\n###\n####\ny"),
            ("  ~~~\n```\n  ~~~  \ny", "#####\n###\n#######\ny"),
            ("```a```\ny", "#######\ny"),
            ("> ```\n> x\n> ```\ny", "#####\n###\n#####\ny"),
        ];
        for (text, expected) in table {
            assert_eq!(marked(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_unclosed_fence_is_code_to_the_end() {
        assert_eq!(marked("a\n```\nb"), "a\n###\n#");
        let units: Vec<u16> = "a\n```\nb".encode_utf16().collect();
        let mut remarks = Vec::new();
        Code::find(&units).remark(&mut remarks);
        assert_eq!((remarks.len(), remarks[0].column), (1, 2));
    }

    #[test]
    fn many_runs_take_no_longer_than_their_length() {
        let text: String = (1..2_000).map(|n| "`".repeat(n % 700) + " ").collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert!(!Code::find(&units).ranges().is_empty());
    }
}
