//! Which terminal does a command run in?
//!
//! Hosts look for an idle terminal that stands in exactly the directory of a command, so every `cd`
//! leaves a terminal behind that nothing is run in any more. A [`TerminalSelector`] knows the
//! terminals that the host has registered, and answers: reuse this one, reuse it after a `cd`, or
//! make one. Its promise:
//!
//! - the answer follows from what it was told alone, and the best match always comes first;
//! - no two requests get the same terminal: who is chosen is taken until it is
//!   [heard of](TerminalSelector::update) or the choice is [cancelled](TerminalSelector::cancel);
//! - whatever a directory is called, its name is inert in the command line, and if the `cd` fails,
//!   nothing of the command runs.
//!
//! It looks at no file system and runs nothing. Paths are compared by their text ([`path_relation`]),
//! once when they are first seen.
//!
//! # The choice
//!
//! A terminal is considered if it is of the request's provider, idle, not known to run another shell
//! than the one that is asked for, and its working directory is known. The best tier wins, within it
//! the smallest number of names between the two directories, then the fewest changes of directory so
//! far, then the lowest id.
//!
//! | tier | bound to | stands |
//! |---|---|---|
//! | 1 | the request's task | in the directory |
//! | 2 | the request's task | above or below it, and may be led elsewhere |
//! | 3 | no task | in the directory |
//! | 4 | no task | above or below it, and may be led elsewhere |
//!
//! ```
//! use turnkeeper_core::terminal_selector::{
//!     TerminalAction, TerminalRegistration, TerminalRequest, TerminalSelector,
//!     TerminalSelectorOptions,
//! };
//! use turnkeeper_core::PathPlatform;
//!
//! let mut selector = TerminalSelector::new(TerminalSelectorOptions::new(PathPlatform::Posix));
//! selector.register(&TerminalRegistration {
//!     working_directory: Some("/project/src"),
//!     ..TerminalRegistration::new(1, "vscode")
//! })?;
//! let request = TerminalRequest::new("make", "/project/src/", "vscode");
//! let choice = selector.select(&request)?;
//! assert_eq!((choice.action, choice.terminal_id), (TerminalAction::Reuse, Some(1)));
//! assert_eq!(choice.reason, "it is idle and stands in the directory");
//!
//! // It is taken, until it is heard of.
//! assert_eq!(selector.select(&request)?.action, TerminalAction::Create);
//! # Ok::<(), turnkeeper_core::Error>(())
//! ```

mod choice;
mod options;
mod path;
mod quote;
mod shell;
mod snapshot;
mod terminal;
mod texts;

pub(crate) use self::choice::Reason;
pub use self::choice::{TerminalAction, TerminalChoice, TerminalRequest};
pub use self::options::TerminalSelectorOptions;
pub use self::path::{PathRelation, PathRules, can_change_directory, path_relation};
pub use self::shell::Shell;
pub(crate) use self::terminal::{Change, Terminal};
pub use self::terminal::{TerminalChange, TerminalRegistration, TerminalState};
pub(crate) use self::texts::NONE;
use self::texts::Texts;
#[cfg(target_family = "wasm")]
pub(crate) use self::{options::no_platform, path::relation_between};
use crate::error::{Error, ErrorCode};
use crate::path::{PathPlatform, is_too_long};
use crate::setting::MAX_SAFE_INTEGER;

pub(crate) const MACHINE: &str = "terminal_selector";

/// An error of this machine. One for all, since each place that made one by itself would take its
/// room.
#[inline(never)]
pub(crate) fn refusal(code: ErrorCode, field: &str, message: &str) -> Error {
    Error::new(code, MACHINE, message).at(field)
}

/// How often a terminal may be led elsewhere, unless the host says otherwise.
const MOST_CHANGES: u32 = 5;
const TOO_LARGE: &str = "must be at most 9007199254740991";
/// So many decisions are kept for display.
const JOURNAL: usize = 200;
/// So many texts come before those that no terminal needs are forgotten.
const SPARE_TEXTS: usize = 1_024;

