//! The ledger as a text for the model.

use super::kept::{KeptText, Newest, shortened};
use super::prompts::Prompts;
use super::{CommandRun, Ending, Failure, ReadFile, WorkLedger, WrittenFile};
use crate::marking::{Visible, on_one_line};
use crate::sizes::level;
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
    heading: &'static str,
    lines: Vec<String>,
    /// The number of lines that are left out.
    others: usize,
    /// Whether some were forgotten, which nobody counts.
    has_older: bool,
}

impl WorkLedger {
    /// The record, as facts, in at most this many UTF-16 code units; empty if nothing was done. Lines that have
    /// no room are counted.
    #[must_use]
    pub fn text(&self, max_characters: usize) -> String {
        let work = self.work();
        let mut text = Budgeted {
            text: String::new(),
            left: max_characters,
        };
        if (work.is_empty() && self.prompts.first.is_none()) || !text.push(HEAD) {
            return String::new();
        }
        // What was done has a third, unless it needs less.
        let needed: usize = work.iter().map(Section::size).sum();
        let for_work = needed.min(max_characters / 3);
        let room = text.left.saturating_sub(for_work);
        self.push_prompts(&mut text, room);
        let sizes: Vec<u64> = work.iter().map(|section| section.size() as u64).collect();
        for (at, section) in work.iter().enumerate() {
            // A section that needs less than its share leaves the rest to the others.
            let most = level(&sizes[at..], text.left as u64) as usize;
            text.push_section(section, most);
        }
        text.text
    }

    /// Adds the user's messages. What the first, the newest or those between do not need is the others'.
    fn push_prompts(&self, text: &mut Budgeted, room: usize) {
        let Prompts {
            first,
            between,
            newest,
        } = &self.prompts;
        let after = text.left.saturating_sub(room);
        let lines = between.items.iter().map(|it| quoted(&it.shown));
        let heading = "The user's messages after it, each on one line:";
        let between = Section::new(heading, lines, between.has_forgotten);
        let whole = |heading, prompt: &Option<KeptText>| {
            let shown = prompt.as_ref().map_or("", |it| &it.shown);
            Section::of_text(heading, shown, usize::MAX)
        };
        let first = whole("The user's first message:", first);
        let newest = whole("The user's newest message:", newest);
        let sizes = [&first, &newest, &between].map(|it| it.size() as u64);
        let most = level(&sizes, room as u64) as usize;
        // A long one is cut rather than left out.
        let cut = |section: Section, prompt: &Option<KeptText>| match prompt {
            Some(prompt) if section.size() > most => {
                Section::of_text(section.heading, &prompt.shown, most)
            }
            _ => section,
        };
        let first = cut(first, &self.prompts.first);
        let newest = cut(newest, &self.prompts.newest);
        text.push_section(&first, room);
        let left = text.left.saturating_sub(after + newest.size());
        text.push_section(&between.with_short_lines(left), left);
        text.push_section(&newest, text.left.saturating_sub(after));
    }

    fn work(&self) -> Vec<Section> {
        fn section<T>(
            heading: &'static str,
            list: &Newest<T>,
            told: impl Fn(&T) -> String,
        ) -> Section {
            Section::new(
                heading,
                list.items.iter().rev().map(told),
                list.has_forgotten,
            )
        }
        let mut commands = self.commands.clone();
        order::sort_by_key(&mut commands.items, |run| is_test(&run.line.shown));
        let mut sections = vec![
            section("Files written or edited:", &self.written, WrittenFile::told),
            section(
                "Calls that failed, and were not repeated with success:",
                &self.failures,
                Failure::told,
            ),
            section(
                "Commands, each with how it ended last:",
                &commands,
                CommandRun::told,
            ),
            section(
                "Files read, and not written since by an editing tool:",
                &self.read,
                ReadFile::told,
            ),
        ];
        sections.retain(|section| !section.lines.is_empty());
        sections
    }
}

impl WrittenFile {
    fn told(&self) -> String {
        let path = plain(&self.path.shown);
        let ending = match (self.writes, self.last) {
            (0, _) => {
                let tries = if self.failures == 1 { "try" } else { "tries" };
                return format!("- {path}: not written; {} {tries} failed", self.failures);
            }
            (_, Ending::Unknown) => "",
            (_, Ending::Succeeded) => "; the last try succeeded",
            (_, Ending::Failed { .. }) => "; the last try failed",
        };
        format!("- {path}: {}{ending}", times(self.writes))
    }
}

