//! Which parts of a Markdown text are code: fenced blocks and inline code.

use std::ops::Range;

use super::{BACKSLASH, NEWLINE, Remark, is_blank};

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
        if !units.iter().any(|unit| matches!(*unit, BACKTICK | TILDE)) {
            return Self::default();
        }
        let mut code = Self::default();
        let mut fence: Option<(usize, u16, usize)> = None;
        // Runs of backticks in the paragraph that is being read.
        let mut runs = Vec::new();
        let mut start = 0;
        while start < units.len() {
            let end = units[start..]
                .iter()
                .position(|&unit| unit == NEWLINE)
                .map_or(units.len(), |newline| start + newline + 1);
            let line = &units[start..end];
            match fence {
                Some((from, mark, count)) => {
                    if closes(line, mark, count) {
                        code.ranges.push(from..end);
                        fence = None;
                    }
                }
                None => match opens(line) {
                    Some((mark, count)) => {
                        code.inline(&mut runs);
                        fence = Some((start, mark, count));
                    }
                    None if line.iter().all(|&unit| is_blank(unit) || unit == NEWLINE) => {
                        code.inline(&mut runs);
                    }
                    None => backticks(line, start, &mut runs),
                },
            }
            start = end;
        }
        code.inline(&mut runs);
        if let Some((from, ..)) = fence {
            code.ranges.push(from..units.len());
            code.unclosed = Some(from);
        }
        code
    }

    /// The ranges, in order, without overlap.
    pub(crate) fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    pub(crate) fn remarks(&self) -> impl Iterator<Item = Remark> {
        self.unclosed
            .map(|at| Remark::error(at, "unclosed_fence", "nothing closes this block of code"))
            .into_iter()
    }

    /// Pairs runs of equally many backticks; what stands between them is code.
    fn inline(&mut self, runs: &mut Vec<Range<usize>>) {
        let mut next = vec![None; runs.len()];
        let longest = runs.iter().map(Range::len).max().unwrap_or(0);
        // The run of each length that was met last, from the end on.
        let mut last_of = vec![None; longest + 1];
        for (place, run) in runs.iter().enumerate().rev() {
            next[place] = last_of[run.len()].replace(place);
        }
        let mut place = 0;
        while place < runs.len() {
            match next[place] {
                Some(closing) => {
                    self.ranges.push(runs[place].start..runs[closing].end);
                    place = closing + 1;
                }
                None => place += 1,
            }
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

/// The line without indentation and quote marks.
fn content(line: &[u16]) -> &[u16] {
    let start = line
        .iter()
        .position(|&unit| !is_blank(unit) && unit != u16::from(b'>'))
        .unwrap_or(line.len());
    &line[start..]
}

fn marks(content: &[u16]) -> Option<(u16, usize)> {
    let &mark = content.first()?;
    let count = content.iter().take_while(|&&unit| unit == mark).count();
    (matches!(mark, BACKTICK | TILDE) && count >= 3).then_some((mark, count))
}

fn opens(line: &[u16]) -> Option<(u16, usize)> {
    let content = content(line);
    let (mark, count) = marks(content)?;
    // Inline code may have three backticks, too.
    (mark == TILDE || !content[count..].contains(&BACKTICK)).then_some((mark, count))
}

fn closes(line: &[u16], mark: u16, count: usize) -> bool {
    let content = content(line);
    marks(content).is_some_and(|(other, many)| {
        let rest = &content[many..];
        other == mark && many >= count && rest.iter().all(|&unit| is_blank(unit) || unit == NEWLINE)
    })
}

/// The runs of backticks in a line; a backslash takes the first of them away.
fn backticks(line: &[u16], start: usize, runs: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(found) = line[at..].iter().position(|&unit| unit == BACKTICK) {
        let from = at + found;
        let end = line[from..]
            .iter()
            .position(|&unit| unit != BACKTICK)
            .map_or(line.len(), |length| from + length);
        let escaped = line[..from]
            .iter()
            .rev()
            .take_while(|&&unit| unit == BACKSLASH)
            .count()
            % 2;
        // Within code a backslash is only itself, and so the run before the code's end is whole;
        // that is left aside here, as `\`` at the end of inline code is rare.
        if from + escaped < end {
            runs.push(start + from + escaped..start + end);
        }
        at = end;
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
                Some(_) if units[at] != NEWLINE => u16::from(b'#'),
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
        let remarks: Vec<_> = Code::find(&units).remarks().collect();
        assert_eq!((remarks.len(), remarks[0].at), (1, 2));
    }

    #[test]
    fn many_runs_take_no_longer_than_their_length() {
        let text: String = (1..2_000).map(|n| "`".repeat(n % 700) + " ").collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert!(!Code::find(&units).ranges().is_empty());
    }
}
