//! The machine: what a host tells it, and what it asks.

use std::collections::{BTreeMap, VecDeque};

use super::created::{self, Created};
use super::directory::Directory;
use super::limit::{self, Room};
use super::location::{Aftermath, Location, SentCommand};
use super::quote::change_directory;
use super::ranking::{Candidate, Wanted};
use super::reading::aftermath_of;
use super::terminal::{Binding, Report, Terminal};
use super::{
    Shell, TerminalChange, TerminalChoice, TerminalReason, TerminalRegistration, TerminalRequest,
    TerminalSelectorOptions, TerminalState, check_length, refusal,
};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::MAX_SAFE_INTEGER;

/// How many choices are kept for display.
const JOURNAL_LENGTH: usize = 200;

/// Chooses among the terminals of one host. See the [module](super) for its promise.
#[derive(Debug, Clone)]
pub struct TerminalSelector {
    pub(super) options: TerminalSelectorOptions,
    pub(super) known: Known,
    /// The last choices, the oldest first.
    journal: VecDeque<TerminalChoice>,
}

/// What a selector knows of its host.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Known {
    /// The terminals by their ids.
    pub(super) terminals: BTreeMap<u64, Terminal>,
    /// The commands for which terminals are being created, the oldest first.
    pub(super) created: VecDeque<Created>,
    /// How many times the selector was told that a terminal is there or idle.
    pub(super) now: u64,
}

impl TerminalSelector {
    /// Makes a selector that knows no terminal.
    #[must_use]
    pub fn new(options: TerminalSelectorOptions) -> Self {
        Self::with_known(options, Known::default())
    }

    pub(super) fn with_known(options: TerminalSelectorOptions, known: Known) -> Self {
        Self {
            options,
            known,
            journal: VecDeque::new(),
        }
    }

    /// Makes a terminal known.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for an id that is registered already or too large and
    /// for a directory that does not say one place; `limit_exceeded` for a text of more than 4,096
    /// UTF-16 units. Nothing is changed then.
    pub fn register(&mut self, terminal: &TerminalRegistration) -> Result<(), Error> {
        let directory = self.read_registration(terminal, "terminal")?;
        if self.known.terminals.contains_key(&terminal.id) {
            let message = "is registered already";
            return Err(refusal(ErrorCode::InvalidArgument, "terminal.id", message));
        }
        self.add(terminal, directory);
        Ok(())
    }

