//! A small reader of the YAML that front matter is written in.
//!
//! It walks block mappings and lists with a stack of their indentations, and flow ones with the
//! same stack, so that no nesting can overflow. It refuses what it does not know, and much that
//! is seldom written; what it accepts means what it means to a whole YAML parser.

mod flow;
mod refusal;
mod scalars;
mod schema;

use super::super::text::concat;
use super::FrontMatter;
use crate::text::decimal;
use refusal::Refusal;
use schema::is_string;

/// Deeper nesting is refused.
const DEEPEST: usize = 64;
/// More are refused, as each is compared with those before it.
const MOST_PARAMS: usize = 1_000;
/// YAML's bound on a key, there in characters, here in bytes.
const LONGEST_KEY: usize = 1_024;

/// Reads `Description`, a string, and `Params`, a list of strings; other keys are left alone.
pub(crate) fn read(yaml: &str) -> Result<FrontMatter, String> {
    let mut reader = Reader::default();
    match reader.take(yaml).and_then(|()| reader.document()) {
        Ok(()) => Ok(reader.found),
        Err(refusal) => {
            let mut line: u32 = 0;
            for &byte in &reader.text[..reader.at] {
                line += u32::from(byte == b'\n');
            }
            let line = decimal(line.into());
            let place = [refusal.message(), ", line ", &line, " of the front matter"];
            Err(concat(&place))
        }
    }
}

/// The key at the top that is being read.
#[derive(Clone, Copy, Default)]
enum Key {
    #[default]
    Other,
    Description,
    Params,
}

/// A mapping or list that is open.
#[derive(Clone, Copy)]
struct Open {
    /// The column of its keys or dashes; in a flow one, that of the block around it.
    column: usize,
    is_list: bool,
}

#[derive(Default)]
struct Reader {
    /// A line break, then lines that each end in one.
    text: Vec<u8>,
    at: usize,
    /// Where the line of `at` begins.
    line: usize,
    /// Where the key, dash or value that was met last begins.
    began: usize,
    open: Vec<Open>,
    /// Whether the innermost key or dash has no value yet.
    pending: bool,
    /// The line breaks that were passed last.
    breaks: usize,
    /// The scalar that was read last.
    scalar: Vec<u8>,
    key: Key,
    found: FrontMatter,
}

impl Reader {
    /// Takes a text, with each of its lines ended by one character.
    fn take(&mut self, yaml: &str) -> Result<(), Refusal> {
        let mut before = b'\n';
        self.text.push(before);
        for &byte in yaml.as_bytes() {
            match byte {
                b'\n' if before == b'\r' => {}
                b'\n' | b'\r' => self.text.push(b'\n'),
                b'\t' | b' '.. => self.text.push(byte),
                _ => return Err(self.refuse_end(Refusal::Control)),
            }
            if byte == 0xbf && self.text.ends_with(&[0xef, 0xbb, 0xbf]) {
                return Err(self.refuse_end(Refusal::ByteOrderMark));
            }
            before = byte;
        }
        if !matches!(before, b'\n' | b'\r') {
            self.text.push(b'\n');
        }
        Ok(())
    }

    fn refuse_end(&mut self, refusal: Refusal) -> Refusal {
        self.at = self.text.len();
        refusal
    }

    /// Reads the whole text.
    fn document(&mut self) -> Result<(), Refusal> {
        self.pending = true;
        loop {
            self.skip()?;
            if self.at == self.text.len() {
                return if self.pending { self.empty() } else { Ok(()) };
            }
            self.node()?;
            // What is behind the value on its line.
            self.skip_blanks();
            self.skip_comment();
            if self.peek(0) != b'\n' {
                return Err(Refusal::MoreBehindValue);
            }
        }
    }

    /// Reads from the first character of a line to the end of a value, or of the line.
    fn node(&mut self) -> Result<(), Refusal> {
        let mut behind_key = false;
        loop {
            let column = self.column();
            let byte = self.peek(0);
            let is_dash = byte == b'-' && is_space(self.peek(1));
            if column == 0 && self.is_document_marker() {
                return Err(Refusal::DocumentMarker);
            }
            let is_nested = behind_key || self.is_nested(column, is_dash);
            if !is_nested {
                self.close(column, is_dash)?;
            }
            self.began = self.at;
            if is_dash {
                if behind_key {
                    return Err(Refusal::NestedBehindKey);
                }
                if is_nested {
                    self.open(column, true)?;
                }
            } else if !self.key_or_value(column, is_nested, behind_key)? {
                self.pending = false;
                return Ok(());
            }
            // Behind a dash or a colon.
            self.pending = true;
            behind_key = !is_dash;
            self.at += 1;
            while self.peek(0) == b' ' {
                self.at += 1;
            }
            match self.peek(0) {
                b'\n' | b'#' => return Ok(()),
                b'\t' => return Err(Refusal::TabBehind),
                _ => {}
            }
        }
    }

    /// Whether what begins at a column is the value that is pending.
    fn is_nested(&self, column: usize, is_dash: bool) -> bool {
        self.pending
            && match self.open.last() {
                Some(top) if top.column == column => is_dash && !top.is_list,
                Some(top) => top.column < column,
                None => true,
            }
    }

    /// Closes what ends before the key or dash at a column.
    fn close(&mut self, column: usize, is_dash: bool) -> Result<(), Refusal> {
        if self.pending {
            self.empty()?;
        }
        while let Some(top) = self.open.last() {
            if top.column < column || top.column == column && top.is_list == is_dash {
                break;
            }
            self.open.pop();
        }
        match self.open.last() {
            Some(top) if top.column == column => Ok(()),
            _ => Err(Refusal::Indentation),
        }
    }

