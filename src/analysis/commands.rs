//! The terminals that the commands of a session need.

use std::borrow::Cow;
use std::collections::VecDeque;

use turnkeeper_base::json::{Json, parse};
use turnkeeper_messages::{Event, command_of};
use turnkeeper_terminal_selector::{
    Count, Error, PathPlatform, Shell, TerminalChange, TerminalChoice, TerminalRegistration,
    TerminalRequest, TerminalSelector, TerminalSelectorOptions, TerminalShell,
};

use super::tools::Work;

/// Terminals that are open at once; each more makes every choice slower.
const MOST_TERMINALS: u64 = 64;
/// Commands under way that are remembered.
const MOST_RUNNING: usize = 1_000;
/// The only provider and task.
const SESSION: &str = "session";

/// The commands of a session, and what they need in terminals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CommandTotals {
    pub(crate) commands: u64,
    /// Terminals that the selector opens for them.
    pub(crate) needed: u64,
    /// Commands that run in a terminal that is already open.
    pub(crate) reusable: u64,
}

/// Sends the commands of a session through the selector.
#[derive(Debug, Default)]
pub(crate) struct CommandCount {
    totals: CommandTotals,
    selector: Option<TerminalSelector>,
    is_windows: bool,
    last_terminal: u64,
    /// The calls whose commands run, each with its terminal.
    running: VecDeque<(Option<String>, u64)>,
}

impl CommandCount {
    /// Takes an event; commands run in `directory` if they do not say where. `work` is that of the tool that is called.
    pub(crate) fn take(&mut self, event: &Event, work: Option<Work>, directory: Option<&str>) {
        match event {
            Event::ToolResult { id, .. } if !self.running.is_empty() => self.ended(id.as_deref()),
            Event::ToolCall { id, args, .. } if work.is_some_and(|work| work.is_shell) => {
                let mut room = Vec::new();
                let value = args.as_deref().unwrap_or(&Json::Null);
                let value = match value {
                    Json::Text(text) => match parse(text.as_bytes(), &mut room) {
                        Ok(parsed) => Cow::Owned(parsed),
                        Err(_) => Cow::Borrowed(value),
                    },
                    value => Cow::Borrowed(value),
                };
                self.called(id.as_deref(), &value, directory);
            }
            _ => {}
        }
    }

    pub(crate) fn totals(&self) -> CommandTotals {
        self.totals
    }

    fn called(&mut self, id: Option<&str>, args: &Json, directory: Option<&str>) {
        let inner = args
            .get("exec")
            .filter(|exec| exec.get("command").is_some());
        let Some(command) = command_of(inner.unwrap_or(args)) else {
            return;
        };
        self.totals.commands += 1;
        let places = ["cwd", "workdir", "working_directory", "dir_path"];
        let given = places.iter().find_map(|name| args.get(name)?.as_text());
        let directory = directory_of(given, directory);
        // A directory that says no one place: a terminal is opened for it.
        if self.run(id, &command, &directory).is_err() {
            self.totals.needed += 1;
        }
    }

    fn run(&mut self, id: Option<&str>, command: &str, directory: &str) -> Result<(), Error> {
        let selector = match &mut self.selector {
            Some(selector) => selector,
            none => {
                self.is_windows = begins_on_windows(directory);
                let platform = match self.is_windows {
                    true => PathPlatform::Win32,
                    false => PathPlatform::Posix,
                };
                none.insert(TerminalSelector::new(TerminalSelectorOptions {
                    max_terminals: Count::new(MOST_TERMINALS),
                    ..TerminalSelectorOptions::new(platform)
                })?)
            }
        };
        let choice = selector.select(&TerminalRequest {
            task_id: Some(SESSION.to_owned()),
            ..TerminalRequest::new(command, directory, SESSION)
        })?;
        for closed in choice.close() {
            let change = TerminalChange {
                closed: true,
                ..TerminalChange::default()
            };
            selector.update(*closed, &change)?;
        }
        let terminal = match (&choice, choice.terminal_id()) {
            // As many as anybody has are busy; a host would wait, and a log does not say for which.
            (TerminalChoice::Wait { .. }, _) => {
                self.totals.needed += 1;
                return Ok(());
            }
            (TerminalChoice::Create { .. }, _) | (_, None) => {
                self.totals.needed += 1;
                self.last_terminal += 1;
                let shell = match self.is_windows {
                    true => Shell::Powershell,
                    false => Shell::Bash,
                };
                selector.register(&TerminalRegistration {
                    shell: Some(TerminalShell::Known(shell)),
                    working_directory: Some(directory.to_owned()),
                    task_id: Some(SESSION.to_owned()),
                    busy: Some(true),
                    ..TerminalRegistration::new(self.last_terminal, SESSION)
                })?;
                self.last_terminal
            }
            (_, Some(terminal)) => {
                self.totals.reusable += 1;
                selector.update(terminal, &busy(true))?;
                terminal
            }
        };
        self.running.push_back((id.map(str::to_owned), terminal));
        // A command that never ends keeps its terminal; it need not be looked for.
        if self.running.len() > MOST_RUNNING {
            self.running.pop_front();
        }
        Ok(())
    }

