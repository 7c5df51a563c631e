//! Command lines that do nothing but print text with `echo`.
//!
//! Every command of the line has to be an `echo`, and its arguments have to be text: with a variable, a
//! pattern, a pipe, a file or another command in it, the line is more than that. Where the marks of a
//! shell can be read in two ways, the line is taken to be more, too.

use super::vocabulary::Program;

/// Follows a command line, of which somebody else tells the words.
#[derive(Debug, Default)]
pub(super) struct Printing {
    /// Whether there is an `echo`.
    prints: bool,
    /// Whether the line does something else.
    does_more: bool,
    place: WordRole,
    /// The quotation mark around a line that is given to another shell, as in `bash -c '…'`.
    line_quote: Option<u8>,
    /// The quotation mark around the text that is read.
    text_quote: Option<u8>,
    is_escaped: bool,
    redirection: Redirection,
}

/// The part of a command that the next word is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum WordRole {
    /// The program of a command, if one comes.
    #[default]
    Program,
    /// The program that the one before it runs.
    ProgramOfAnother,
    /// Text that is printed.
    Text,
    Comment,
}

/// The part of `>&2` that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Redirection {
    #[default]
    None,
    Arrow,
    ArrowAnd,
}

impl Printing {
    /// A word of the line is complete, be it a program or not.
    #[inline]
    pub(super) fn end_word(&mut self, program: Option<Program>) {
        if matches!(self.place, WordRole::Text | WordRole::Comment) {
            return;
        }
        match program {
            Some(Program::Prints) => {
                self.prints = true;
                self.place = WordRole::Text;
            }
            Some(Program::RunsAnother) => self.place = WordRole::ProgramOfAnother,
            _ => self.does_more = true,
        }
    }

    /// Another unit of the line; the word that it ends was told of before.
    #[inline]
    pub(super) fn push(&mut self, unit: u16, begins_word: bool) {
        if self.does_more {
            return;
        }
        // A unit that is not ASCII is text.
        let character = u8::try_from(unit).unwrap_or(b'x');
        if self.is_escaped {
            self.is_escaped = false;
        } else if self.redirection != Redirection::None {
            self.redirect(character);
        } else {
            match self.place {
                WordRole::Text => self.push_text(character),
                WordRole::Comment if character == b'\n' => self.place = WordRole::Program,
                WordRole::Comment => {}
                _ => self.push_before_program(character, begins_word),
            }
        }
    }

    fn push_before_program(&mut self, character: u8, begins_word: bool) {
        match character {
            b'"' | b'\'' => match self.line_quote {
                None => self.line_quote = Some(character),
                Some(quote) if quote == character => self.line_quote = None,
                Some(_) => self.does_more = true,
            },
            // A program that runs another has none to run.
            b';' | b'&' | b'\n' | b'#' if self.place == WordRole::ProgramOfAnother => {
                self.does_more = true;
            }
            b'#' if begins_word => self.place = WordRole::Comment,
            b'\\' => self.is_escaped = true,
            b'|' | b'<' | b'>' | b'(' | b')' | b'$' | b'`' => self.does_more = true,
            _ => {}
        }
    }

    fn push_text(&mut self, character: u8) {
        if self.line_quote == Some(character) {
            self.line_quote = None;
            self.text_quote = None;
            return;
        }
        // A shell takes everything in `'…'` as it is, unless another shell has read it before.
        let is_literal = self.text_quote == Some(b'\'') && self.line_quote.is_none();
        match character {
            _ if self.text_quote == Some(character) => self.text_quote = None,
            _ if is_literal => {}
            b'$' | b'`' => self.does_more = true,
            b'\\' if self.text_quote == Some(b'\'') => self.does_more = true,
            b'\\' => self.is_escaped = true,
            _ if self.text_quote.is_some() => {}
            b'"' | b'\'' => self.text_quote = Some(character),
            b';' | b'&' | b'\n' => self.place = WordRole::Program,
            b'>' => self.redirection = Redirection::Arrow,
            b'|' | b'<' | b'(' | b')' | b'*' => self.does_more = true,
            _ => {}
        }
    }

    /// To another stream is not into a file.
    fn redirect(&mut self, character: u8) {
        self.redirection = match (self.redirection, character) {
            (Redirection::Arrow, b'&') => Redirection::ArrowAnd,
            (Redirection::ArrowAnd, b'1' | b'2') => Redirection::None,
            _ => {
                self.does_more = true;
                return;
            }
        };
    }

    /// Whether the line only prints, now that it is complete.
    pub(super) fn only_prints(&self) -> bool {
        let is_complete = self.text_quote.is_none() && self.redirection == Redirection::None;
        self.prints && !self.does_more && is_complete && self.place != WordRole::ProgramOfAnother
    }
}