    /// Reads a key, up to its colon, and says so; or a value.
    fn key_or_value(
        &mut self,
        column: usize,
        is_nested: bool,
        behind_key: bool,
    ) -> Result<bool, Refusal> {
        let base = self.open.last().map_or(0, |top| top.column);
        let (start, line) = (self.at, self.line);
        let byte = self.peek(0);
        let is_quoted = matches!(byte, b'"' | b'\'');
        match byte {
            b'[' | b'{' | b'|' | b'>' => {
                if self.open.is_empty() {
                    return Err(match byte {
                        b'{' => Refusal::BraceAtTop,
                        _ => Refusal::NoMapping,
                    });
                }
                if !is_nested {
                    return Err(Refusal::ComplexKey);
                }
                return match byte {
                    b'[' | b'{' => self.flow(base),
                    _ => self.block_scalar(base),
                }
                .map(|()| false);
            }
            _ if is_quoted => self.quoted(base)?,
            _ => self.plain_words(false)?,
        }
        let end = self.at;
        self.skip_blanks();
        if self.peek(0) == b':' && is_space(self.peek(1)) {
            if behind_key {
                return Err(Refusal::NestedBehindKey);
            }
            if self.line != line || self.at - start > LONGEST_KEY {
                return Err(Refusal::ComplexKey);
            }
            if is_nested {
                self.open(column, false)?;
            }
            if self.open.len() == 1 {
                self.key = match &self.scalar[..] {
                    b"Description" => Key::Description,
                    b"Params" => Key::Params,
                    _ => Key::Other,
                };
            }
            return Ok(true);
        }
        self.at = end;
        if self.open.is_empty() {
            return Err(Refusal::NoMapping);
        }
        if !is_nested {
            return Err(Refusal::NoColon);
        }
        if !is_quoted {
            self.plain_lines(base, false)?;
        }
        self.value(!is_quoted).map(|()| false)
    }

    /// The value that is pending is not there.
    fn empty(&mut self) -> Result<(), Refusal> {
        self.pending = false;
        self.scalar.clear();
        self.value(true)
    }

    /// Takes the scalar that was read as a value.
    fn value(&mut self, is_plain: bool) -> Result<(), Refusal> {
        let in_list = self.open.len() > 1;
        let is_string = !is_plain || is_string(&self.scalar);
        let fits = match self.key {
            Key::Other => return Ok(()),
            Key::Description => is_string,
            Key::Params => is_string && in_list,
        };
        if !fits {
            return Err(self.wrong());
        }
        let text = String::from_utf8(std::mem::take(&mut self.scalar)).unwrap_or_default();
        if !in_list {
            self.found.description = Some(text);
        } else if !self.found.params.contains(&text) {
            if self.found.params.len() == MOST_PARAMS {
                return Err(Refusal::Params);
            }
            self.found.params.push(text);
        }
        Ok(())
    }

    /// Opens a mapping or list.
    fn open(&mut self, column: usize, is_list: bool) -> Result<(), Refusal> {
        let depth = self.open.len();
        let fits = match self.key {
            Key::Other => true,
            Key::Description => false,
            Key::Params => is_list && depth == 1,
        };
        if !fits {
            return Err(self.wrong());
        }
        if depth == 0 && is_list {
            return Err(Refusal::NoMapping);
        }
        if depth == DEEPEST {
            return Err(Refusal::Depth);
        }
        self.open.push(Open { column, is_list });
        Ok(())
    }

    /// What began last is of the wrong kind.
    fn wrong(&mut self) -> Refusal {
        self.at = self.began;
        match self.key {
            Key::Params => Refusal::WrongParams,
            _ => Refusal::WrongDescription,
        }
    }

    /// A byte of the text; zero behind its end, and nowhere else.
    fn peek(&self, ahead: isize) -> u8 {
        let at = self.at.wrapping_add_signed(ahead);
        self.text.get(at).copied().unwrap_or(0)
    }

    fn column(&self) -> usize {
        self.at - self.line
    }

    /// Passes blanks, line breaks and comments.
    fn skip(&mut self) -> Result<(), Refusal> {
        loop {
            self.skip_blanks();
            self.skip_comment();
            if self.peek(0) != b'\n' {
                return Ok(());
            }
            self.next_line(false)?;
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
    }

    /// A number sign begins a comment only behind a space.
    fn skip_comment(&mut self) {
        if self.peek(0) == b'#' && is_space(self.peek(-1)) {
            while self.peek(0) != b'\n' {
                self.at += 1;
            }
        }
    }

    /// Goes from a line break to what is next.
    fn next_line(&mut self, in_quotes: bool) -> Result<(), Refusal> {
        self.breaks = 0;
        while self.peek(0) == b'\n' {
            self.breaks += 1;
            self.at += 1;
            self.line = self.at;
            while self.peek(0) == b' ' {
                self.at += 1;
            }
            if self.peek(0) == b'\t' {
                self.skip_blanks();
                if in_quotes || self.peek(0) != b'\n' {
                    return Err(Refusal::TabIndentation);
                }
            }
        }
        Ok(())
    }

    fn is_document_marker(&self) -> bool {
        let byte = self.peek(0);
        matches!(byte, b'-' | b'.')
            && self.peek(1) == byte
            && self.peek(2) == byte
            && is_space(self.peek(3))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}
