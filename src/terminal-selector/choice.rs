//! The answers of the selector.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{DirectoryCertainty, PathRelation};

/// The place where a command is to run, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(
    tag = "action",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum TerminalChoice {
    /// Send the command to the terminal, which is in its directory: the one that was asked for, or where a
    /// change of directory leads that the command began with.
    Reuse {
        /// The terminal to send the command to.
        terminal_id: u64,
        /// Its rank as a match: 1 is bound to the task, 3 is not.
        #[cfg_attr(feature = "typescript", ts(type = "1 | 3"))]
        tier: TerminalTier,
        /// The relation of the terminal's directory to the one in which the command runs: it is the same.
        #[cfg_attr(feature = "typescript", ts(type = "\"same\""))]
        relation: PathRelation,
        /// The certainty of the terminal's directory: it was reported.
        #[cfg_attr(feature = "typescript", ts(type = "\"reported\""))]
        directory: DirectoryCertainty,
        /// The times that the terminal may still be led to another directory after this.
        changes_left: u32,
        /// The terminals to close, if there are more than `maxTerminals`. None of them is chosen again.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<u64>>"))]
        close: Vec<u64>,
        /// The command, without a change of directory that has nothing to do any more.
        command: String,
        /// The reason, for people.
        #[cfg_attr(feature = "typescript", ts(type = "string"))]
        reason: ChoiceReason,
    },
    /// Send the command to the terminal. It begins with a change of directory.
    ReuseWithCd {
        /// The terminal to send the command to.
        terminal_id: u64,
        /// Its rank as a match. 1 and 2 are bound to the task, 3 and 4 are not. 1 and 3 are expected to be
        /// in the directory already, so that the `cd` is a precaution and is not counted; 2 and 4 are led
        /// there.
        #[cfg_attr(feature = "typescript", ts(type = "1 | 2 | 3 | 4"))]
        tier: TerminalTier,
        /// The relation of the terminal's directory, or of the last one known, to the one in which the command
        /// runs.
        relation: PathRelation,
        /// The certainty of the terminal's directory.
        directory: DirectoryCertainty,
        /// The times that the terminal may still be led to another directory after this.
        changes_left: u32,
        /// The terminals to close, if there are more than `maxTerminals`. None of them is chosen again.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<u64>>"))]
        close: Vec<u64>,
        /// The change of directory, which may be the command's own, and the command, ready to be sent.
        command: String,
        /// The reason, for people.
        #[cfg_attr(feature = "typescript", ts(type = "string"))]
        reason: ChoiceReason,
    },
    /// Create a terminal in the directory, and send the command to it.
    // In TypeScript, a host may read a field before it knows the action.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "{ \"action\": \"create\", terminalId?: undefined, tier?: undefined, relation?: undefined, directory?: undefined, changesLeft?: undefined, close?: Array<number>, workingDirectory: string, command: string, reason: string, }"
        )
    )]
    Create {
        /// The terminals to close first, if there are more than `maxTerminals`. None of them is chosen again.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        close: Vec<u64>,
        /// The directory to open it in, as the request has it, or where the task left off.
        working_directory: String,
        /// The command, as it was given.
        command: String,
        /// The reason why no terminal was reused, for people.
        reason: ChoiceReason,
    },
    /// Send nothing yet, and call `select` again after an update for one of these terminals: there are
    /// `maxTerminals` already, and none of them can be closed, or the terminal that the request names is busy.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "{ \"action\": \"wait\", terminalId?: undefined, tier?: undefined, relation?: undefined, directory?: undefined, changesLeft?: undefined, close?: undefined, waitFor: Array<number>, command: string, reason: string, }"
        )
    )]
    Wait {
        /// The busy terminals that can be chosen or closed once they are idle. If there are none, the
        /// terminals of other tasks, which have to be released first.
        wait_for: Vec<u64>,
        /// The command, as it was given.
        command: String,
        /// The reason, for people.
        reason: ChoiceReason,
    },
}

impl TerminalChoice {
    /// The terminal to send the command to, unless one is to be created.
    #[must_use]
    pub fn terminal_id(&self) -> Option<u64> {
        match self {
            Self::Reuse { terminal_id, .. } | Self::ReuseWithCd { terminal_id, .. } => {
                Some(*terminal_id)
            }
            Self::Create { .. } | Self::Wait { .. } => None,
        }
    }

    /// The command to send.
    #[must_use]
    pub fn command(&self) -> &str {
        match self {
            Self::Reuse { command, .. }
            | Self::ReuseWithCd { command, .. }
            | Self::Create { command, .. }
            | Self::Wait { command, .. } => command,
        }
    }

    /// The reason why it is this terminal, or none.
    #[must_use]
    pub fn reason(&self) -> TerminalReason {
        match self {
            Self::Reuse { reason, .. }
            | Self::ReuseWithCd { reason, .. }
            | Self::Create { reason, .. }
            | Self::Wait { reason, .. } => reason.why,
        }
    }

    /// The terminals to close, the best ones for that first.
    #[must_use]
    pub fn close(&self) -> &[u64] {
        match self {
            Self::Reuse { close, .. }
            | Self::ReuseWithCd { close, .. }
            | Self::Create { close, .. } => close,
            Self::Wait { .. } => &[],
        }
    }
}

/// The reason for a choice, with whatever else there is to know. It crosses as sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoiceReason {
    /// The reason why it is this terminal, or none.
    pub why: TerminalReason,
    /// A terminal of the task whose environment has changed, such as by an activated virtual environment,
    /// where the command goes to one that the task has not used before.
    pub left: Option<u64>,
    /// Whether a change of directory is all that is sent, so that a command after it may run where that
    /// has failed.
    pub lacks_command: bool,
}

