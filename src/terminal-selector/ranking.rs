//! The ranking of terminals for a request.

use std::borrow::Cow;

use super::directory::Directory;
use super::location::{DirectoryCertainty, Location};
use super::reading::{Leading, Reading, Without};
use super::terminal::{Terminal, Way};
use super::{
    PathRelation, Reachable, Shell, TerminalReason, TerminalRequest, TerminalSelectorOptions,
    TerminalShell, TerminalTier,
};
use turnkeeper_base::path::PathPlatform;
use turnkeeper_base::sorted_map::SortedMap;

/// A request whose directory was read, and the rules by which it is answered.
pub(super) struct Wanted<'a> {
    pub(super) request: &'a TerminalRequest,
    pub(super) directory: &'a Directory,
    pub(super) options: &'a TerminalSelectorOptions,
    /// The command as each shell of the terminals reads it.
    commands: Vec<ReadCommand<'a>>,
}

/// The command of a request as a shell reads it.
struct ReadCommand<'a> {
    shell: Option<TerminalShell>,
    whole: Reading<'a>,
    /// The change of directory that it begins with.
    leading: Option<Leading<Reading<'a>>>,
}

impl ReadCommand<'_> {
    /// The directory where it leads itself, from the one that it is given in.
    fn target_from<'t>(&'t self, directory: &'t Directory) -> &'t Directory {
        let leading = self.leading.as_ref();
        leading.map_or(directory, |it| &it.target)
    }
}

/// A terminal that the command can be sent to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) rank: Rank,
    pub(super) relation: PathRelation,
    pub(super) certainty: DirectoryCertainty,
    /// The command that is sent, without the change of directory that is written for it.
    pub(super) command: &'a Reading<'a>,
    /// The directory in which that begins to run.
    pub(super) directory: &'a Directory,
    /// The shell for which the change of directory is written. None if the terminal is known to be
    /// in the directory already.
    pub(super) led_by: Option<Shell>,
    /// Whether it stands somewhere else than it reports.
    pub(super) is_displaced: bool,
    pub(super) way: Way,
}

impl Candidate<'_> {
    pub(super) fn is_led_by(&self, shells: &[Shell]) -> bool {
        self.led_by.is_some_and(|shell| shells.contains(&shell))
    }
}