impl ReadFile {
    fn told(&self) -> String {
        let path = plain(&self.path.shown);
        match self.lines.told() {
            Some(lines) => format!("- {path}: {lines}"),
            None => format!("- {path}"),
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
            plain(&self.line.shown),
            times(self.runs)
        )
    }
}

impl Failure {
    fn told(&self) -> String {
        let (tool, arguments) = (plain(&self.tool.shown), plain(&self.arguments.shown));
        format!("- {tool} {arguments}: {}", plain(&self.said))
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
    words.any(|word| TESTS.contains(&&*word.to_ascii_lowercase()))
}

/// A line of somebody's text, after a mark that no heading has.
fn quoted(line: &str) -> String {
    format!("> {}", plain(line))
}

/// A text on one line, in which no bracket begins a tag, such as one that a host puts around this text.
fn plain(text: &str) -> String {
    let line = on_one_line(text);
    let mut plain = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        let mut after = Visible {
            rest: rest.as_str(),
        };
        let next = after.find(|next| !next.is_whitespace());
        let begins_tag = |next: char| next.is_alphabetic() || matches!(next, '/' | '!' | '?' | '|');
        match character {
            '<' if next.is_some_and(begins_tag) => plain += "&lt;",
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
const REST: usize = 36;

impl Section {
    fn new(heading: &'static str, lines: impl Iterator<Item = String>, has_older: bool) -> Self {
        Self {
            heading,
            lines: lines.collect(),
            others: 0,
            has_older,
        }
    }

    /// The lines of a text, of which the middle is left out if they took more room than this.
    fn of_text(heading: &'static str, text: &str, most: usize) -> Self {
        let mut characters = most;
        loop {
            let shown = shortened(text, characters);
            let section = Self::new(heading, shown.lines().map(quoted), false);
            let over = section.size().saturating_sub(most);
            if over == 0 || characters == 0 {
                return section;
            }
            characters = characters.saturating_sub(over);
        }
    }

    /// The most room that it takes.
    fn size(&self) -> usize {
        if self.lines.is_empty() {
            return 0;
        }
        let lines = self.lines.iter().map(|line| length_of(line) + 1);
        self.heading.len() + 2 + lines.sum::<usize>() + if self.has_rest() { REST } else { 0 }
    }

    /// Whether the lines are not all.
    fn has_rest(&self) -> bool {
        self.others > 0 || self.has_older
    }

    /// The section with the newest lines, which stand last, that have room; a long one that has none gives way
    /// to shorter ones before it.
    fn with_short_lines(mut self, room: usize) -> Self {
        if self.size() <= room {
            return self;
        }
        let mut left = room.saturating_sub(self.heading.len() + 2 + REST);
        let mut kept: Vec<String> = Vec::new();
        for line in self.lines.iter().rev() {
            if let Some(rest) = left.checked_sub(length_of(line) + 1) {
                left = rest;
                kept.push(line.clone());
            }
        }
        kept.reverse();
        self.others = self.lines.len() - kept.len();
        self.lines = kept;
        self
    }
}

fn length_of(line: &str) -> usize {
    line.encode_utf16().count()
}

impl Budgeted {
    /// Adds a line if there is room.
    fn push(&mut self, line: &str) -> bool {
        let length = length_of(line) + usize::from(!self.text.is_empty());
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

    /// Adds a section in at most that much room, with a count of the lines that have none.
    fn push_section(&mut self, section: &Section, room: usize) {
        let Section { heading, lines, .. } = section;
        let (Some(first), true) = (lines.first(), room <= self.left) else {
            return;
        };
        if room < heading.len() + length_of(first) + REST + 4 {
            return;
        }
        let after = self.left - room;
        self.push("");
        self.push(heading);
        let mut told = 0;
        for line in lines {
            let needs_rest = told + 1 < lines.len() || section.has_rest();
            let length = length_of(line) + 1 + if needs_rest { REST } else { 0 };
            if self.left < after + length || !self.push(line) {
                break;
            }
            told += 1;
        }
        match (lines.len() - told + section.others, section.has_older) {
            (0, false) => true,
            (0, true) => self.push("- and others before"),
            (more, false) => self.push(&format!("- and {more} more")),
            (more, true) => self.push(&format!("- and {more} more, and others before")),
        };
    }
}
