//! The machine: what a host tells it, and what it asks.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::choosing::choose;
use super::directory::Directory;
use super::known::Known;
use super::refusal::{check_command, check_length, check_optional_length, refusal};
use super::terminal::Terminal;
use super::{
    TerminalChange, TerminalChoice, TerminalRegistration, TerminalRequest, TerminalSelectorOptions,
    TerminalShell, TerminalState, UnknownDirectory,
};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::{self, MAX_SAFE_INTEGER};
use turnkeeper_base::sorted_map::SortedMap;

/// The most choices that are kept for display, and the most bytes that their commands have together.
const LOG_LENGTH: usize = 200;
const LOG_BYTES: usize = 1 << 20;

/// Chooses among the terminals of one host. See the [module](super) for its promise.
///
/// Its methods are of four kinds:
///
/// - news of the host: [`register`](Self::register), [`update`](Self::update), [`sync`](Self::sync) and
///   [`release_task`](Self::release_task). Each takes in all of a call, or returns an error;
/// - requests: [`select`](Self::select) chooses and reserves a terminal, [`cancel`](Self::cancel) takes that
///   back;
/// - views, which change nothing: [`terminals`](Self::terminals) and [`log`](Self::log);
/// - [`snapshot`](Self::snapshot) and [`restore`](Self::restore), between any two other calls.
///
/// A terminal is registered first. A command then goes through `select`, an `update` that its terminal is busy,
/// and one that it is idle, with the directory if the shell reports it. For `create` and `wait` there is nothing
/// to cancel: a new terminal is registered with the directory in which it was opened, and after waiting the host
/// selects again. There is no clock: what is told earlier happened earlier, so news comes in the order in which
/// it happens, and any number of commands may be under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TerminalSelector {
    #[serde(with = "options::saved")]
    pub(super) options: TerminalSelectorOptions,
    pub(super) known: Known,
    /// The last choices, the oldest first.
    #[serde(skip)]
    log: VecDeque<TerminalChoice>,
    /// The length of their commands together.
    #[serde(skip)]
    log_bytes: usize,
}

impl TerminalSelector {
    /// Makes a selector that knows no terminal.
    ///
    /// # Errors
    /// None so far: each option's type has its bounds. Other machines refuse options that do not fit together.
    pub fn new(options: TerminalSelectorOptions) -> Result<Self, Error> {
        Ok(Self {
            options,
            known: Known::default(),
            log: VecDeque::new(),
            log_bytes: 0,
        })
    }

    /// Makes a terminal known.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for an id that is registered already or too large and
    /// for a directory that does not say one place; `limit_exceeded` for a text of more than 4,096
    /// UTF-16 units. Nothing is changed then.
    pub fn register(&mut self, terminal: &TerminalRegistration) -> Result<(), Error> {
        self.check_registration(terminal, "terminal")?;
        let path = terminal.working_directory.as_deref();
        let field = "terminal.workingDirectory";
        let directory = self.read_directory(path, terminal.shell, field)?;
        if self.known.terminals.contains_key(&terminal.id) {
            let message = "is registered already";
            return Err(refusal(ErrorCode::InvalidArgument, "terminal.id", message));
        }
        self.known.add(terminal, directory);
        Ok(())
    }

