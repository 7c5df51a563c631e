//! The output of the commands: its width and colours, pipes that break, and the exit code that it comes to. Whatever a
//! terminal would obey is an escape in it, whoever wrote the text.

use std::io::{self, IsTerminal, Write};
use std::process::{self, ExitCode};
use std::{env, fmt, mem};

use serde::Serialize;
use turnkeeper_analysis::plain_text::{escape_controls, escape_controls_in_json, one_line};
use turnkeeper_base::json::written;

use super::bar;
use super::columns::{width_of, wrap};
use crate::problem::by_name;

/// The code that tells of a loop.
pub(crate) const LOOP: u8 = 1;
/// The code of bad input, or of output that cannot be written.
pub(crate) const BAD_INPUT: u8 = 2;
/// The code of a mistake of this program, which shows where it is.
pub(crate) const MISTAKE: u8 = 3;

/// Bytes that wait at most until they are written.
const BUFFERED: usize = 65_536;
/// A paragraph is easier to read in lines that are no longer than this.
const LONGEST_PARAGRAPH: usize = 100;
/// The width of a terminal that does not tell its own.
const USUAL_WIDTH: usize = 80;

/// The look of a text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Dim,
    Red,
    Yellow,
    BoldRed,
}

impl Style {
    /// The parameters that begin and end it.
    fn codes(self) -> Option<(&'static str, &'static str)> {
        match self {
            Style::Plain => None,
            Style::Bold => Some(("1", "22")),
            Style::Dim => Some(("2", "22")),
            Style::Red => Some(("31", "39")),
            Style::Yellow => Some(("33", "39")),
            Style::BoldRed => Some(("1;31", "22;39")),
        }
    }
}

/// Text as it goes to a terminal: it has the looks that this program gives it, and everything else in it that a terminal
/// would obey is an escape, the end of a line as well.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shown(String);

impl<T: AsRef<str>> From<T> for Shown {
    fn from(text: T) -> Self {
        Shown(escape_controls(text.as_ref()))
    }
}