/// Chooses among the terminals of one host. See the [module](self) for its promise.
#[derive(Debug, Clone)]
pub struct TerminalSelector {
    options: TerminalSelectorOptions,
    texts: Texts,
    /// In order of id.
    terminals: Vec<Terminal>,
    journal: Vec<TerminalChoice>,
    /// How many texts were left when some were forgotten last.
    texts_left: usize,
}

/// A [`TerminalRequest`] in numbers, but for its command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) directory: u32,
    pub(crate) provider: u32,
    pub(crate) task: u32,
    pub(crate) shell: Option<Shell>,
    pub(crate) is_clean: bool,
}

/// What a choice would be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pick {
    /// The terminal's place, if there is one.
    at: Option<usize>,
    pub(crate) reason: Reason,
    /// For which its command line is written.
    shell: Option<Shell>,
    pub(crate) relation: PathRelation,
}

impl Pick {
    /// Whether the terminal has to be led to the directory.
    pub(crate) fn needs_cd(&self) -> bool {
        self.at.is_some() && self.relation != PathRelation::Same
    }
}

/// What became of a choice.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Taken {
    pub(crate) id: u64,
    pub(crate) changes_left: u32,
}

impl TerminalSelector {
    /// Makes a selector that knows no terminal.
    #[must_use]
    pub fn new(options: TerminalSelectorOptions) -> Self {
        Self {
            texts: Texts::new(options.rules()),
            options,
            terminals: Vec::new(),
            journal: Vec::new(),
            texts_left: 0,
        }
    }

    /// Makes a terminal known. Its cost grows with the number of terminals and directories.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for an id that is registered already or too large and
    /// for a directory that does not say one place; `limit_exceeded` for a text of more than 4,096
    /// UTF-16 units. Nothing is changed then.
    pub fn register(&mut self, terminal: &TerminalRegistration) -> Result<(), Error> {
        self.tidy();
        let provider = self.name(terminal.provider, "terminal.provider")?;
        let task = self.optional_name(terminal.task_id, "terminal.taskId")?;
        let directory = match terminal.working_directory {
            Some(path) => self.directory(path, "terminal.workingDirectory")?,
            None => NONE,
        };
        let mut added = Terminal::new(terminal.id, provider, terminal.shell);
        added.task = task;
        added.directory = directory;
        added.is_busy = terminal.busy;
        self.add(added)
    }

    /// Takes in what has changed of a terminal: all of it, or nothing if an error is returned.
    ///
    /// # Errors
    /// `unknown_id` for one that is not registered or was closed, and otherwise as
    /// [`register`](Self::register).
    pub fn update(&mut self, id: u64, change: &TerminalChange) -> Result<(), Error> {
        self.tidy();
        let mut environment = Vec::new();
        for name in change.environment {
            environment.push(self.name(name, "change.environment")?);
        }
        let mut numbers = Change {
            reset: change.reset,
            failed: change.failed,
            busy: change.busy,
            ..Change::default()
        };
        if let Some(task) = change.task_id {
            numbers.task = Some(self.optional_name(task, "change.taskId")?);
        }
        if let Some(path) = change.working_directory {
            numbers.directory = Some(self.directory(path, "change.workingDirectory")?);
        }
        if change.closed {
            return self.close(id);
        }
        self.change(id, &numbers)?;
        for name in environment {
            self.add_environment(id, name);
        }
        Ok(())
    }

    /// Unbinds every terminal that is bound to the task; others may have them then.
    pub fn release_task(&mut self, task_id: &str) {
        if let Some(task) = self.texts.known(task_id) {
            self.release(task);
        }
    }