    /// Says which terminals there are: those that are not known are registered, those that are known
    /// are what is said of them, and all others are closed. For hosts that read the state of their
    /// terminals when they choose.
    ///
    /// A field that is left out says something, too, as in [`register`](Self::register): no task, an unknown
    /// directory. Only `busy` does not: left out, a terminal is as busy as it was, and stays reserved.
    /// The selector's counts, and all else that it was told, stay.
    ///
    /// A directory that cannot be understood is unknown, as if it were left out, and the answer tells
    /// of it.
    ///
    /// # Errors
    /// For anything else as [`register`](Self::register), naming `terminals[2].id`, for example.
    /// Nothing is changed then.
    pub fn sync(
        &mut self,
        terminals: &[TerminalRegistration],
    ) -> Result<Vec<UnknownDirectory>, Error> {
        let mut directories = SortedMap::new();
        let mut not_understood = Vec::new();
        for (at, terminal) in terminals.iter().enumerate() {
            let name = format!("terminals[{at}]");
            self.check_registration(terminal, &name)?;
            let path = terminal.working_directory.as_deref();
            let field = format!("{name}.workingDirectory");
            let directory = self.read_directory(path, terminal.shell, &field);
            let directory = directory.unwrap_or_else(|error| {
                not_understood.push(UnknownDirectory {
                    id: terminal.id,
                    field,
                    message: error.to_string(),
                });
                None
            });
            if directories.insert(terminal.id, directory).is_some() {
                let (field, message) = (format!("{name}.id"), "is in the list already");
                return Err(refusal(ErrorCode::InvalidArgument, &field, message));
            }
        }
        let is_there = |id: &u64, _: &mut Terminal| directories.contains_key(id);
        self.known.terminals.retain(is_there);
        for terminal in terminals {
            let directory = directories.remove(&terminal.id).flatten();
            let now = self.known.now;
            match self.known.terminals.get_mut(&terminal.id) {
                None => {
                    self.known.add(terminal, directory);
                    // Its directory was read now, and not before its first command.
                    if terminal.busy != Some(true)
                        && let Some(added) = self.known.terminals.get_mut(&terminal.id)
                    {
                        added.command = None;
                    }
                }
                Some(known) => {
                    known.provider.clone_from(&terminal.provider);
                    known.shell = terminal.shell;
                    let change = TerminalChange {
                        task_id: Some(terminal.task_id.clone()),
                        busy: terminal.busy,
                        ..TerminalChange::default()
                    };
                    known.apply(&change, Some(directory), now);
                    self.known.now += 1;
                }
            }
        }
        Ok(not_understood)
    }

    /// Takes in what has changed of a terminal: all of it, or nothing if an error is returned. Only
    /// a directory that cannot be understood leaves the terminal's directory unknown, because it is
    /// not the one that was known.
    ///
    /// # Errors
    /// `unknown_id` for one that is not registered or was closed, and otherwise as
    /// [`register`](Self::register).
    pub fn update(&mut self, id: u64, change: &TerminalChange) -> Result<(), Error> {
        for name in &change.environment {
            check_length(name, "change.environment")?;
        }
        let task_id = change.task_id.as_ref().and_then(Option::as_deref);
        check_optional_length(task_id, "change.taskId")?;
        let directory = match &change.working_directory {
            None => None,
            Some(path) => {
                let path = path.as_deref();
                let shell = self.known.terminals.get(&id).and_then(|it| it.shell);
                let directory = self.read_directory(path, shell, "change.workingDirectory");
                Some(directory.inspect_err(|_| self.known.lose_directory(id))?)
            }
        };
        let now = self.known.now;
        let terminal = self.known.terminal(id, "id")?;
        if change.closed {
            self.known.terminals.remove(&id);
            return Ok(());
        }
        terminal.apply(change, directory, now);
        self.known.now += 1;
        Ok(())
    }

    /// Unbinds every terminal that is bound to the task; others may have them then.
    ///
    /// # Errors
    /// `limit_exceeded` for a name that no task can have.
    pub fn release_task(&mut self, task_id: &str) -> Result<(), Error> {
        check_length(task_id, "taskId")?;
        for (_, terminal) in self.known.terminals.entries_mut() {
            terminal.release(task_id);
        }
        Ok(())
    }

