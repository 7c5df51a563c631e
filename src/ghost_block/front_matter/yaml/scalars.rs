//! Scalars: plain, quoted, literal and folded.

use super::{Reader, Refusal, is_space};

/// What may stand behind a backslash, and the character that it is.
const ESCAPES: [(u8, u16); 18] = [
    (b'0', 0x00),
    (b'a', 0x07),
    (b'b', 0x08),
    (b't', 0x09),
    (b'\t', 0x09),
    (b'n', 0x0a),
    (b'v', 0x0b),
    (b'f', 0x0c),
    (b'r', 0x0d),
    (b'e', 0x1b),
    (b' ', 0x20),
    (b'"', 0x22),
    (b'/', 0x2f),
    (b'\\', 0x5c),
    (b'N', 0x85),
    (b'_', 0xa0),
    (b'L', 0x2028),
    (b'P', 0x2029),
];

impl Reader {
    /// A literal or folded scalar, within a block at column `base`.
    pub(super) fn block_scalar(&mut self, base: usize) -> Result<(), Refusal> {
        let is_folded = self.peek(0) == b'>';
        let mut chomping = 0;
        let mut indent = 0;
        loop {
            self.at += 1;
            match self.peek(0) {
                byte @ (b'+' | b'-') if chomping == 0 => chomping = byte,
                byte @ b'1'..=b'9' if indent == 0 => indent = base + usize::from(byte - b'0'),
                _ => break,
            }
        }
        self.skip_blanks();
        self.skip_comment();
        if self.peek(0) != b'\n' {
            return Err(Refusal::BlockHeader);
        }
        self.scalar.clear();
        // Line breaks that are not written yet, and the longest line of spaces before the first.
        let mut breaks = 0;
        let mut widest = 0;
        let mut is_first = true;
        let mut was_spaced = true;
        // The line break before the lines that are left.
        let mut rest = self.at;
        while self.at + 1 < self.text.len() {
            self.at += 1;
            self.line = self.at;
            while self.peek(0) == b' ' && (indent == 0 || self.column() < indent) {
                self.at += 1;
            }
            let column = self.column();
            let byte = self.peek(0);
            if byte == b'\n' {
                widest = widest.max(column);
                breaks += 1;
                rest = self.at;
                continue;
            }
            if is_first && (column <= base && byte == b'\t' || column > base && column < indent) {
                return Err(Refusal::Indentation);
            }
            if column <= base || column < indent {
                break;
            }
            if is_first && indent == 0 && widest > column {
                return Err(Refusal::Indentation);
            }
            indent = column;
            let is_spaced = is_space(byte);
            let folds = is_folded && !is_spaced && !was_spaced;
            self.write_breaks(breaks, folds);
            while self.peek(0) != b'\n' {
                self.scalar.push(self.peek(0));
                self.at += 1;
            }
            rest = self.at;
            breaks = 1;
            is_first = false;
            was_spaced = is_spaced;
        }
        self.at = rest;
        match chomping {
            b'+' => self.write_breaks(breaks, false),
            b'-' => {}
            _ => self.write_breaks(usize::from(!is_first), false),
        }
        self.value(false)
    }

    /// A quoted scalar, within a block at column `base`.
    pub(super) fn quoted(&mut self, base: usize) -> Result<(), Refusal> {
        let quote = self.peek(0);
        self.at += 1;
        self.scalar.clear();
        // What is left of the scalar where a line ends.
        let mut kept = 0;
        loop {
            let byte = self.peek(0);
            let behind = self.peek(1);
            if byte == b'\n' {
                self.scalar.truncate(kept);
                self.continuation(base)?;
                self.write_breaks(self.breaks, true);
            } else if byte == b'\\' && quote == b'"' {
                self.at += 1;
                if behind == b'\n' {
                    self.continuation(base)?;
                    self.write_breaks(self.breaks - 1, false);
                } else {
                    self.escape()?;
                }
            } else {
                self.at += 1;
                if byte == quote {
                    if quote == b'"' || behind != quote {
                        return Ok(());
                    }
                    self.at += 1;
                }
                self.scalar.push(byte);
                if is_space(byte) {
                    continue;
                }
            }
            kept = self.scalar.len();
        }
    }