    /// Chooses a terminal for a command, and reserves it: it is busy until it is
    /// [heard of](Self::update) to be busy or idle, or the choice is [cancelled](Self::cancel). It
    /// is bound to the request's task, if there is one, and a change of directory counts.
    ///
    /// Linear in the number of terminals, at a few nanoseconds each.
    ///
    /// # Errors
    /// As [`register`](Self::register), naming the field of the request. That no terminal will do is
    /// none.
    pub fn select(&mut self, request: &TerminalRequest) -> Result<TerminalChoice, Error> {
        self.tidy();
        let wanted = Wanted {
            provider: self.name(request.provider, "request.provider")?,
            task: self.optional_name(request.task_id, "request.taskId")?,
            directory: self.directory(request.working_directory, "request.workingDirectory")?,
            shell: request.shell,
            is_clean: request.clean_environment,
        };
        let mut pick = self.pick(&wanted, 0);
        let mut line = String::new();
        if pick.needs_cd() {
            (pick, line) = self.pick_with_line(&wanted, request.command);
        }
        let taken = self.take(&wanted, &pick);
        let choice = TerminalChoice {
            action: match taken {
                None => TerminalAction::Create,
                Some(_) if pick.needs_cd() => TerminalAction::ReuseWithCd,
                Some(_) => TerminalAction::Reuse,
            },
            terminal_id: taken.map(|taken| taken.id),
            tier: pick.reason.tier(),
            relation: taken.map(|_| pick.relation),
            changes_left: taken.map(|taken| taken.changes_left),
            command: if pick.needs_cd() {
                line
            } else {
                request.command.to_owned()
            },
            reason: self.text_of(pick.reason),
        };
        if self.journal.len() == JOURNAL {
            self.journal.remove(0);
        }
        self.journal.push(choice.clone());
        Ok(choice)
    }

    /// Takes a choice back: the terminal is idle, stands where it stood, is bound as it was, and its
    /// change of directory does not count.
    ///
    /// # Errors
    /// `unknown_id` for one that is not registered or was closed, `wrong_order` for one that is not
    /// reserved: it was not chosen, or has been heard of since.
    pub fn cancel(&mut self, terminal_id: u64) -> Result<(), Error> {
        let at = self.find(terminal_id, "terminalId")?;
        if self.terminals[at].cancel() {
            return Ok(());
        }
        let message = "is of a terminal that is not reserved";
        Err(refusal(ErrorCode::WrongOrder, "terminalId", message))
    }

    /// Every terminal that is registered, in order of id.
    pub fn terminals(&self) -> Vec<TerminalState> {
        let mut states = Vec::new();
        for terminal in &self.terminals {
            let mut environment = Vec::new();
            for name in &terminal.environment {
                environment.push(self.text(*name).unwrap_or_default().to_owned());
            }
            states.push(TerminalState {
                id: terminal.id,
                provider: self.text(terminal.provider).unwrap_or_default().to_owned(),
                shell: terminal.shell,
                busy: terminal.is_taken(),
                failed: terminal.has_failed,
                task_id: self.text(terminal.task).map(str::to_owned),
                working_directory: self.text(terminal.directory).map(str::to_owned),
                directory_changes: terminal.changes,
                environment,
            });
        }
        states
    }

    /// The last 200 choices, the oldest first, for display. They are not part of a
    /// [`snapshot`](Self::snapshot).
    pub fn journal(&self) -> &[TerminalChoice] {
        &self.journal
    }

    /// The terminals in numbers, in order of id.
    #[cfg(target_family = "wasm")]
    pub(crate) fn all(&self) -> &[Terminal] {
        &self.terminals
    }

    /// The text with a number, as it was written.
    pub(crate) fn text(&self, number: u32) -> Option<&str> {
        self.texts.text(number)
    }

    /// The number of a provider, a task or a name of the environment.
    pub(crate) fn name(&mut self, text: &str, field: &str) -> Result<u32, Error> {
        if is_too_long(text) {
            return Err(path::too_long(field));
        }
        Ok(self.texts.number(text))
    }

    fn optional_name(&mut self, text: Option<&str>, field: &str) -> Result<u32, Error> {
        match text {
            Some(text) => self.name(text, field),
            None => Ok(NONE),
        }
    }

