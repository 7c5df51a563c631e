//! The output of the commands, and the exit code that it comes to.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::{env, fmt};

/// The code of bad input, or of output that cannot be written.
pub(crate) const BAD_INPUT: u8 = 2;

/// Lines for standard output, and complaints.
pub(crate) struct Output {
    is_bold: bool,
    /// Whether lines can still be written.
    is_open: bool,
    code: u8,
}

impl Output {
    pub(crate) fn new() -> Self {
        Output {
            is_bold: wants_colours(),
            is_open: true,
            code: 0,
        }
    }

    pub(crate) fn line(&mut self, text: impl fmt::Display) {
        if !self.is_open {
            return;
        }
        let Err(error) = writeln!(io::stdout(), "{text}") else {
            return;
        };
        // A command that has begun goes on to its end, though nobody may read of it.
        self.is_open = false;
        // `head` has read enough: other commands say nothing of it, too.
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.complain(format!("standard output cannot be written: {error}"));
        }
    }

    pub(crate) fn title(&mut self, text: &str) {
        if self.is_bold {
            self.line(format!("\u{1b}[1m{text}\u{1b}[22m"))
        } else {
            self.line(text)
        }
    }

    /// One line on standard error; the exit code says that there is one.
    pub(crate) fn complain(&mut self, message: impl fmt::Display) {
        self.code = BAD_INPUT;
        let message = message.to_string();
        let words: Vec<&str> = message.split_whitespace().collect();
        let message: String = words
            .join(" ")
            .chars()
            .take(2_000)
            .flat_map(harmless)
            .collect();
        let _ = writeln!(io::stderr(), "turnkeeper: {message}");
    }

    /// The value of a work, or a complaint.
    pub(crate) fn attempt<T>(&mut self, work: crate::problem::Result<T>) -> Option<T> {
        work.map_err(|problem| self.complain(problem)).ok()
    }

    pub(crate) fn is_well(&self) -> bool {
        self.code == 0
    }

    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

/// A character as a terminal may show it.
fn harmless(it: char) -> Vec<char> {
    if it.is_control() {
        it.escape_unicode().collect()
    } else {
        vec![it]
    }
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
