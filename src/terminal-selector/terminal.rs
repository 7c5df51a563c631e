//! The life of one terminal.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::directory::Directory;
use super::location::{Aftermath, Location, SentCommand};
use super::reading::Displaced;
use super::{DirectoryCertainty, PathRelation, TerminalChange, TerminalShell, TerminalState};
use turnkeeper_base::sorted_map::SortedMap;

/// A terminal as the selector knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Terminal {
    pub(super) provider: String,
    pub(super) shell: Option<TerminalShell>,
    pub(super) binding: Binding,
    pub(super) location: Option<Location>,
    /// The command that runs in it or is about to.
    pub(super) command: Option<SentCommand>,
    /// Whether its directory was moved away or removed, so that it stands elsewhere whatever its shell
    /// reports, until it is led out of it.
    pub(super) is_displaced: bool,
    /// The times that it was led elsewhere since it was created or reset, or since it had stood long enough.
    pub(super) directory_changes: u32,
    /// The number of commands that it was chosen for, one after the other, in the directory where it is.
    pub(super) commands_there: u32,
    pub(super) is_busy: bool,
    /// Whether nobody can tell when its command ends.
    pub(super) is_unobserved: bool,
    pub(super) has_failed: bool,
    /// Whether a choice has named it for closing.
    pub(super) is_closing: bool,
    /// The time when its last command began or ended: the selector counts what it is told.
    pub(super) used_at: u64,
    /// The choice of this terminal that the host has not reported about since.
    pub(super) reservation: Option<Reservation>,
    /// The names of its environment that have changed.
    pub(super) environment: SortedMap<String, ()>,
}

/// The task that a terminal belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Binding {
    /// The task that it is bound to.
    pub(super) task_id: Option<String>,
    /// The task that it was bound to last.
    pub(super) last_task_id: Option<String>,
}

impl Binding {
    pub(super) fn to(task_id: Option<String>) -> Self {
        Self {
            last_task_id: task_id.clone(),
            task_id,
        }
    }

    fn set(&mut self, task_id: Option<String>) {
        if task_id.is_some() {
            self.last_task_id.clone_from(&task_id);
        }
        self.task_id = task_id;
    }
}

/// The state before a choice, to take it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reservation {
    pub(super) binding_before: Binding,
    pub(super) command_before: Option<SentCommand>,
    pub(super) was_displaced: bool,
    pub(super) directory_changes_before: u32,
    pub(super) commands_there_before: u32,
}

/// The commands, one after the other, in one directory that give a terminal its changes of directory back.
pub(super) const COMMANDS_TO_SETTLE: u32 = 10;

/// The way in which a terminal comes to where its command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It is there.
    Stands,
    /// It is led there by a change of directory that is no more than a precaution.
    Precaution,
    /// It is led there, or leads itself there, which counts.
    Counted,
    /// The same, and the changes before it no longer count.
    CountedAnew,
}

impl Way {
    pub(super) fn is_counted(self) -> bool {
        matches!(self, Self::Counted | Self::CountedAnew)
    }
}

impl Terminal {
    /// Whether a command runs in it, or is about to.
    pub(super) fn is_taken(&self) -> bool {
        self.is_busy || self.reservation.is_some()
    }