impl From<TerminalReason> for ChoiceReason {
    fn from(why: TerminalReason) -> Self {
        Self {
            why,
            left: None,
            lacks_command: false,
        }
    }
}

impl fmt::Display for ChoiceReason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(to)?;
        if let Some(id) = self.left {
            write!(
                to,
                "; terminal {id} of this task, whose environment has changed, is not used"
            )?;
        }
        if self.lacks_command {
            to.write_str(
                "; select again with the command and this terminalId for a line that runs nothing \
                 if the change of directory fails",
            )?;
        }
        Ok(())
    }
}

impl Serialize for ChoiceReason {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The ranks of terminals as matches, the best first. It crosses as a number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TerminalTier {
    /// Tier 1: it is bound to the task and is in the directory.
    BoundThere = 1,
    /// Tier 2: it is bound to the task and can change to the directory.
    BoundNear = 2,
    /// Tier 3: it is idle and in the directory.
    IdleThere = 3,
    /// Tier 4: it is idle and can change to the directory.
    IdleNear = 4,
}

impl TerminalTier {
    /// The tier of a terminal that is bound to the task or to none, and in the directory or near it.
    pub(super) fn of(is_bound: bool, is_there: bool) -> Self {
        match (is_bound, is_there) {
            (true, true) => Self::BoundThere,
            (true, false) => Self::BoundNear,
            (false, true) => Self::IdleThere,
            (false, false) => Self::IdleNear,
        }
    }

    /// The tier's number, from 1 to 4.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Whether the terminal is bound to the task already.
    pub(super) fn is_of_task(self) -> bool {
        matches!(self, Self::BoundThere | Self::BoundNear)
    }

    /// Whether the terminal has to leave the directory in which it is.
    pub(super) fn is_elsewhere(self) -> bool {
        matches!(self, Self::BoundNear | Self::IdleNear)
    }
}

impl Serialize for TerminalTier {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.number())
    }
}

/// The reason why a terminal was chosen; or why none was, which is what kept the terminal that came
/// nearest from being chosen.
///
/// The reasons why a terminal is not chosen, in the order in which they are looked at, so a later reason is that
/// of a terminal that came nearer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TerminalReason {
    /// The terminal can be chosen, with this rank and certainty of its directory.
    Chosen {
        /// Its rank as a match.
        tier: TerminalTier,
        /// The certainty of its directory.
        directory: DirectoryCertainty,
    },
    /// No terminal of the request's provider is registered.
    NoneRegistered,
    /// A command could not be run in any of the terminals.
    Failed,
    /// Every other terminal is to be closed.
    Closing,
    /// No other terminal runs the shell that is asked for.
    OtherShell,
    /// The environment of every other terminal has changed.
    Environment,
    /// Every other terminal is bound to another task.
    OtherTask,
    /// Every other terminal is busy.
    Busy,
    /// The terminal that the request names is busy.
    ChosenBusy,
    /// The working directory of no idle terminal is known.
    NoDirectory,
    /// No idle terminal is in the directory, above it or below it.
    Unrelated,
    /// No idle terminal near the directory may be led elsewhere once more.
    NoChangesLeft {
        /// The times that a terminal may be led elsewhere.
        max_directory_changes: u32,
    },
    /// The shell of the terminal that could change to the directory is not known.
    NoShell,
    /// The change of directory cannot be written safely for the terminal's shell.
    Unsafe,
    /// There may be no more terminals, and none of them can be closed.
    Limit {
        /// The most terminals there may be.
        max_terminals: u64,
    },
}

impl fmt::Display for TerminalReason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Chosen { tier, directory } => {
                let whose = match tier.is_of_task() {
                    true => "bound to this task",
                    false => "idle",
                };
                let how = match (tier.is_elsewhere(), directory) {
                    (false, DirectoryCertainty::Expected) => " and expected in the directory",
                    (false, _) => " and in the directory",
                    (true, DirectoryCertainty::Uncertain) => {
                        ", and led to the directory because nobody knows where it is"
                    }
                    (true, _) => " and can change to the directory",
                };
                return write!(to, "it is {whose}{how}");
            }
            Self::NoneRegistered => "no terminal of this provider is registered",
            Self::Failed => "a command could not be run in any of the terminals",
            Self::Closing => "every other terminal is to be closed",
            Self::OtherShell => "no other terminal runs the shell that is asked for",
            Self::Environment => "the environment of every other terminal has changed",
            Self::OtherTask => "every other terminal is bound to another task",
            Self::Busy => "every other terminal is busy",
            Self::ChosenBusy => "the chosen terminal is busy",
            Self::NoDirectory => "the working directory of no idle terminal is known",
            Self::Unrelated => "no idle terminal is in the directory, above it or below it",
            Self::NoChangesLeft {
                max_directory_changes: most,
            } => {
                let times = if *most == 1 { "time" } else { "times" };
                return write!(
                    to,
                    "no idle terminal near the directory may be led elsewhere more than {most} {times}"
                );
            }
            Self::NoShell => {
                "the shell of the terminal that could change to the directory is not known"
            }
            Self::Unsafe => {
                "the change of directory cannot be written safely for the terminal's shell"
            }
            Self::Limit { max_terminals: max } => {
                let terminals = if *max == 1 { "terminal" } else { "terminals" };
                return write!(
                    to,
                    "there may be at most {max} {terminals}, and none of them can be closed"
                );
            }
        })
    }
}
