//! Pairs of brackets.

use std::ops::Range;

use super::find::find_newline;

const OPEN_BRACKET: u16 = b'[' as u16;
const CLOSE_BRACKET: u16 = b']' as u16;
const OPEN_PAREN: u16 = b'(' as u16;
const CLOSE_PAREN: u16 = b')' as u16;

/// Pairs the brackets, and the parentheses, of one line after another, each line once.
#[derive(Debug, Default)]
pub struct Brackets {
    line: Range<usize>,
    /// The places where each opens and closes, in order; the end of the line for what nothing
    /// closes.
    pairs: Vec<(usize, usize)>,
    /// The places of the pairs that are open.
    brackets: Vec<usize>,
    parens: Vec<usize>,
}

impl Brackets {
    /// The place of the bracket or parenthesis that closes the one at `open`, on its line. Asked with offsets that
    /// never decrease by a line.
    pub fn close(&mut self, units: &[u16], open: usize) -> Option<usize> {
        if !self.line.contains(&open) {
            self.read_line(units, open);
        }
        let place = self.pairs.partition_point(|pair| pair.0 < open);
        let &(start, close) = self.pairs.get(place)?;
        (start == open && close < self.line.end).then_some(close)
    }

    /// The end of the line of which [`close`](Self::close) was asked last.
    pub fn line_end(&self) -> usize {
        self.line.end
    }

    fn read_line(&mut self, units: &[u16], start: usize) {
        let end = find_newline(units, start);
        self.line = start..end;
        self.pairs.clear();
        self.brackets.clear();
        self.parens.clear();
        for (at, &unit) in units[..end].iter().enumerate().skip(start) {
            let open = match unit {
                OPEN_BRACKET | CLOSE_BRACKET => &mut self.brackets,
                OPEN_PAREN | CLOSE_PAREN => &mut self.parens,
                _ => continue,
            };
            if matches!(unit, OPEN_BRACKET | OPEN_PAREN) {
                open.push(self.pairs.len());
                self.pairs.push((at, end));
            } else if let Some(place) = open.pop() {
                self.pairs[place].1 = at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_closes_on_its_own_line() {
        let units: Vec<u16> = "[a(]b)] [\n] (c)".encode_utf16().collect();
        let mut brackets = Brackets::default();
        let closed: Vec<_> = [0, 2, 8, 12]
            .map(|open| brackets.close(&units, open))
            .into();
        assert_eq!(closed, [Some(3), Some(5), None, Some(14)]);
    }
}