impl Shown {
    /// The text, and more after it.
    pub(crate) fn then(self, more: impl Into<Shown>) -> Self {
        Shown(self.0 + &more.into().0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Lines for standard output, and complaints.
pub(crate) struct Output {
    /// The width of the terminal; of a pipe, `COLUMNS` or 80.
    pub(crate) columns: usize,
    is_coloured: bool,
    /// Whether each line is written as it comes.
    is_terminal: bool,
    waiting: String,
    /// Whether lines can still be written.
    is_open: bool,
    /// Whether nothing is left to do when nobody reads.
    ends_unread: bool,
    code: u8,
}

impl Output {
    pub(crate) fn new() -> Self {
        Output {
            columns: width(),
            is_coloured: wants_colours(),
            is_terminal: io::stdout().is_terminal(),
            waiting: String::new(),
            is_open: true,
            ends_unread: false,
            code: 0,
        }
    }

    /// From now on the program ends as soon as nobody reads its output; else it goes on, for it writes files, or its
    /// exit code says what it finds.
    pub(crate) fn end_when_unread(&mut self) {
        self.ends_unread = true;
    }

    /// Appends a line. To a pipe lines go together, at the latest with [`flush`](Self::flush).
    pub(crate) fn line(&mut self, text: impl Into<Shown>) {
        self.add(&text.into().0);
    }

    /// Appends lines, such as those of a help.
    pub(crate) fn lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
    }

    fn add(&mut self, line: &str) {
        if !self.is_open {
            return;
        }
        self.waiting.push_str(line);
        self.waiting.push('\n');
        if self.is_terminal || self.waiting.len() >= BUFFERED {
            self.flush();
        }
    }

    pub(crate) fn title(&mut self, text: &str) {
        self.line(self.styled(Style::Bold, text));
    }

    /// Appends text in lines of a width that is easy to read.
    pub(crate) fn paragraph(&mut self, text: &str, indent: &str, style: Style) {
        let room = self
            .columns
            .min(LONGEST_PARAGRAPH)
            .saturating_sub(indent.len());
        for line in wrap(&escape_controls(text), room) {
            self.line(self.styled(style, &format!("{indent}{line}")));
        }
    }

    /// Appends a value as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        self.json_text(&written(value));
    }

    /// Appends a line that is JSON.
    pub(crate) fn json_text(&mut self, json: &str) {
        self.add(&escape_controls_in_json(json));
    }

    /// The text as it looks where colours are wanted.
    pub(crate) fn styled(&self, style: Style, text: &str) -> Shown {
        let Shown(text) = text.into();
        Shown(match style.codes() {
            Some((begin, end)) if self.is_coloured => {
                format!("\u{1b}[{begin}m{text}\u{1b}[{end}m")
            }
            _ => text,
        })
    }

    /// Writes the lines that wait: whoever follows a session that is being written sees them as they come.
    pub(crate) fn flush(&mut self) {
        let text = mem::take(&mut self.waiting);
        if text.is_empty() || !self.is_open {
            return;
        }
        let Err(error) = write(&mut io::stdout(), &text, self.is_terminal) else {
            return;
        };
        self.is_open = false;
        // `head` has read enough: other commands say nothing of it, too.
        if !is_unread(&error) {
            let why = by_name(&error);
            self.complain(format!("standard output cannot be written: {why}"));
        }
        if self.ends_unread {
            process::exit(self.code.into());
        }
    }

    /// One line on standard error; the exit code says that there is one.
    pub(crate) fn complain(&mut self, message: impl fmt::Display) {
        self.flush();
        self.end_with(BAD_INPUT);
        self.say(&one_line(&message.to_string(), LONGEST_COMPLAINT));
    }

    /// One line on standard error that is no complaint.
    pub(crate) fn tell(&mut self, message: &str) {
        self.flush();
        self.say(&escape_controls(message));
    }

    fn say(&self, message: &str) {
        let line = format!("turnkeeper: {message}\n");
        let Err(error) = write(&mut io::stderr(), &line, true) else {
            return;
        };
        if !is_unread(&error) || self.ends_unread {
            process::exit(BAD_INPUT.into());
        }
    }

    /// The value of a work, or a complaint.
    pub(crate) fn attempt<T>(&mut self, work: crate::problem::Result<T>) -> Option<T> {
        work.map_err(|problem| self.complain(problem)).ok()
    }

    /// The program ends with this code, or with a worse one.
    pub(crate) fn end_with(&mut self, code: u8) {
        self.code = self.code.max(code);
    }

    pub(crate) fn is_well(&self) -> bool {
        self.code == 0
    }

    /// The exit code as far as it is known.
    pub(crate) fn code_so_far(&self) -> u8 {
        self.code
    }

    /// The exit code, after all has been written.
    pub(crate) fn code(&mut self) -> ExitCode {
        self.flush();
        ExitCode::from(self.code)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.flush();
    }
}

/// UTF-16 units of a complaint, which may quote a session.
const LONGEST_COMPLAINT: usize = 2_000;

fn write(to: &mut impl Write, text: &str, is_beside_bar: bool) -> io::Result<()> {
    let mut write = || to.write_all(text.as_bytes()).and_then(|()| to.flush());
    if is_beside_bar {
        bar::beside(write)
    } else {
        write()
    }
}

fn width() -> usize {
    let told = match width_of(io::stdout()) {
        Some(columns) => Some(columns),
        None => env::var("COLUMNS").ok().and_then(|it| it.parse().ok()),
    };
    told.filter(|&it| it >= 20).unwrap_or(USUAL_WIDTH)
}

/// https://force-color.org and https://no-color.org; the former is the more deliberate.
fn wants_colours() -> bool {
    let is_set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(forced) = env::var_os("FORCE_COLOR") {
        return forced != "0" && forced != "false";
    }
    is_set("NO_COLOR").is_none()
        && io::stdout().is_terminal()
        && env::var_os("TERM").is_none_or(|it| it != "dumb")
}

/// Whether nobody reads any more: the end of a pipe is closed, or that of the socket that some programs give instead.
fn is_unread(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown_but_the_looks_that_are_given_here() {
        let untrusted =
            "a\u{1b}[31m\u{1b}]0;x\u{7}\r\n\t\u{7f}\u{9b}\u{202e}\u{2066}\u{2028}\u{200f}";
        let expected =
            "a\\x1b[31m\\x1b]0;x\\x07\\x0d\\x0a\\x09\\x7f\\x9b\\u{202e}\\u{2066}\\u{2028}\\u{200f}";
        let mut output = Output::new();
        assert_eq!(Shown::from(untrusted).0, expected);
        output.is_coloured = true;
        let styled = output.styled(Style::Red, untrusted).then(untrusted);
        assert_eq!(
            styled.0,
            format!("\u{1b}[31m{expected}\u{1b}[39m{expected}")
        );
    }
}