    /// The number of a directory.
    pub(crate) fn directory(&mut self, path: &str, field: &str) -> Result<u32, Error> {
        let number = self.name(path, field)?;
        self.texts.read(number, field)?;
        Ok(number)
    }

    pub(crate) fn add(&mut self, terminal: Terminal) -> Result<(), Error> {
        let message = match self.place(terminal.id) {
            _ if terminal.id > MAX_SAFE_INTEGER => TOO_LARGE,
            Ok(_) => "is registered already",
            Err(place) => {
                self.terminals.insert(place, terminal);
                return Ok(());
            }
        };
        Err(refusal(ErrorCode::InvalidArgument, "terminal.id", message))
    }

    pub(crate) fn change(&mut self, id: u64, change: &Change) -> Result<(), Error> {
        let at = self.find(id, "id")?;
        self.terminals[at].change(change);
        Ok(())
    }

    pub(crate) fn close(&mut self, id: u64) -> Result<(), Error> {
        let at = self.find(id, "id")?;
        self.terminals.remove(at);
        Ok(())
    }

    /// A name of a terminal's environment has changed.
    pub(crate) fn add_environment(&mut self, id: u64, name: u32) {
        let Ok(at) = self.place(id) else { return };
        let names = &mut self.terminals[at].environment;
        let text = self.texts.text(name);
        let mut place = 0;
        while place < names.len() && self.texts.text(names[place]) < text {
            place += 1;
        }
        if names.get(place) != Some(&name) {
            names.insert(place, name);
        }
    }

    pub(crate) fn release(&mut self, task: u32) {
        for terminal in &mut self.terminals {
            terminal.release(task);
        }
    }

    /// The best terminal, if none is led elsewhere that runs one of the `unfit` shells (bits, by
    /// their place among all).
    pub(crate) fn pick(&self, wanted: &Wanted, unfit: u32) -> Pick {
        let mut best = Pick {
            at: None,
            reason: Reason::NoneRegistered,
            shell: None,
            relation: PathRelation::Unrelated,
        };
        let Some(to) = self.texts.span(wanted.directory) else {
            return best;
        };
        let most = self.most_changes();
        // What decides, in one number; less is better.
        let mut least = u64::MAX;
        for (at, terminal) in self.terminals.iter().enumerate() {
            let is_bound = terminal.task != NONE && terminal.task == wanted.task;
            let shell = terminal.shell.or(wanted.shell);
            let obstacle = if terminal.provider != wanted.provider {
                Reason::NoneRegistered
            } else if terminal.has_failed {
                Reason::Failed
            } else if wanted.shell.is_some() && shell != wanted.shell {
                Reason::OtherShell
            } else if wanted.is_clean && !terminal.environment.is_empty() {
                Reason::Environment
            } else if !is_bound && terminal.task != NONE && !self.steals() {
                Reason::OtherTask
            } else if terminal.is_taken() {
                Reason::Busy
            } else if let Some(from) = self.texts.span(terminal.directory) {
                let (relation, distance) = from.relation(to);
                let shell = shell.or(self.usual_shell());
                let obstacle = match (relation, shell) {
                    (PathRelation::Same, _) => None,
                    (PathRelation::Unrelated, _) => Some(Reason::Unrelated),
                    _ if terminal.changes >= most => Some(Reason::NoChangesLeft),
                    (_, None) => Some(Reason::NoShell),
                    (_, Some(shell)) if unfit >> shell as u32 & 1 == 1 => Some(Reason::Unsafe),
                    _ => None,
                };
                let Some(obstacle) = obstacle else {
                    let reason = match (is_bound, relation) {
                        (true, PathRelation::Same) => Reason::BoundThere,
                        (true, _) => Reason::BoundNear,
                        (false, PathRelation::Same) => Reason::IdleThere,
                        (false, _) => Reason::IdleNear,
                    };
                    let weight = u64::from(reason as u8) << 62
                        | u64::from(distance) << 32
                        | u64::from(terminal.changes);
                    if weight < least {
                        least = weight;
                        best = Pick {
                            at: Some(at),
                            reason,
                            shell,
                            relation,
                        };
                    }
                    continue;
                };
                obstacle
            } else {
                Reason::NoDirectory
            };
            if best.at.is_none() && obstacle > best.reason {
                best.reason = obstacle;
            }
        }
        best
    }

