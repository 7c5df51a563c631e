//! What was done in a session, for a context that was compacted.
//!
//! A [`WorkLedger`] reads the tool calls of a conversation and their results, and what the user wrote. When
//! the host has replaced the conversation by a summary, the model has forgotten which files it has read,
//! what it has changed and which command failed; [`WorkLedger::text`] tells it, as facts. No model is
//! needed. Its promise:
//!
//! - the text states what happened and asks for nothing;
//! - what users, files and tools wrote stands on quoted lines, and can pass neither for a heading of the
//!   ledger nor for a tag of the host;
//! - memory does not grow with the conversation.

mod action;
mod text;
#[cfg(feature = "wasm")]
mod wasm;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::action::{Action, LineRange, action_of, shortened};
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState, open, seal};

pub(crate) const MACHINE: &str = "work_ledger";

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'w',
    version: 1,
};

/// Characters of a prompt that are kept.
const LONGEST_PROMPT: usize = 1_500;
/// Characters of a path, a command line and the line that a command ended with.
const LONGEST_LINE: usize = 240;
/// Files, commands and failures that are kept; the oldest give way.
const MOST_FILES: usize = 200;
const MOST_COMMANDS: usize = 100;
const MOST_FAILURES: usize = 20;
/// Calls that have no result yet.
const MOST_OPEN_CALLS: usize = 64;
/// Ranges of lines that are kept for each file.
const MOST_RANGES: usize = 4;

/// An event that the ledger reads; it passes over all others.
#[derive(Debug, Clone, PartialEq)]
pub enum LedgerEvent {
    /// The model asks for a tool.
    ToolCall {
        /// The id by which its result is recognised.
        id: Option<String>,
        /// The tool's name.
        name: String,
        /// Any JSON value, or the same as a JSON string.
        args: Value,
    },
    /// A tool answered.
    ToolResult {
        /// The id of its call; left out, it belongs to the oldest call without a result.
        id: Option<String>,
        /// The text that the tool printed or returned.
        output: String,
        /// Whether it failed.
        is_error: Option<bool>,
        /// A command's exit code.
        exit_code: Option<i64>,
    },
    /// Anything else.
    Other,
}

impl LedgerEvent {
    /// The event that a JSON object stands for, or the name of a field that is not as it has to be.
    fn read(mut event: Value) -> Result<Self, &'static str> {
        let id = optional(&event, "id", |id| id.as_str().map(str::to_owned));
        match event["type"].as_str() {
            Some("tool_call") => Ok(Self::ToolCall {
                id: id?,
                name: event["name"].as_str().ok_or("name")?.to_owned(),
                args: event["args"].take(),
            }),
            Some("tool_result") => Ok(Self::ToolResult {
                id: id?,
                output: event["output"].as_str().ok_or("output")?.to_owned(),
                is_error: optional(&event, "isError", Value::as_bool)?,
                exit_code: optional(&event, "exitCode", Value::as_i64)?,
            }),
            Some(_) => Ok(Self::Other),
            None => Err("type"),
        }
    }
}

/// A field that may be left out or null.
fn optional<T>(
    event: &Value,
    name: &'static str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<Option<T>, &'static str> {
    match &event[name] {
        Value::Null => Ok(None),
        value => read(value).map(Some).ok_or(name),
    }
}

/// By way of a [`Value`]: what serde derives for an enum with a tag is several times as much code.
impl<'de> Deserialize<'de> for LedgerEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let event = Value::deserialize(deserializer)?;
        Self::read(event)
            .map_err(|field| D::Error::custom(format!("`{field}` is missing or wrong")))
    }
}

/// Keeps what was done in a session: see the [module](self).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkLedger {
    first_prompt: Option<String>,
    newest_prompt: Option<String>,
    prompts: u64,
    files: Vec<FileWork>,
    commands: Vec<CommandRun>,
    failures: Vec<Failure>,
    open_calls: Vec<OpenCall>,
}

/// The end of something, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Ending {
    /// Nothing says whether it succeeded.
    #[default]
    Unknown,
    Succeeded,
    Failed {
        exit_code: Option<i64>,
    },
}

/// A file that was read or written. The newest stands last in its list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct FileWork {
    path: String,
    /// How often it was written or edited, or was tried to be.
    writes: u32,
    last_write: Ending,
    /// What was read since it was last written; empty if nothing was.
    read: Vec<LineRange>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CommandRun {
    line: String,
    runs: u32,
    ending: Ending,
    /// The last line that it printed.
    last_line: String,
}

/// A call of another tool that failed, and was not repeated with success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failure {
    tool: String,
    /// Its arguments, shortened.
    arguments: String,
    said: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OpenCall {
    id: Option<String>,
    action: Action,
}