    /// Says which terminals there are: those that are not known are registered, those that are known
    /// are what is said of them, and all others are closed. For hosts that read the state of their
    /// terminals when they choose.
    ///
    /// What is left out is said, too, as in [`register`](Self::register): no task, an unknown
    /// directory. Only `busy` is not: left out, a terminal is as busy as it was, and stays reserved.
    /// What the selector counted, and what else it was told, stays.
    ///
    /// # Errors
    /// As [`register`](Self::register), naming `terminals[2].id`, for example. Nothing is changed
    /// then, but that a directory that cannot be understood leaves that terminal's one unknown.
    pub fn sync(&mut self, terminals: &[TerminalRegistration]) -> Result<(), Error> {
        let mut directories = BTreeMap::new();
        for (at, terminal) in terminals.iter().enumerate() {
            let name = format!("terminals[{at}]");
            let directory = self
                .read_registration(terminal, &name)
                .inspect_err(|error| {
                    if error.field() == Some(&*format!("{name}.workingDirectory")) {
                        self.known.lose_directory(terminal.id);
                    }
                })?;
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
                    self.add(terminal, directory);
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
                    let report = Report {
                        task_id: Some(terminal.task_id.clone()),
                        directory: Some(directory),
                        busy: terminal.busy,
                        ..Report::default()
                    };
                    known.apply(report, now);
                    self.known.now += 1;
                }
            }
        }
        Ok(())
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
                let directory = self.read_directory(path, "change.workingDirectory");
                Some(directory.inspect_err(|_| self.known.lose_directory(id))?)
            }
        };
        let now = self.known.now;
        let terminal = self.known.terminal(id, "id")?;
        if change.closed {
            self.known.terminals.remove(&id);
            return Ok(());
        }
        let report = Report {
            task_id: change.task_id.clone(),
            reset: change.reset,
            failed: change.failed,
            environment: change.environment.clone(),
            directory,
            busy: change.busy,
            unobserved: change.unobserved,
        };
        terminal.apply(report, now);
        self.known.now += 1;
        Ok(())
    }

    /// Unbinds every terminal that is bound to the task; others may have them then.
    ///
    /// # Errors
    /// `limit_exceeded` for a name that no task can have.
    pub fn release_task(&mut self, task_id: &str) -> Result<(), Error> {
        check_length(task_id, "taskId")?;
        for terminal in self.known.terminals.values_mut() {
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
    /// As [`register`](Self::register), naming the field of the request; `limit_exceeded` also for a command of
    /// more than 16,777,216 UTF-16 code units. That no terminal will do is no error.
    pub fn select(&mut self, request: &TerminalRequest) -> Result<TerminalChoice, Error> {
        check_length(&request.provider, "request.provider")?;
        check_optional_length(request.task_id.as_deref(), "request.taskId")?;
        check_command(request.command.as_deref().unwrap_or_default())?;
        let rules = self.options.path_rules();
        let directory = Directory::read(
            &request.working_directory,
            rules,
            "request.workingDirectory",
        )?;
        let choice = match self.best(request, &directory) {
            Ok((candidate, command)) => self.take(request, &directory, candidate, command),
            Err(reason) => self.create(request, directory, reason),
        };
        for id in choice.close() {
            let terminal = self.known.terminals.get_mut(id);
            terminal.expect("what is closed is registered").is_closing = true;
        }
        if self.journal.len() == JOURNAL_LENGTH {
            self.journal.pop_front();
        }
        self.journal.push_back(choice.clone());
        Ok(choice)
    }

    /// Takes a choice back: the terminal is idle, is where it was, is bound as it was, and its
    /// change of directory does not count.
    ///
    /// # Errors
    /// `unknown_id` for one that is not registered or was closed, `wrong_order` for one that is not
    /// reserved: it was not chosen, or the host has reported about it since.
    pub fn cancel(&mut self, terminal_id: u64) -> Result<(), Error> {
        if self.known.terminal(terminal_id, "terminalId")?.cancel() {
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

    /// The last 200 choices, the oldest first, for display. They are not part of a
    /// [`snapshot`](Self::snapshot).
    pub fn journal(&self) -> impl DoubleEndedIterator<Item = &TerminalChoice> + ExactSizeIterator {
        self.journal.iter()
    }

    /// The directory of a terminal that can be registered. An error names the field.
    fn read_registration(
        &self,
        terminal: &TerminalRegistration,
        name: &str,
    ) -> Result<Option<Directory>, Error> {
        check_length(&terminal.provider, &format!("{name}.provider"))?;
        check_optional_length(terminal.task_id.as_deref(), &format!("{name}.taskId"))?;
        if terminal.id > MAX_SAFE_INTEGER {
            let (field, message) = (format!("{name}.id"), "must be at most 9007199254740991");
            return Err(refusal(ErrorCode::InvalidArgument, &field, message));
        }
        let path = terminal.working_directory.as_deref();
        self.read_directory(path, &format!("{name}.workingDirectory"))
    }

    fn add(&mut self, terminal: &TerminalRegistration, directory: Option<Directory>) {
        let is_busy = terminal.busy == Some(true);
        let created = directory
            .as_ref()
            .and_then(|directory| created::take(&mut self.known.created, terminal, directory));
        let command = match created {
            Some(aftermath) => Some(SentCommand::new(aftermath)),
            None => is_busy.then(SentCommand::unseen),
        };
        let added = Terminal {
            provider: terminal.provider.clone(),
            shell: terminal.shell,
            binding: Binding::to(terminal.task_id.clone()),
            location: directory.map(Location::reported),
            command,
            directory_changes: 0,
            is_busy,
            is_unobserved: false,
            has_failed: false,
            is_closing: false,
            idle_since: self.known.now,
            reservation: None,
            environment: Default::default(),
        };
        self.known.now += 1;
        self.known.terminals.insert(terminal.id, added);
    }

    /// The best terminal for a request and the command line for it, or why there is none.
    fn best(
        &self,
        request: &TerminalRequest,
        directory: &Directory,
    ) -> Result<(Candidate, String), TerminalReason> {
        let wanted = Wanted {
            request,
            directory,
            options: &self.options,
        };
        let command = request.command.as_deref().unwrap_or_default();
        // The shells for which the directory cannot be written.
        let mut unsafe_for = Vec::new();
        loop {
            let best = self.nearest(&wanted, &unsafe_for)?;
            let Some(shell) = best.led_by else {
                return Ok((best, command.to_owned()));
            };
            match change_directory(shell, directory.written(), command) {
                Some(line) => return Ok((best, line)),
                None => unsafe_for.push(shell),
            }
        }
    }

    /// The best terminal that is led by none of these shells, or the reason of the one that came
    /// nearest to being chosen.
    fn nearest(&self, wanted: &Wanted, unsafe_for: &[Shell]) -> Result<Candidate, TerminalReason> {
        let mut best: Option<Candidate> = None;
        let mut reason = TerminalReason::NoneRegistered;
        for (id, terminal) in &self.known.terminals {
            let candidate = wanted.judge(*id, terminal).and_then(|candidate| {
                let is_unsafe = candidate
                    .led_by
                    .is_some_and(|shell| unsafe_for.contains(&shell));
                if is_unsafe {
                    Err(TerminalReason::Unsafe)
                } else {
                    Ok(candidate)
                }
            });
            match candidate {
                Ok(candidate) if best.is_none_or(|best| candidate.rank < best.rank) => {
                    best = Some(candidate);
                }
                Ok(_) => {}
                Err(obstacle) => reason = reason.max(obstacle),
            }
        }
        best.ok_or(reason)
    }

    /// Reserves the terminal, and says so.
    fn take(
        &mut self,
        request: &TerminalRequest,
        directory: &Directory,
        candidate: Candidate,
        command: String,
    ) -> TerminalChoice {
        let Candidate {
            rank,
            relation,
            certainty,
            led_by,
            is_counted,
        } = candidate;
        let (terminal_id, tier) = (rank.terminal_id, rank.tier);
        let terminal = self.known.terminals.get_mut(&terminal_id);
        let terminal = terminal.expect("a candidate is one of the terminals");
        let shell = terminal.shell.or(request.shell.map(Into::into));
        let rules = self.options.path_rules();
        let is_led = led_by.is_some();
        let aftermath = match aftermath_of(request.command.as_deref(), shell, directory, rules) {
            // What is sent is the change of directory alone.
            Aftermath::Unknown(_) if is_led && is_empty(request) => {
                Aftermath::Leads(directory.clone())
            }
            Aftermath::Stays if is_led => Aftermath::Leads(directory.clone()),
            aftermath => aftermath,
        };
        let sent = SentCommand::new(aftermath);
        terminal.reserve(request.task_id.as_deref(), sent, is_counted);
        let max_directory_changes = self.options.max_directory_changes();
        let changes_left = max_directory_changes.saturating_sub(terminal.directory_changes);
        let reason = TerminalReason::of_choice(tier, certainty);
        let close = self.options.max_terminals.map_or(Vec::new(), |max| {
            let wanted = Wanted {
                request,
                directory,
                options: &self.options,
            };
            limit::leftovers(&wanted, &self.known.terminals, max, terminal_id)
        });
        if is_led {
            TerminalChoice::ReuseWithCd {
                terminal_id,
                tier,
                relation,
                directory: certainty,
                changes_left,
                close,
                command,
                reason,
            }
        } else {
            TerminalChoice::Reuse {
                terminal_id,
                tier,
                relation,
                directory: certainty,
                changes_left,
                close,
                command,
                reason,
            }
        }
    }

    /// Asks for a new terminal, or to wait until there is room for one.
    fn create(
        &mut self,
        request: &TerminalRequest,
        directory: Directory,
        reason: TerminalReason,
    ) -> TerminalChoice {
        let command = request.command.clone().unwrap_or_default();
        let mut close = Vec::new();
        if let Some(max_terminals) = self.options.max_terminals {
            let wanted = Wanted {
                request,
                directory: &directory,
                options: &self.options,
            };
            match limit::room(&wanted, &self.known.terminals, max_terminals) {
                Room::After(closed) => close = closed,
                Room::None { wait_for } => {
                    return TerminalChoice::Wait {
                        wait_for,
                        command,
                        reason: TerminalReason::Limit { max_terminals },
                    };
                }
            }
        }
        let shell = request.shell.map(Into::into);
        let rules = self.options.path_rules();
        let created = Created {
            provider: request.provider.clone(),
            task_id: request.task_id.clone(),
            aftermath: aftermath_of(request.command.as_deref(), shell, &directory, rules),
            directory,
        };
        created::remember(&mut self.known.created, created);
        TerminalChoice::Create {
            close,
            command,
            reason,
        }
    }

    fn read_directory(&self, path: Option<&str>, field: &str) -> Result<Option<Directory>, Error> {
        let rules = self.options.path_rules();
        path.map(|path| Directory::read(path, rules, field))
            .transpose()
    }
}

impl Known {
    /// The terminal with that id. An error names the field.
    fn terminal(&mut self, id: u64, field: &str) -> Result<&mut Terminal, Error> {
        let unknown = || refusal(ErrorCode::UnknownId, field, "is of no registered terminal");
        self.terminals.get_mut(&id).ok_or_else(unknown)
    }

    /// Its shell is somewhere, but nobody understands where.
    fn lose_directory(&mut self, id: u64) {
        if let Some(terminal) = self.terminals.get_mut(&id) {
            terminal.move_to(None);
        }
    }
}

/// Whether no command is asked for.
fn is_empty(request: &TerminalRequest) -> bool {
    let command = request.command.as_deref().unwrap_or_default();
    command.trim_ascii().is_empty()
}

/// UTF-16 code units that a command may have: more than any shell takes, and few enough to be read and kept.
const LONGEST_COMMAND: usize = 16 << 20;

fn check_command(command: &str) -> Result<(), Error> {
    if command.len() <= LONGEST_COMMAND || command.encode_utf16().count() <= LONGEST_COMMAND {
        return Ok(());
    }
    let message = format!("must have at most {LONGEST_COMMAND} UTF-16 units");
    Err(refusal(
        ErrorCode::LimitExceeded,
        "request.command",
        &message,
    ))
}

fn check_optional_length(text: Option<&str>, field: &str) -> Result<(), Error> {
    text.map_or(Ok(()), |text| check_length(text, field))
}