    /// Its location for a command that is sent now.
    pub(super) fn location_now(&self) -> Option<Cow<'_, Location>> {
        let location = self.location.as_ref();
        let mut location = match self.unheard_command() {
            Some(command) => command.location_after(location).map(Cow::Owned),
            None => location.map(Cow::Borrowed),
        }?;
        if self.is_displaced_now() {
            location.to_mut().certainty = DirectoryCertainty::Uncertain;
        }
        Some(location)
    }

    /// The directory in which its command leaves it, or its own if it has none.
    pub(super) fn left_at(&self) -> Option<Directory> {
        let location = self.location.as_ref();
        let after = match &self.command {
            Some(command) => command.location_after(location),
            None => location.cloned(),
        };
        after.map(|it| it.directory)
    }

    /// Whether it stands somewhere else than it reports.
    pub(super) fn is_displaced_now(&self) -> bool {
        let command = self.unheard_command();
        self.is_displaced || command.is_some_and(|command| command.is_displacing)
    }

    /// The command that it was created for, if nobody has said whether that has run.
    fn unheard_command(&self) -> Option<&SentCommand> {
        self.command.as_ref().filter(|_| !self.is_taken())
    }

    /// Notes that it was chosen for a command, and for a task or for none.
    pub(super) fn reserve(&mut self, task_id: Option<&str>, command: SentCommand, way: Way) {
        self.reservation = Some(Reservation {
            binding_before: self.binding.clone(),
            command_before: self.command.replace(command),
            was_displaced: self.is_displaced,
            directory_changes_before: self.directory_changes,
            commands_there_before: self.commands_there,
        });
        if let Some(task_id) = task_id {
            self.binding.set(Some(task_id.to_owned()));
        }
        self.is_displaced &= way == Way::Stands;
        if way.is_counted() {
            let before = match way {
                Way::CountedAnew => 0,
                _ => self.directory_changes,
            };
            self.directory_changes = before + 1;
            self.commands_there = 0;
            return;
        }
        self.commands_there += 1;
        if self.commands_there >= COMMANDS_TO_SETTLE {
            self.commands_there = 0;
            self.directory_changes = 0;
        }
    }

    /// Makes it what it was before it was chosen, but for what was reported since. Returns false if
    /// there is no choice to take back.
    pub(super) fn cancel(&mut self) -> bool {
        let Some(reservation) = self.reservation.take() else {
            return false;
        };
        self.binding = reservation.binding_before;
        self.command = reservation.command_before;
        self.is_displaced |= reservation.was_displaced;
        self.directory_changes = reservation.directory_changes_before;
        self.commands_there = reservation.commands_there_before;
        true
    }

    /// Takes in what the host reports at that time, with the directory of the change, which was read.
    pub(super) fn apply(
        &mut self,
        change: &TerminalChange,
        directory: Option<Option<Directory>>,
        now: u64,
    ) {
        if let Some(task_id) = &change.task_id {
            self.bind(task_id.clone());
        }
        if change.reset {
            self.directory_changes = 0;
            if let Some(reservation) = &mut self.reservation {
                reservation.directory_changes_before = 0;
            }
            self.environment = SortedMap::new();
        }
        self.has_failed |= change.failed;
        let changed = change.environment.iter();
        self.environment
            .extend(changed.map(|name| (name.clone(), ())));
        if let Some(directory) = directory {
            self.move_to(directory);
        }
        match change.busy {
            Some(true) => self.begin(now),
            Some(false) => self.end(now),
            None => {}
        }
        self.is_unobserved |= change.unobserved;
    }

    /// Binds it to a task or to none, also when its choice is taken back later.
    pub(super) fn bind(&mut self, task_id: Option<String>) {
        if let Some(reservation) = &mut self.reservation {
            reservation.binding_before.set(task_id.clone());
        }
        self.binding.set(task_id);
    }

    /// Its shell reports a directory, or none that can be understood.
    pub(super) fn move_to(&mut self, directory: Option<Directory>) {
        self.settle(directory.map(Location::reported));
        let before = self.reservation.as_mut();
        let before = before.and_then(|reservation| reservation.command_before.as_mut());
        for command in self.command.iter_mut().chain(before) {
            command.is_reported = true;
        }
    }

    /// A command begins. What was reported before is not where that leads.
    fn begin(&mut self, now: u64) {
        self.reservation = None;
        if self.is_busy {
            return;
        }
        self.used_at = now;
        self.is_busy = true;
        self.is_unobserved = false;
        let command = self.command.get_or_insert_with(SentCommand::unseen);
        command.is_reported = false;
    }

    /// Its command has ended.
    fn end(&mut self, now: u64) {
        if self.is_taken() {
            self.used_at = now;
        }
        self.reservation = None;
        self.is_busy = false;
        self.is_unobserved = false;
        if let Some(command) = self.command.take() {
            self.is_displaced |= command.is_displacing;
            self.settle(command.location_after(self.location.as_ref()));
        }
    }

    /// It is there now.
    fn settle(&mut self, location: Option<Location>) {
        let is_same = match (&self.location, &location) {
            (Some(from), Some(to)) => {
                from.directory.relation_to(&to.directory) == PathRelation::Same
            }
            _ => false,
        };
        if !is_same {
            self.commands_there = 0;
            if let Some(reservation) = &mut self.reservation {
                reservation.commands_there_before = 0;
            }
        }
        self.location = location;
    }

    /// Whether it is, or a command is leading it, where these are displaced.
    pub(super) fn is_among(&self, displaced: &Displaced) -> bool {
        let led_to = self.command.as_ref().and_then(|it| match &it.aftermath {
            Aftermath::Leads(target) => Some(target),
            Aftermath::Stays | Aftermath::Unknown(_) => None,
        });
        let at = self.location.as_ref().map(|it| &it.directory);
        at.into_iter().chain(led_to).any(|it| displaced.has(it))
    }

    /// Unbinds it if it is bound to this task, also when its choice is taken back later.
    pub(super) fn release(&mut self, task_id: &str) {
        let before = self.reservation.as_mut().map(|it| &mut it.binding_before);
        for binding in [Some(&mut self.binding), before].into_iter().flatten() {
            binding.task_id.take_if(|bound_to| bound_to == task_id);
        }
    }

    /// The state of it that a host is told.
    pub(super) fn state(&self, id: u64) -> TerminalState {
        let location = self.location.as_ref();
        TerminalState {
            id,
            provider: self.provider.clone(),
            shell: self.shell,
            busy: self.is_taken(),
            failed: self.has_failed,
            task_id: self.binding.task_id.clone(),
            working_directory: location.map(|it| it.directory.written().to_owned()),
            directory: location.map(|it| match self.is_displaced {
                true => DirectoryCertainty::Uncertain,
                false => it.certainty,
            }),
            closing: self.is_closing,
            directory_changes: self.directory_changes,
            environment: self.environment.keys().cloned().collect(),
        }
    }
}