    fn ended(&mut self, id: Option<&str>) {
        let is_it = |(run, _): &(Option<String>, u64)| id.is_none() || run.as_deref() == id;
        let Some(at) = self.running.iter().rposition(is_it) else {
            return;
        };
        if let Some((_, terminal)) = self.running.remove(at)
            && let Some(selector) = &mut self.selector
        {
            // It is there, and nothing is wrong with this.
            let _ = selector.update(terminal, &busy(false));
        }
    }
}

fn busy(is_busy: bool) -> TerminalChange {
    TerminalChange {
        busy: Some(is_busy),
        ..TerminalChange::default()
    }
}

fn directory_of(given: Option<&str>, current: Option<&str>) -> String {
    let base = current.unwrap_or("/");
    match given {
        None | Some("" | ".") => base.to_owned(),
        Some(given) if given.starts_with(['/', '\\']) || begins_on_windows(given) => {
            given.to_owned()
        }
        Some(given) => {
            let base = base.strip_suffix(['/', '\\']).unwrap_or(base);
            format!("{base}/{given}")
        }
    }
}

/// Whether a path begins with a drive or a server, as on Windows.
fn begins_on_windows(path: &str) -> bool {
    match path.as_bytes() {
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        [b'\\', b'\\', ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(steps: &[(&str, &str)]) -> CommandTotals {
        let mut count = CommandCount::default();
        for (id, args) in steps {
            let mut room = Vec::new();
            let args = parse(args.as_bytes(), &mut room).expect("JSON");
            let call = Event::ToolCall {
                key: None,
                id: Some((*id).into()),
                name: "bash".into(),
                args: Some(Cow::Borrowed(&args)),
            };
            count.take(&call, Some(Work::of("bash")), Some("/srv/app"));
            let result = Event::ToolResult {
                id: Some((*id).into()),
                output: "".into(),
                is_error: None,
                exit_code: None,
            };
            count.take(&result, None, Some("/srv/app"));
        }
        count.totals()
    }

    #[test]
    fn commands_share_terminals() {
        let totals = |commands, needed, reusable| CommandTotals {
            commands,
            needed,
            reusable,
        };
        for (steps, expected) in [
            (
                &[("1", r#"{"command":"ls"}"#), ("2", r#"{"command":"ls"}"#)][..],
                totals(2, 1, 1),
            ),
            (
                &[("1", r#"{"exec":{"command":["ls","-l"]}}"#)],
                totals(1, 1, 0),
            ),
            (
                &[("1", r#""{\"command\":\"ls\",\"cwd\":\"src\"}""#)],
                totals(1, 1, 0),
            ),
            (
                &[
                    ("1", r#"{"command":"a","cwd":"/x"}"#),
                    ("2", r#"{"command":"b","cwd":"C:/x"}"#),
                ],
                totals(2, 2, 0),
            ),
            (&[("1", r#"{"nothing":1}"#)], totals(0, 0, 0)),
        ] {
            assert_eq!(run(steps), expected, "{steps:?}");
        }
    }

    #[test]
    fn a_directory_is_given_in_full_or_below_the_current_one() {
        for (given, current, expected) in [
            (None, None, "/"),
            (Some("."), Some("/a"), "/a"),
            (Some("b"), Some("/a/"), "/a/b"),
            (Some("/b"), Some("/a"), "/b"),
            (Some("C:\\b"), Some("/a"), "C:\\b"),
            (Some("b"), None, "/b"),
        ] {
            assert_eq!(directory_of(given, current), expected);
        }
    }
}
