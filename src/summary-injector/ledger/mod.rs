//! A record of what was done in a session, for a context that was compacted.
//!
//! A [`WorkLedger`] reads the tool calls of a conversation and their results, and what the user wrote. When
//! the host has replaced the conversation by a summary, the model has forgotten which files it has read,
//! what it has changed and which command failed; [`WorkLedger::text`] tells it, as facts. No model is
//! needed. Its promise:
//!
//! - the text states what happened and asks for nothing; what nobody can know it does not claim;
//! - calls, paths and messages are compared as a whole, however little of them is shown;
//! - what users, files and tools wrote stands on quoted lines, and can pass neither for a heading of the
//!   ledger nor for a tag of the host;
//! - memory does not grow with the conversation.

mod action;
mod kept;
mod lines;
mod prompts;
mod text;

use serde::{Deserialize, Serialize};

use self::action::{Action, Call, LONGEST_LINE};
use self::kept::{KeptText, Newest, shortened};
use self::lines::{ReadLines, lines_read};
use self::prompts::Prompts;
use turnkeeper_base::error::Error;
use turnkeeper_base::json::Json;
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState, open, seal};
use turnkeeper_messages::{Event, LineRange};

pub(crate) const MACHINE: &str = "work_ledger";

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'w',
    version: 1,
};

/// Files, commands and failures that are kept; the oldest give way.
const MOST_FILES: usize = 200;
const MOST_COMMANDS: usize = 100;
const MOST_FAILURES: usize = 20;
/// Calls that have no result yet.
const MOST_OPEN_CALLS: usize = 64;

/// Keeps what was done in a session: see the [module](self) for its promise.
///
/// Two methods tell it what happens, as it happens: [`observe`](Self::observe) the calls and their results,
/// [`prompt`](Self::prompt) what the user wrote. [`text`](Self::text) and [`snapshot`](Self::snapshot) can be
/// taken between any two of them, and change nothing.
///
/// ```
/// use std::borrow::Cow;
/// use turnkeeper_summary_injector::{Event, Json, WorkLedger};
///
/// let mut ledger = WorkLedger::new();
/// ledger.observe(&Event::ToolCall {
///     id: None,
///     name: "bash".into(),
///     args: Some(Cow::Owned(Json::object([("command", "make".into())]))),
///     key: None,
/// });
/// ledger.observe(&Event::ToolResult {
///     id: None,
///     output: "no rule".into(),
///     is_error: None,
///     exit_code: Some(2),
/// });
/// assert!(ledger.text(6_000).contains("make (once): failed with exit code 2"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkLedger {
    prompts: Prompts,
    written: Newest<WrittenFile>,
    read: Newest<ReadFile>,
    commands: Newest<CommandRun>,
    failures: Newest<Failure>,
    open_calls: Newest<OpenCall>,
}

/// The end of something, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Ending {
    /// It ended, and nothing says whether well.
    #[default]
    Unknown,
    Succeeded,
    Failed {
        exit_code: Option<i64>,
    },
}

impl Ending {
    fn is_failure(self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}

/// A file that a tool wrote or edited, or tried to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenFile {
    path: KeptText,
    /// The number of times that it was written or edited.
    writes: u32,
    /// The number of times that this failed.
    failures: u32,
    last: Ending,
}

/// A file that was read after the last time that a tool wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ReadFile {
    path: KeptText,
    lines: ReadLines,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CommandRun {
    line: KeptText,
    runs: u32,
    ending: Ending,
    /// The last line that it printed.
    last_line: String,
}

/// A call that failed, and was not repeated since with success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failure {
    tool: KeptText,
    arguments: KeptText,
    said: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OpenCall {
    id: Option<String>,
    call: Call,
}

impl WorkLedger {
    /// A ledger in which nothing stands.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what the user wrote. A text that says nothing but to go on, such as "continue", is passed over.
    pub fn prompt(&mut self, text: &str) {
        self.prompts.push(text);
    }

