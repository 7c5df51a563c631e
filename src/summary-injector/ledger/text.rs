//! The ledger as a text for the model.

use super::action::LineRange;
use super::{CommandRun, Ending, Failure, FileWork, WorkLedger};
use crate::marking::on_one_line;
use turnkeeper_base::order;

/// Words in a command line that make it a test, which is told first.
const TESTS: [&str; 11] = [
    "test", "tests", "pytest", "jest", "vitest", "mocha", "ctest", "rspec", "phpunit", "nextest",
    "tox",
];

const HEAD: &str =
    "Record by Turnkeeper of what was done in this session before its conversation was shortened.";

/// A heading and its lines, the most important first.
struct Section {
    heading: String,
    lines: Vec<String>,
}

impl WorkLedger {
    /// What was done, as facts, in at most this many UTF-16 code units; empty if nothing was. What has no
    /// room is counted.
    #[must_use]
    pub fn text(&self, max_characters: usize) -> String {
        let sections = self.sections();
        let mut text = Budgeted::new(max_characters);
        if sections.is_empty() || !text.push(HEAD) {
            return String::new();
        }
        for Section { heading, lines } in sections {
            text.push_section(&heading, &lines);
        }
        text.text
    }

    fn sections(&self) -> Vec<Section> {
        let prompts = [
            ("The user's first message:", &self.first_prompt),
            ("The user's newest message:", &self.newest_prompt),
        ];
        let mut sections: Vec<Section> = prompts
            .into_iter()
            .filter_map(|(heading, prompt)| {
                let lines = prompt.as_deref()?.lines().map(quoted).collect();
                let heading = heading.to_owned();
                Some(Section { heading, lines })
            })
            .collect();
        let newest_first = self.files.iter().rev();
        let written = newest_first.clone().filter(|file| file.writes > 0);
        let read = newest_first.filter(|file| !file.read.is_empty());
        let mut commands: Vec<&CommandRun> = self.commands.iter().rev().collect();
        order::sort_by_key(&mut commands, |run| !is_test(&run.line));
        let lists = [
            (
                "Files written or edited:",
                written.map(FileWork::told_writes).collect(),
            ),
            ("Calls that failed, and were not repeated with success:", {
                self.failures.iter().rev().map(Failure::told).collect()
            }),
            ("Commands, each with how it ended last:", {
                commands.into_iter().map(CommandRun::told).collect()
            }),
            (
                "Files read, and not written since:",
                read.map(FileWork::told_reads).collect(),
            ),
        ];
        sections.extend(
            lists
                .into_iter()
                .filter_map(|(heading, lines): (&str, Vec<String>)| {
                    let heading = heading.to_owned();
                    (!lines.is_empty()).then_some(Section { heading, lines })
                }),
        );
        sections
    }
}

impl FileWork {
    fn told_writes(&self) -> String {
        let ending = match self.last_write {
            Ending::Unknown => "",
            Ending::Succeeded => "; the last try succeeded",
            Ending::Failed { .. } => "; the last try failed",
        };
        format!("- {}: {}{ending}", plain(&self.path), times(self.writes))
    }

    fn told_reads(&self) -> String {
        let ranges: Vec<String> = self.read.iter().filter_map(|it| it.told()).collect();
        match self.read.contains(&LineRange::ALL) || ranges.is_empty() {
            true => format!("- {}", plain(&self.path)),
            false => format!("- {}: lines {}", plain(&self.path), ranges.join(", ")),
        }
    }
}

impl LineRange {
    fn told(self) -> Option<String> {
        match self.last {
            Some(last) => Some(format!("{} to {last}", self.first)),
            None if self == Self::ALL => None,
            None => Some(format!("{} to the end", self.first)),
        }
    }
}

impl CommandRun {
    fn told(&self) -> String {
        let ending = match self.ending {
            Ending::Unknown => "ended".to_owned(),
            Ending::Succeeded => "succeeded".to_owned(),
            Ending::Failed { exit_code: None } => "failed".to_owned(),
            Ending::Failed {
                exit_code: Some(code),
            } => format!("failed with exit code {code}"),
        };
        let said = match self.last_line.is_empty() {
            true => String::new(),
            false => format!("; its last line: {}", plain(&self.last_line)),
        };
        format!(
            "- {} ({}): {ending}{said}",
            plain(&self.line),
            times(self.runs)
        )
    }
}

impl Failure {
    fn told(&self) -> String {
        let Self {
            tool,
            arguments,
            said,
        } = self;
        format!("- {} {}: {}", plain(tool), plain(arguments), plain(said))
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

fn is_test(line: &str) -> bool {
    let mut words = line.split(|character: char| !character.is_alphanumeric());
    words.any(|word| TESTS.iter().any(|test| test.eq_ignore_ascii_case(word)))
}

/// A line of somebody's text, after a mark that no heading has.
fn quoted(line: &str) -> String {
    format!("> {}", plain(line))
}

/// A text on one line, in which no bracket begins a tag, such as one that a host puts around this text.
fn plain(text: &str) -> String {
    let line = on_one_line(text);
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let begins_tag =
            |next: &char| next.is_alphabetic() || matches!(next, '/' | '!' | '?' | '|');
        match character {
            '<' if characters.peek().is_some_and(begins_tag) => plain += "&lt;",
            other => plain.push(other),
        }
    }
    plain
}

/// A text that grows up to a limit.
struct Budgeted {
    text: String,
    left: usize,
}

/// Room for the line that counts what was left out.
const REST: usize = 24;

impl Budgeted {
    fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            left: limit,
        }
    }

    /// Adds a line if there is room.
    fn push(&mut self, line: &str) -> bool {
        let length = line.encode_utf16().count() + usize::from(!self.text.is_empty());
        if length > self.left {
            return false;
        }
        self.left -= length;
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text += line;
        true
    }

    fn push_section(&mut self, heading: &str, lines: &[String]) {
        let first = lines.first().map_or(0, |line| line.encode_utf16().count());
        if self.left < heading.len() + first + REST + 4 {
            return;
        }
        self.push("");
        self.push(heading);
        for (at, line) in lines.iter().enumerate() {
            let is_last = at + 1 == lines.len();
            let length = line.encode_utf16().count() + 1;
            if self.left < length + if is_last { 0 } else { REST } || !self.push(line) {
                self.push(&format!("- and {} more", lines.len() - at));
                return;
            }
        }
    }
}
