//! The commands for which terminals are being created.
//!
//! A terminal that a host creates for a command is registered after the choice, and then the command
//! runs in it. So where that leads is kept until the terminal is registered.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::directory::Directory;
use super::location::SentCommand;
use super::{PathRelation, TerminalRegistration};

/// The most commands that are kept, the newest. A host that creates no terminal for a choice says nothing.
pub(super) const MAX_CREATED: usize = 16;

/// A command for which a terminal is to be created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Created {
    pub(super) provider: String,
    pub(super) task_id: Option<String>,
    pub(super) directory: Directory,
    pub(super) command: SentCommand,
}

impl Created {
    /// Whether the terminal may be the one that was created for it.
    fn is_for(&self, terminal: &TerminalRegistration, directory: &Directory) -> bool {
        self.provider == terminal.provider
            && (terminal.task_id.is_none() || terminal.task_id == self.task_id)
            && self.directory.relation_to(directory) == PathRelation::Same
    }
}

/// Takes out the command for which the terminal was created. If several may be it, and they do not
/// lead to the same place, nobody knows where.
pub(super) fn take(
    all: &mut VecDeque<Created>,
    terminal: &TerminalRegistration,
    directory: &Directory,
) -> Option<SentCommand> {
    let at = all.iter().position(|it| it.is_for(terminal, directory))?;
    let created = all.remove(at)?;
    let mut others = all.iter().filter(|it| it.is_for(terminal, directory));
    Some(match others.all(|it| it.command == created.command) {
        true => created.command,
        false => SentCommand::unseen(),
    })
}
