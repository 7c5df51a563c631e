//! Which terminal is the best one for a request.

use super::directory::Directory;
use super::location::{DirectoryCertainty, Location};
use super::terminal::Terminal;
use super::{
    PathRelation, Shell, TerminalReason, TerminalRequest, TerminalSelectorOptions, TerminalTier,
};
use turnkeeper_base::path::PathPlatform;

/// A request whose directory was read, and the rules by which it is answered.
pub(super) struct Wanted<'a> {
    pub(super) request: &'a TerminalRequest,
    pub(super) directory: &'a Directory,
    pub(super) options: &'a TerminalSelectorOptions,
}

/// A terminal that the command can be sent to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) rank: Rank,
    pub(super) relation: PathRelation,
    pub(super) certainty: DirectoryCertainty,
    /// The shell for which the change of directory is written. None if the terminal is known to be
    /// in the directory already.
    pub(super) led_by: Option<Shell>,
    /// Whether that counts: it leads elsewhere, and is no precaution.
    pub(super) is_counted: bool,
}

/// How good a match a terminal is: the less, the better. The first field that differs decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) tier: TerminalTier,
    /// How many names are between the terminal's directory and the one that is asked for.
    pub(super) distance: usize,
    pub(super) directory_changes: u32,
    pub(super) terminal_id: u64,
}

impl Wanted<'_> {
    /// The terminal as a candidate, or what keeps it from being one.
    pub(super) fn judge(&self, id: u64, terminal: &Terminal) -> Result<Candidate, TerminalReason> {
        self.check(terminal)?;
        let location = terminal.location_now().ok_or(TerminalReason::NoDirectory)?;
        let Location {
            directory,
            certainty,
        } = &*location;
        let relation = directory.relation_to(self.directory);
        if relation == PathRelation::Unrelated && !self.options.reaches_anywhere() {
            return Err(TerminalReason::Unrelated);
        }
        // The last directory that is known of a shell is not the one that it is in.
        let is_there =
            relation == PathRelation::Same && *certainty != DirectoryCertainty::Uncertain;
        let is_sure = is_there && *certainty == DirectoryCertainty::Reported;
        if !is_there {
            self.check_changes(terminal)?;
        }
        let led_by = match is_sure {
            true => None,
            false => Some(self.shell_to_lead(terminal)?),
        };
        let tier = match (self.is_bound(terminal), is_there) {
            (true, true) => TerminalTier::BoundThere,
            (true, false) => TerminalTier::BoundNear,
            (false, true) => TerminalTier::IdleThere,
            (false, false) => TerminalTier::IdleNear,
        };
        Ok(Candidate {
            rank: Rank {
                tier,
                distance: directory.distance_to(self.directory),
                directory_changes: terminal.directory_changes,
                terminal_id: id,
            },
            relation,
            certainty: *certainty,
            led_by,
            is_counted: !is_there,
        })
    }

    /// What keeps a terminal from being chosen, wherever it is.
    fn check(&self, terminal: &Terminal) -> Result<(), TerminalReason> {
        let request = self.request;
        if terminal.provider != request.provider {
            return Err(TerminalReason::NoneRegistered);
        }
        if terminal.has_failed {
            return Err(TerminalReason::Failed);
        }
        if terminal.is_closing {
            return Err(TerminalReason::Closing);
        }
        if let (Some(wanted), Some(shell)) = (request.shell, terminal.shell)
            && shell.known() != Some(wanted)
        {
            return Err(TerminalReason::OtherShell);
        }
        let binding = &terminal.binding;
        let was_others = binding.last_task_id.is_some() && binding.last_task_id != request.task_id;
        let must_be_clean = request.clean_environment.unwrap_or(was_others);
        if must_be_clean && !terminal.environment.is_empty() {
            return Err(TerminalReason::Environment);
        }
        if self.is_of_other_task(terminal) && !self.options.steals_from_other_tasks() {
            return Err(TerminalReason::OtherTask);
        }
        if terminal.is_taken() {
            return Err(TerminalReason::Busy);
        }
        Ok(())
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