    /// Chooses a terminal for a command, and reserves it: it is busy until the host
    /// [reports](Self::update) that it is busy or idle, or [cancels](Self::cancel) the choice. It is
    /// bound to the request's task, if there is one, and a change of directory counts.
    ///
    /// Linear in the number of terminals, at some nanoseconds each.
    ///
    /// # Errors
    /// As [`register`](Self::register), naming the field of the request, also for a directory that is left
    /// out where nobody knows where the task left off; `unknown_id` for a named terminal that is not
    /// registered; `limit_exceeded` also for a command of more than 16,777,216 UTF-16 code units. That no
    /// terminal will do is no error.
    pub fn select(&mut self, request: &TerminalRequest) -> Result<TerminalChoice, Error> {
        check_length(&request.provider, "request.provider")?;
        check_optional_length(request.task_id.as_deref(), "request.taskId")?;
        check_command(request.command.as_deref().unwrap_or_default())?;
        let mut request = Cow::Borrowed(request);
        if let Some(id) = request.terminal_id {
            let terminal = self.known.terminal(id, "request.terminalId")?;
            if request.task_id.is_none() {
                request
                    .to_mut()
                    .task_id
                    .clone_from(&terminal.binding.task_id);
            }
        }
        let field = "request.workingDirectory";
        let path = request.working_directory.as_deref();
        let shell = request.shell.map(Into::into);
        let directory = match self.read_directory(path, shell, field)? {
            Some(directory) => directory,
            None => self.known.left_off(&request).ok_or_else(|| {
                let message = "is needed: nobody knows where this task left off";
                refusal(ErrorCode::InvalidArgument, field, message)
            })?,
        };
        if let Some(id) = request.terminal_id {
            self.known.take_back_for(id, request.task_id.as_deref());
        }
        let choice = choose(&self.options, &mut self.known, &request, &directory);
        self.remember(&choice);
        Ok(choice)
    }

    fn remember(&mut self, choice: &TerminalChoice) {
        self.log_bytes += choice.command().len();
        self.log.push_back(choice.clone());
        while self.log.len() > 1
            && (self.log.len() > LOG_LENGTH || self.log_bytes > LOG_BYTES)
            && let Some(oldest) = self.log.pop_front()
        {
            self.log_bytes -= oldest.command().len();
        }
    }

    /// Takes a choice back: the terminal is idle, is where it was, is bound as it was, and its
    /// change of directory does not count.
    ///
    /// # Errors
    /// `unknown_id` for one that is not registered or was closed, `wrong_order` for one that is not
    /// reserved: it was not chosen, or the host has reported about it since.
    pub fn cancel(&mut self, terminal_id: u64) -> Result<(), Error> {
        if self.known.terminal(terminal_id, "terminalId")?.cancel() {
            self.known.sent.take_back(terminal_id);
            return Ok(());
        }
        let message = "is of a terminal that is not reserved";
        Err(refusal(ErrorCode::WrongOrder, "terminalId", message))
    }

    /// Every terminal that is registered, in order of id.
    pub fn terminals(&self) -> Vec<TerminalState> {
        let terminals = self.known.terminals.iter();
        terminals
            .map(|(id, terminal)| terminal.state(*id))
            .collect()
    }

    /// The last 200 choices, the oldest first, for display; fewer if their commands have more than 1 MiB
    /// together. They are not part of a [`snapshot`](Self::snapshot).
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &TerminalChoice> + ExactSizeIterator {
        self.log.iter()
    }

    /// Refuses a terminal that cannot be registered, whatever its directory. An error names the field.
    fn check_registration(&self, terminal: &TerminalRegistration, name: &str) -> Result<(), Error> {
        check_length(&terminal.provider, &format!("{name}.provider"))?;
        check_optional_length(terminal.task_id.as_deref(), &format!("{name}.taskId"))?;
        if terminal.id > MAX_SAFE_INTEGER {
            let (field, message) = (format!("{name}.id"), "must be at most 9007199254740991");
            return Err(refusal(ErrorCode::InvalidArgument, &field, message));
        }
        Ok(())
    }

    /// Reads a path in the words of the shell that it comes from or is for.
    fn read_directory(
        &self,
        path: Option<&str>,
        shell: Option<TerminalShell>,
        field: &str,
    ) -> Result<Option<Directory>, Error> {
        let rules = self.options.path_rules();
        path.map(|path| Directory::read_of(shell, path, rules, field))
            .transpose()
    }
}
