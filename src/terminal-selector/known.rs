//! The knowledge of a selector: the terminals of its host, and what was sent to them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::created::{self, Created};
use super::directory::Directory;
use super::location::{Location, SentCommand};
use super::refusal::refusal;
use super::sent::Sent;
use super::terminal::{Binding, Terminal};
use super::{TerminalRegistration, TerminalRequest};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::sorted_map::SortedMap;

/// The terminals of a host, and the commands that were sent to them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    /// The terminals by their ids.
    pub(super) terminals: SortedMap<u64, Terminal>,
    /// The commands for which terminals are being created, the oldest first.
    pub(super) created: VecDeque<Created>,
    /// The number of times that the selector was told that a terminal is there or idle.
    pub(super) now: u64,
    /// The last commands, the oldest first.
    pub(super) sent: Sent,
}

impl Known {
    /// Adds a terminal, in which the command runs for which it was created.
    pub(super) fn add(&mut self, terminal: &TerminalRegistration, directory: Option<Directory>) {
        let is_busy = terminal.busy == Some(true);
        let created = directory
            .as_ref()
            .and_then(|directory| created::take(&mut self.created, terminal, directory));
        let command = match created {
            Some(command) => Some(command),
            None => is_busy.then(SentCommand::unseen),
        };
        let added = Terminal {
            provider: terminal.provider.clone(),
            shell: terminal.shell,
            binding: Binding::to(terminal.task_id.clone()),
            location: directory.map(Location::reported),
            command,
            is_busy,
            used_at: self.now,
            ..Terminal::default()
        };
        self.now += 1;
        self.terminals.insert(terminal.id, added);
    }

    /// The terminal with that id. An error names the field.
    pub(super) fn terminal(&mut self, id: u64, field: &str) -> Result<&mut Terminal, Error> {
        let unknown = || refusal(ErrorCode::UnknownId, field, "is of no registered terminal");
        self.terminals.get_mut(&id).ok_or_else(unknown)
    }

    /// The directory where the request's task left off: where its last command leaves the terminal that the
    /// request names, or that the task used last.
    pub(super) fn left_off(&self, request: &TerminalRequest) -> Option<Directory> {
        if let Some(id) = request.terminal_id {
            return self.terminals.get(&id)?.left_at();
        }
        let task_id = request.task_id.as_ref()?;
        let is_own = |provider: &String, of: &Option<String>| {
            *provider == request.provider && of.as_ref() == Some(task_id)
        };
        let terminals = self.terminals.values();
        let own = terminals.filter(|it| is_own(&it.provider, &it.binding.task_id));
        let last = own.filter(|it| !it.has_failed && !it.is_closing);
        let last = last.max_by_key(|it| (it.reservation.is_some(), it.used_at));
        match last {
            Some(last) => last.left_at(),
            None => {
                let mut created = self.created.iter().rev();
                let last = created.find(|it| is_own(&it.provider, &it.task_id))?;
                Some(last.command.left_at(&last.directory))
            }
        }
    }

    /// Takes back the choice of a terminal that is reserved for this task.
    pub(super) fn take_back_for(&mut self, id: u64, task_id: Option<&str>) {
        if let Some(terminal) = self.terminals.get_mut(&id)
            && terminal.binding.task_id.as_deref() == task_id
            && terminal.cancel()
        {
            self.sent.take_back(id);
        }
    }

    /// Its shell is somewhere, but nobody understands where.
    pub(super) fn lose_directory(&mut self, id: u64) {
        if let Some(terminal) = self.terminals.get_mut(&id) {
            terminal.move_to(None);
        }
    }
}