impl WorkLedger {
    /// A ledger in which nothing stands.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what the user wrote. A blank text is no prompt.
    pub fn prompt(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let kept = shortened(text, LONGEST_PROMPT);
        self.prompts += 1;
        if self.first_prompt.is_none() {
            self.first_prompt = Some(kept);
        } else {
            self.newest_prompt = Some(kept);
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &LedgerEvent) {
        match event {
            LedgerEvent::ToolCall { id, name, args } => {
                if self.open_calls.len() == MOST_OPEN_CALLS {
                    self.open_calls.remove(0);
                }
                let (id, action) = (id.clone(), action_of(name, args));
                self.open_calls.push(OpenCall { id, action });
            }
            LedgerEvent::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } => {
                let is_its = |call: &OpenCall| id.is_none() || call.id == *id;
                let Some(at) = self.open_calls.iter().position(is_its) else {
                    return;
                };
                let call = self.open_calls.remove(at);
                self.finish(call.action, output, ending_of(*is_error, *exit_code));
            }
            LedgerEvent::Other => {}
        }
    }

    fn finish(&mut self, action: Action, output: &str, ending: Ending) {
        let failed = matches!(ending, Ending::Failed { .. });
        match action {
            Action::Read { files } => {
                for (path, range) in files {
                    if failed {
                        self.fail("read", path, output);
                    } else {
                        self.succeed("read", &path);
                        let file = self.file(path);
                        if !file.read.contains(&range) && file.read.len() < MOST_RANGES {
                            file.read.push(range);
                        }
                    }
                }
            }
            Action::Write { paths } => {
                for path in paths {
                    let file = self.file(path);
                    file.writes = file.writes.saturating_add(1);
                    file.last_write = ending;
                    if !failed {
                        file.read.clear();
                    }
                }
            }
            Action::Command { line } => self.run(line, output, ending),
            Action::Other { tool, arguments } if failed => self.fail(&tool, arguments, output),
            Action::Other { tool, arguments } => self.succeed(&tool, &arguments),
        }
    }

    /// The work on a file, which becomes the newest.
    fn file(&mut self, path: String) -> &mut FileWork {
        let known = self.files.iter().position(|file| file.path == path);
        let file = known.map(|at| self.files.remove(at));
        let file = file.unwrap_or_else(|| FileWork {
            path,
            ..FileWork::default()
        });
        push_newest(&mut self.files, file, MOST_FILES)
    }

    fn run(&mut self, line: String, output: &str, ending: Ending) {
        let known = self.commands.iter().position(|run| run.line == line);
        let runs = known.map_or(0, |at| self.commands.remove(at).runs);
        let last = output.lines().rev().find(|line| !line.trim().is_empty());
        let run = CommandRun {
            line,
            runs: runs.saturating_add(1),
            ending,
            last_line: shortened(last.unwrap_or_default().trim(), LONGEST_LINE),
        };
        push_newest(&mut self.commands, run, MOST_COMMANDS);
    }

    fn fail(&mut self, tool: &str, arguments: String, output: &str) {
        self.succeed(tool, &arguments);
        let said = output.lines().find(|line| !line.trim().is_empty());
        let failure = Failure {
            tool: shortened(tool, LONGEST_LINE),
            arguments,
            said: shortened(said.unwrap_or_default().trim(), LONGEST_LINE),
        };
        push_newest(&mut self.failures, failure, MOST_FAILURES);
    }

    /// What failed before is open no more.
    fn succeed(&mut self, tool: &str, arguments: &str) {
        let is_other = |it: &Failure| it.tool != tool || it.arguments != arguments;
        self.failures.retain(is_other);
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

/// Adds an item as the newest; the oldest gives way.
fn push_newest<T>(items: &mut Vec<T>, item: T, most: usize) -> &mut T {
    if items.len() == most {
        items.remove(0);
    }
    items.push(item);
    items.last_mut().expect("an item was just added")
}

impl SavedState for WorkLedger {
    fn validate(&self) -> Result<(), Corrupt> {
        let lists = self.files.len() <= MOST_FILES
            && self.commands.len() <= MOST_COMMANDS
            && self.failures.len() <= MOST_FAILURES
            && self.open_calls.len() <= MOST_OPEN_CALLS;
        let ranges = self.files.iter().all(|file| file.read.len() <= MOST_RANGES);
        let prompts = [&self.first_prompt, &self.newest_prompt];
        let is_short = |text: &&Option<String>| {
            text.as_ref()
                .is_none_or(|it| it.len() <= 4 * LONGEST_PROMPT + 4)
        };
        Corrupt::unless(lists && ranges && prompts.iter().all(is_short))
    }
}

#[cfg(test)]
mod tests;