    /// The best terminal and the command line for it, where that has to be led elsewhere.
    pub(crate) fn pick_with_line(&self, wanted: &Wanted, command: &str) -> (Pick, String) {
        let directory = self.text(wanted.directory).unwrap_or_default();
        let mut unfit = 0;
        let mut line = String::new();
        loop {
            let pick = self.pick(wanted, unfit);
            let shell = match pick.shell {
                Some(shell) if pick.needs_cd() => shell,
                _ => return (pick, line),
            };
            if quote::change_directory(shell, directory, command, &mut line) {
                return (pick, line);
            }
            unfit |= 1 << shell as u32;
        }
    }

    /// Reserves the terminal, if there is one.
    pub(crate) fn take(&mut self, wanted: &Wanted, pick: &Pick) -> Option<Taken> {
        let most = self.most_changes();
        let terminal = self.terminals.get_mut(pick.at?)?;
        let target = pick.needs_cd().then_some(wanted.directory);
        terminal.reserve(wanted.task, target);
        Some(Taken {
            id: terminal.id,
            changes_left: most.saturating_sub(terminal.changes),
        })
    }

    pub(crate) fn text_of(&self, reason: Reason) -> String {
        reason.text(self.most_changes())
    }

    /// Forgets the texts that no terminal needs; the others get other numbers.
    fn forget(&mut self) {
        let texts = std::mem::replace(&mut self.texts, Texts::new(self.options.rules()));
        for terminal in &mut self.terminals {
            let mut rename = |number: &mut u32| {
                if let Some(text) = texts.text(*number) {
                    *number = self.texts.number(text);
                }
            };
            for number in &mut terminal.environment {
                rename(number);
            }
            for number in terminal.texts() {
                rename(number);
            }
        }
        self.read_directories();
    }

    /// Reads the directories of all terminals, and says whether all of them are some.
    fn read_directories(&mut self) -> bool {
        let mut are_right = true;
        for terminal in &self.terminals {
            for number in [terminal.directory, terminal.target] {
                are_right &= self.texts.read(number, "").is_ok();
            }
        }
        are_right
    }

    /// Forgets what no terminal needs, if that is much. Numbers are others then.
    pub(crate) fn tidy(&mut self) -> bool {
        let is_due = self.texts.len() > self.texts_left + SPARE_TEXTS;
        if is_due {
            self.forget();
            self.texts_left = self.texts.len();
        }
        is_due
    }

    fn most_changes(&self) -> u32 {
        self.options.max_directory_changes.unwrap_or(MOST_CHANGES)
    }

    fn steals(&self) -> bool {
        self.options.steal_from_other_tasks == Some(true)
    }

    /// What a command line is written for where the shell is not known. What is written for a POSIX
    /// shell holds in the usual ones; on Windows there is no such form.
    fn usual_shell(&self) -> Option<Shell> {
        match self.options.platform {
            PathPlatform::Posix => Some(Shell::Sh),
            PathPlatform::Win32 => None,
        }
    }

    /// A terminal's place, or where it would be.
    fn place(&self, id: u64) -> Result<usize, usize> {
        self.terminals
            .binary_search_by_key(&id, |terminal| terminal.id)
    }

    fn find(&self, id: u64, field: &str) -> Result<usize, Error> {
        match self.place(id) {
            Ok(at) => Ok(at),
            Err(_) => Err(refusal(
                ErrorCode::UnknownId,
                field,
                "is not that of a terminal",
            )),
        }
    }
}
