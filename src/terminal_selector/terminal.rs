//! The life of one terminal.

use serde::Serialize;

use super::Shell;
use super::texts::NONE;

/// A terminal that a command may be sent to.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct TerminalRegistration<'a> {
    /// The host's name for it: an integer from 0 to 9,007,199,254,740,991.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub id: u64,
    /// Who runs it, such as `vscode` or `execa`.
    pub provider: &'a str,
    /// What runs in it, if that is known.
    pub shell: Option<Shell>,
    /// Where it stands, absolute. As long as it is not known, the terminal is not chosen.
    pub working_directory: Option<&'a str>,
    /// The task that it is bound to.
    pub task_id: Option<&'a str>,
    /// Whether a command runs in it; false.
    #[cfg_attr(feature = "typescript", ts(optional, type = "boolean"))]
    pub busy: bool,
}

impl<'a> TerminalRegistration<'a> {
    /// An idle terminal of which no more is known.
    #[must_use]
    pub fn new(id: u64, provider: &'a str) -> Self {
        Self {
            id,
            provider,
            shell: None,
            working_directory: None,
            task_id: None,
            busy: false,
        }
    }
}

/// What has changed of a terminal. Several changes of one call are made in the order in which they
/// stand here.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct TerminalChange<'a> {
    /// It is gone. Its id is forgotten, and free for another one.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub closed: bool,
    /// The task that it is bound to from now on, or none.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | null"))]
    pub task_id: Option<Option<&'a str>>,
    /// It is as it was when it was made: its changes of directory count from 0 again, and its
    /// environment has not changed.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub reset: bool,
    /// A command could not be run in it. It is never chosen again, not even after a reset.
    #[cfg_attr(feature = "typescript", ts(optional, type = "true"))]
    pub failed: bool,
    /// Names of its environment that have changed, beside those that are known to have.
    #[cfg_attr(feature = "typescript", ts(optional, type = "Array<string>"))]
    pub environment: &'a [&'a str],
    /// Where it stands, as its shell reports. From then on it is not taken to stand where a `cd`
    /// before should have led it.
    pub working_directory: Option<&'a str>,
    /// Whether a command runs in it. Either ends a reservation. When it falls idle after a `cd`, it
    /// stands where that led, unless a report has said otherwise.
    pub busy: Option<bool>,
}

/// A terminal as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalState {
    /// The host's name for it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub id: u64,
    /// Who runs it.
    pub provider: String,
    /// What runs in it, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<Shell>,
    /// Whether a command runs in it, or is about to: it was chosen.
    pub busy: bool,
    /// Whether a command could not be run in it.
    pub failed: bool,
    /// The task that it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    /// Where it stands, as it was written, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_directory: Option<String>,
    /// How often it was led elsewhere since it was made or reset.
    pub directory_changes: u32,
    /// The names of its environment that have changed, in order.
    pub environment: Vec<String>,
}

/// A terminal in numbers.
#[derive(Debug, Clone)]
pub(crate) struct Terminal {
    pub(crate) id: u64,
    pub(crate) provider: u32,
    pub(crate) shell: Option<Shell>,
    pub(crate) task: u32,
    pub(crate) directory: u32,
    /// Where a `cd` that has not ended leads.
    pub(crate) target: u32,
    pub(crate) changes: u32,
    pub(crate) is_busy: bool,
    pub(crate) has_failed: bool,
    /// Whether it was chosen and has not been heard of since.
    pub(crate) is_reserved: bool,
    /// Whether that choice counts among its changes.
    pub(crate) is_counted: bool,
    /// The task that it was bound to before that choice.
    pub(crate) task_before: u32,
    /// In order of text.
    pub(crate) environment: Vec<u32>,
}

/// A [`TerminalChange`] in numbers, but for its environment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Change {
    pub(crate) task: Option<u32>,
    pub(crate) reset: bool,
    pub(crate) failed: bool,
    pub(crate) directory: Option<u32>,
    pub(crate) busy: Option<bool>,
}

impl Terminal {
    /// An idle terminal of which no more is known.
    pub(crate) fn new(id: u64, provider: u32, shell: Option<Shell>) -> Self {
        Self {
            id,
            provider,
            shell,
            task: NONE,
            directory: NONE,
            target: NONE,
            changes: 0,
            is_busy: false,
            has_failed: false,
            is_reserved: false,
            is_counted: false,
            task_before: NONE,
            environment: Vec::new(),
        }
    }

    /// The numbers of its texts, but for its environment.
    pub(super) fn texts(&mut self) -> [&mut u32; 5] {
        [
            &mut self.provider,
            &mut self.task,
            &mut self.task_before,
            &mut self.directory,
            &mut self.target,
        ]
    }

    /// Whether a command runs in it, or is about to.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_busy || self.is_reserved
    }

    /// It was chosen for a task, or for none.
    pub(super) fn reserve(&mut self, task: u32, target: Option<u32>) {
        self.is_reserved = true;
        self.task_before = self.task;
        self.is_counted = target.is_some();
        if task != NONE {
            self.task = task;
        }
        if let Some(target) = target {
            self.target = target;
            self.changes += 1;
        }
    }

    /// It is as it was before it was chosen, but for what was heard of it since. Says no if there is
    /// no choice to take back.
    pub(super) fn cancel(&mut self) -> bool {
        if !self.is_reserved {
            return false;
        }
        self.is_reserved = false;
        self.task = self.task_before;
        self.target = NONE;
        // A reset has taken it back already.
        if std::mem::take(&mut self.is_counted) {
            self.changes -= 1;
        }
        true
    }

    pub(super) fn change(&mut self, change: &Change) {
        if let Some(task) = change.task {
            self.task = task;
            self.task_before = task;
        }
        if change.reset {
            self.changes = 0;
            self.is_counted = false;
            self.environment.clear();
        }
        self.has_failed |= change.failed;
        if let Some(directory) = change.directory {
            self.directory = directory;
            self.target = NONE;
        }
        if let Some(is_busy) = change.busy {
            self.is_busy = is_busy;
            self.is_reserved = false;
            self.is_counted = false;
            if !is_busy && self.target != NONE {
                self.directory = self.target;
                self.target = NONE;
            }
        }
    }

    /// It is no longer bound to this task, and will not be when its choice is taken back.
    pub(super) fn release(&mut self, task: u32) {
        if self.task == task {
            self.task = NONE;
        }
        if self.task_before == task {
            self.task_before = NONE;
        }
    }
}