    /// Takes the next event; all but calls and their results are passed over. A result without an id belongs to the
    /// oldest call that has none yet.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::ToolCall { id, name, args, .. } => {
                let args = args.as_deref().unwrap_or(&Json::Null);
                let call = Call::new(name, args);
                let id = id.as_deref().map(str::to_owned);
                self.open_calls.push(OpenCall { id, call }, MOST_OPEN_CALLS);
            }
            Event::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } => {
                let is_its = |open: &OpenCall| id.is_none() || open.id.as_deref() == id.as_deref();
                if let Some(OpenCall { call, .. }) = self.open_calls.take(is_its) {
                    self.finish(call, output, ending_of(*is_error, *exit_code));
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, call: Call, output: &str, ending: Ending) {
        let Call {
            tool,
            arguments,
            action,
        } = call;
        let is_other = |it: &Failure| it.tool != tool || it.arguments != arguments;
        self.failures.items.retain(is_other);
        match action {
            Action::Command { line } => self.run(line, output, ending),
            Action::Change { written, .. } if ending.is_failure() && !written.is_empty() => {
                for path in written {
                    self.write(path, ending);
                }
            }
            _ if ending.is_failure() => {
                let said = output.lines().find(|line| !line.trim().is_empty());
                let failure = Failure {
                    tool,
                    arguments,
                    said: shortened(said.unwrap_or_default().trim(), LONGEST_LINE),
                };
                self.failures.push(failure, MOST_FAILURES);
            }
            Action::Read { files } => {
                for (path, part) in files {
                    self.read(path, lines_read(part, output));
                }
            }
            Action::Change { written, gone } => {
                for path in gone {
                    self.forget_reads(&path);
                }
                for path in written {
                    self.forget_reads(&path);
                    self.write(path, ending);
                }
            }
            Action::Other => {}
        }
    }

    fn read(&mut self, path: KeptText, ranges: Option<Vec<LineRange>>) {
        let known = self.read.take(|file| file.path == path);
        let mut file = known.unwrap_or_else(|| ReadFile {
            path,
            ..ReadFile::default()
        });
        file.lines.add(&ranges.unwrap_or_default());
        self.read.push(file, MOST_FILES);
    }

    /// Forgets the contents of a file, and of one that may be the same by a longer path.
    fn forget_reads(&mut self, path: &KeptText) {
        let ends_with = |whole: &str, end: &str| {
            let before = whole.strip_suffix(end);
            before.is_some_and(|before| before.ends_with(['/', '\\']))
        };
        self.read.items.retain(|file| {
            let (one, two) = (&*file.path.shown, &*path.shown);
            file.path != *path && !ends_with(one, two) && !ends_with(two, one)
        });
    }

    fn write(&mut self, path: KeptText, ending: Ending) {
        let known = self.written.take(|file| file.path == path);
        let mut file = known.unwrap_or_else(|| WrittenFile {
            path,
            ..WrittenFile::default()
        });
        let count = match ending.is_failure() {
            true => &mut file.failures,
            false => &mut file.writes,
        };
        *count = count.saturating_add(1);
        file.last = ending;
        self.written.push(file, MOST_FILES);
    }

    fn run(&mut self, line: KeptText, output: &str, ending: Ending) {
        let known = self.commands.take(|run| run.line == line);
        let last = output.lines().rev().find(|line| !line.trim().is_empty());
        let run = CommandRun {
            line,
            runs: known.map_or(0, |run| run.runs).saturating_add(1),
            ending,
            last_line: shortened(last.unwrap_or_default().trim(), LONGEST_LINE),
        };
        self.commands.push(run, MOST_COMMANDS);
    }

    /// The ledger as bytes, the same on every platform.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        seal(FORMAT, self)
    }

    /// A ledger that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        open(FORMAT, snapshot)
    }
}

fn ending_of(is_error: Option<bool>, exit_code: Option<i64>) -> Ending {
    match (is_error, exit_code) {
        (Some(true), exit_code) => Ending::Failed { exit_code },
        (_, Some(code)) if code != 0 => Ending::Failed {
            exit_code: Some(code),
        },
        (None, None) => Ending::Unknown,
        _ => Ending::Succeeded,
    }
}

impl SavedState for WorkLedger {
    fn validate(&self) -> Result<(), Corrupt> {
        let lists = self.written.items.len() <= MOST_FILES
            && self.read.items.len() <= MOST_FILES
            && self.commands.items.len() <= MOST_COMMANDS
            && self.failures.items.len() <= MOST_FAILURES
            && self.open_calls.items.len() <= MOST_OPEN_CALLS;
        let mut read = self.read.items.iter();
        let ranges = read.all(|file| file.lines.is_within_limits());
        Corrupt::unless(lists && ranges && self.prompts.is_within_limits())
    }
}

#[cfg(test)]
mod tests;