    /// Goes on to the next line of a quoted scalar.
    fn continuation(&mut self, base: usize) -> Result<(), Refusal> {
        let end = self.at;
        self.next_line(true)?;
        if self.column() <= base {
            self.at = end;
            return Err(Refusal::QuoteEnd);
        }
        Ok(())
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Result<(), Refusal> {
        let byte = self.peek(0);
        self.at += 1;
        let digits = match byte {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        let mut code = 0;
        if digits == 0 {
            let known = ESCAPES.iter().find(|&&(name, _)| name == byte);
            code = u32::from(known.ok_or(Refusal::Escape)?.1);
        }
        for _ in 0..digits {
            let digit = char::from(self.peek(0))
                .to_digit(16)
                .ok_or(Refusal::Escape)?;
            code = code << 4 | digit;
            self.at += 1;
        }
        let char = char::from_u32(code).ok_or(Refusal::Escape)?;
        self.scalar
            .extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// The first line of a plain scalar.
    pub(super) fn plain_words(&mut self, in_flow: bool) -> Result<(), Refusal> {
        let behind = self.peek(1);
        match self.peek(0) {
            b'&' => return Err(Refusal::Anchor),
            b'*' => return Err(Refusal::Alias),
            b'!' => return Err(Refusal::Tag),
            b'?' if is_space(behind) => return Err(Refusal::ComplexKey),
            b'%' if self.column() == 0 => return Err(Refusal::Directive),
            b'-' | b'?' | b':' if is_space(behind) || in_flow && is_flow(behind) => {
                return Err(Refusal::NoValue);
            }
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                return Err(Refusal::NoValue);
            }
            _ => {}
        }
        self.scalar.clear();
        self.words(in_flow);
        Ok(())
    }

    /// The further lines of a plain scalar.
    pub(super) fn plain_lines(&mut self, base: usize, in_flow: bool) -> Result<(), Refusal> {
        loop {
            self.skip_blanks();
            let end = (self.at, self.line);
            if self.peek(0) != b'\n' {
                return Ok(());
            }
            self.next_line(false)?;
            let ends = self.column() <= base || self.ends_plain(in_flow);
            if ends {
                (self.at, self.line) = end;
                return Ok(());
            }
            self.write_breaks(self.breaks, true);
            self.words(in_flow);
        }
    }

    /// Adds to a plain scalar what the rest of the line has for it.
    fn words(&mut self, in_flow: bool) {
        let mut kept = self.scalar.len();
        while !self.ends_plain(in_flow) {
            let byte = self.peek(0);
            self.scalar.push(byte);
            self.at += 1;
            if !is_space(byte) {
                kept = self.scalar.len();
            }
        }
        self.scalar.truncate(kept);
    }

    fn ends_plain(&self, in_flow: bool) -> bool {
        let behind = self.peek(1);
        match self.peek(0) {
            b'\n' => true,
            b'#' => is_space(self.peek(-1)),
            b':' => is_space(behind) || in_flow && is_flow(behind),
            // A lone dash; the list refuses it.
            b'-' => in_flow && is_flow(behind) && is_space(self.peek(-1)),
            byte => in_flow && is_flow(byte),
        }
    }

    /// Line breaks in a scalar: all of them, or folded.
    fn write_breaks(&mut self, breaks: usize, folds: bool) {
        if folds && breaks == 1 {
            self.scalar.push(b' ');
        }
        for _ in usize::from(folds)..breaks {
            self.scalar.push(b'\n');
        }
    }
}

/// Whether a byte has a meaning in flow lists and mappings.
fn is_flow(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