/// The rank of a terminal as a match: the less, the better. The first field that differs decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) tier: TerminalTier,
    /// The number of names between the terminal's directory and the one that is asked for.
    pub(super) distance: usize,
    pub(super) directory_changes: u32,
    pub(super) terminal_id: u64,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(
        request: &'a TerminalRequest,
        directory: &'a Directory,
        options: &'a TerminalSelectorOptions,
        terminals: &SortedMap<u64, Terminal>,
    ) -> Self {
        let mut wanted = Self {
            request,
            directory,
            options,
            commands: Vec::new(),
        };
        for terminal in terminals.values() {
            let shell = wanted.shell_of(terminal);
            if wanted.commands.iter().all(|it| it.shell != shell) {
                let whole = wanted.read_by(shell);
                let leading = whole.leading(directory);
                wanted.commands.push(ReadCommand {
                    shell,
                    whole,
                    leading,
                });
            }
        }
        wanted
    }

    /// The terminal as a candidate, or what keeps it from being one.
    pub(super) fn judge(
        &'a self,
        id: u64,
        terminal: &Terminal,
    ) -> Result<Candidate<'a>, TerminalReason> {
        let candidate = self.fit(id, terminal)?;
        if candidate.way == Way::Counted && !self.is_named() {
            self.check_changes(terminal)?;
        }
        Ok(candidate)
    }

    /// The terminal as a candidate if it has changes left, or what keeps it from being one.
    pub(super) fn fit(
        &'a self,
        id: u64,
        terminal: &Terminal,
    ) -> Result<Candidate<'a>, TerminalReason> {
        self.check(terminal)?;
        let location = self.location_of(terminal);
        let location = location.ok_or(TerminalReason::NoDirectory)?;
        let (directory, certainty) = (&location.directory, location.certainty);
        let command = self.command_for(terminal);
        let target = command.target_from(self.directory);
        let relation = directory.relation_to(target);
        let relation_to_start = directory.relation_to(self.directory);
        if relation == PathRelation::Unrelated
            && relation_to_start == PathRelation::Unrelated
            && self.options.reachable != Some(Reachable::Anywhere)
            && !self.is_named()
        {
            return Err(TerminalReason::Unrelated);
        }
        // The last directory that is known of a shell is not the one that it is in.
        let is_there = relation == PathRelation::Same && certainty != DirectoryCertainty::Uncertain;
        let is_at = |one| one == PathRelation::Same && certainty == DirectoryCertainty::Reported;
        let (sent, start, is_led) = match &command.leading {
            Some(leading) if is_at(relation) && leading.without >= Without::SameThere => {
                (&leading.rest, target, false)
            }
            _ if is_at(relation_to_start) => (&command.whole, self.directory, false),
            Some(leading) if leading.without == Without::Same => (&leading.rest, target, true),
            _ => (&command.whole, self.directory, true),
        };
        let led_by = match is_led {
            true => Some(self.shell_to_lead(terminal)?),
            false => None,
        };
        Ok(Candidate {
            rank: Rank {
                tier: TerminalTier::of(self.is_bound(terminal), is_there),
                distance: directory.distance_to(target, relation),
                directory_changes: terminal.directory_changes,
                terminal_id: id,
            },
            relation,
            certainty,
            command: sent,
            directory: start,
            led_by,
            is_displaced: terminal.is_displaced_now(),
            way: match (is_there, is_led) {
                (false, _) => Way::Counted,
                (true, true) => Way::Precaution,
                (true, false) => Way::Stands,
            },
        })
    }

    /// The terminal's location. A change of directory leads to that of the request from wherever a
    /// terminal is that the host has chosen.
    fn location_of<'t>(&self, terminal: &'t Terminal) -> Option<Cow<'t, Location>> {
        let anywhere = || {
            Cow::Owned(Location {
                directory: self.directory.clone(),
                certainty: DirectoryCertainty::Uncertain,
            })
        };
        let known = terminal.location_now();
        known.or_else(|| self.is_named().then(anywhere))
    }

    /// The terminals that are considered.
    pub(super) fn considered<'t>(
        &self,
        terminals: &'t SortedMap<u64, Terminal>,
    ) -> impl Iterator<Item = (&'t u64, &'t Terminal)> {
        let named = self.request.terminal_id;
        let all = terminals.iter();
        all.filter(move |(id, _)| named.is_none_or(|named| named == **id))
    }

    /// Whether the request names the terminal.
    pub(super) fn is_named(&self) -> bool {
        self.request.terminal_id.is_some()
    }

    /// A terminal of the task, other than `chosen`, whose environment the task has changed, which a request
    /// for a clean one does not miss.
    pub(super) fn prepared_beside(
        &self,
        terminals: &SortedMap<u64, Terminal>,
        chosen: Option<u64>,
    ) -> Option<u64> {
        let is_prepared = |(id, terminal): &(&u64, &Terminal)| {
            Some(**id) != chosen
                && self.is_bound(terminal)
                && terminal.provider == self.request.provider
                && !terminal.environment.is_empty()
                && !terminal.has_failed
                && !terminal.is_closing
        };
        if self.request.clean_environment == Some(true) {
            return None;
        }
        terminals.iter().find(is_prepared).map(|(id, _)| *id)
    }

    /// The command, or an empty one.
    pub(super) fn command(&self) -> &'a str {
        self.request.command.as_deref().unwrap_or_default()
    }

    /// The shell that reads what is sent to a terminal, as far as that is known.
    pub(super) fn shell_of(&self, terminal: &Terminal) -> Option<TerminalShell> {
        terminal.shell.or(self.request.shell.map(Into::into))
    }

    /// The command as that shell reads it.
    pub(super) fn read_by(&self, shell: Option<TerminalShell>) -> Reading<'a> {
        Reading::new(self.command(), shell, self.options.path_rules())
    }

    fn command_for(&self, terminal: &Terminal) -> &ReadCommand<'a> {
        let shell = self.shell_of(terminal);
        let mut all = self.commands.iter();
        all.find(|it| it.shell == shell)
            .expect("the command was read for each terminal")
    }

    /// Refuses a terminal that cannot be chosen, wherever it is.
    fn check(&self, terminal: &Terminal) -> Result<(), TerminalReason> {
        let Self {
            request, options, ..
        } = self;
        let shells = request.shell.zip(terminal.shell);
        let binding = &terminal.binding;
        let was_others = binding.last_task_id.is_some() && binding.last_task_id != request.task_id;
        let must_be_clean = request.clean_environment.unwrap_or(was_others);
        let is_others =
            self.is_of_other_task(terminal) && options.steal_from_other_tasks != Some(true);
        let obstacles = [
            (
                terminal.provider != request.provider,
                TerminalReason::NoneRegistered,
            ),
            (terminal.has_failed, TerminalReason::Failed),
            (terminal.is_closing, TerminalReason::Closing),
            (
                shells.is_some_and(|(wanted, shell)| shell.known() != Some(wanted)),
                TerminalReason::OtherShell,
            ),
            (
                must_be_clean && !terminal.environment.is_empty(),
                TerminalReason::Environment,
            ),
            (is_others, TerminalReason::OtherTask),
            (
                terminal.is_taken() && self.is_named(),
                TerminalReason::ChosenBusy,
            ),
            (terminal.is_taken(), TerminalReason::Busy),
        ];
        let mut obstacles = obstacles.into_iter().filter(|(is_there, _)| *is_there);
        obstacles.next().map_or(Ok(()), |(_, reason)| Err(reason))
    }

    /// Whether it is bound to the request's task.
    pub(super) fn is_bound(&self, terminal: &Terminal) -> bool {
        let task_id = &terminal.binding.task_id;
        task_id.is_some() && *task_id == self.request.task_id
    }

    /// Whether it is bound to another live task.
    pub(super) fn is_of_other_task(&self, terminal: &Terminal) -> bool {
        terminal.binding.task_id.is_some() && !self.is_bound(terminal)
    }

    fn check_changes(&self, terminal: &Terminal) -> Result<(), TerminalReason> {
        let max_directory_changes = self.options.max_directory_changes();
        if terminal.directory_changes >= max_directory_changes {
            return Err(TerminalReason::NoChangesLeft {
                max_directory_changes,
            });
        }
        Ok(())
    }

    /// The shell for which the terminal's change of directory is written.
    fn shell_to_lead(&self, terminal: &Terminal) -> Result<Shell, TerminalReason> {
        let known = match terminal.shell {
            Some(shell) => shell.known(),
            None => self.request.shell.or(self.usual_shell()),
        };
        known.ok_or(TerminalReason::NoShell)
    }

    /// The shell for which a command line is written where the terminal's is not known. What is
    /// written for a POSIX shell holds in the usual ones; on Windows there is no such form.
    fn usual_shell(&self) -> Option<Shell> {
        match self.options.platform {
            PathPlatform::Posix => Some(Shell::Sh),
            PathPlatform::Win32 => None,
        }
    }
}
