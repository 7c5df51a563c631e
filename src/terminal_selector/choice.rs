//! What is asked and what is answered.

use serde::Serialize;

use super::{PathRelation, Shell};
use crate::text::{push, push_number};

/// A command, and where it is to run.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct TerminalRequest<'a> {
    /// One line or several, in the words of the terminal's shell.
    pub command: &'a str,
    /// The directory that it is to run in, absolute.
    pub working_directory: &'a str,
    /// The task whose terminals are preferred, and to which the chosen one is bound.
    pub task_id: Option<&'a str>,
    /// Who runs the terminals that are considered, such as `vscode` or `execa`.
    pub provider: &'a str,
    /// The shell that the command is written for. Terminals of which another one is known are not
    /// considered.
    pub shell: Option<Shell>,
    /// Whether terminals whose environment has changed are left out; false.
    #[cfg_attr(feature = "typescript", ts(optional, type = "boolean"))]
    pub clean_environment: bool,
}

impl<'a> TerminalRequest<'a> {
    /// A request of no task, for a terminal of any shell.
    #[must_use]
    pub fn new(command: &'a str, working_directory: &'a str, provider: &'a str) -> Self {
        Self {
            command,
            working_directory,
            task_id: None,
            provider,
            shell: None,
            clean_environment: false,
        }
    }
}

/// What to do with a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TerminalAction {
    /// Send it to the terminal, which stands in its directory.
    Reuse,
    /// Send it to the terminal; a change of directory is in front of it.
    ReuseWithCd,
    /// Make a terminal in its directory and send it there.
    Create,
}

/// Where a command is to run, and why there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TerminalChoice {
    /// What to do.
    pub action: TerminalAction,
    /// The terminal to send the command to, unless one is to be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub terminal_id: Option<u64>,
    /// How good a match it is: 1, bound to the task and in the directory; 2, bound to the task and
    /// led there by `cd`; 3, idle and in the directory; 4, idle and led there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "1 | 2 | 3 | 4"))]
    pub tier: Option<u8>,
    /// How the terminal's directory lies to the one that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<PathRelation>,
    /// How often the terminal may be led elsewhere after this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes_left: Option<u32>,
    /// Ready to be sent.
    pub command: String,
    /// Why, for people.
    pub reason: String,
}

/// Why a terminal was chosen, or how far the one that came nearest did come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// The tiers.
    BoundThere,
    BoundNear,
    IdleThere,
    IdleNear,
    NoneRegistered,
    Failed,
    OtherShell,
    Environment,
    OtherTask,
    Busy,
    NoDirectory,
    Unrelated,
    NoChangesLeft,
    NoShell,
    Unsafe,
}

impl Reason {
    const ALL: [Self; 15] = [
        Self::BoundThere,
        Self::BoundNear,
        Self::IdleThere,
        Self::IdleNear,
        Self::NoneRegistered,
        Self::Failed,
        Self::OtherShell,
        Self::Environment,
        Self::OtherTask,
        Self::Busy,
        Self::NoDirectory,
        Self::Unrelated,
        Self::NoChangesLeft,
        Self::NoShell,
        Self::Unsafe,
    ];

    /// The reason with a number, which JavaScript knows it by.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn with_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// From 1; none if a terminal is to be made.
    pub(crate) fn tier(self) -> Option<u8> {
        (self <= Self::IdleNear).then_some(self as u8 + 1)
    }

    /// For people. `most` is how often a terminal may be led elsewhere.
    pub(crate) fn text(self, most: u32) -> String {
        static TEXTS: [&str; 15] = [
            "it is bound to this task and stands in the directory",
            "it is bound to this task and can be led to the directory",
            "it is idle and stands in the directory",
            "it is idle and can be led to the directory",
            "no terminal of this provider is registered",
            "a command could not be run in any of the terminals",
            "no other terminal runs the shell that is asked for",
            "the environment of every other terminal has changed",
            "every other terminal is bound to another task",
            "every other terminal is busy",
            "the working directory of no idle terminal is known",
            "no idle terminal stands in the directory, above it or below it",
            "no idle terminal near the directory may be led elsewhere more than ",
            "the shell of the terminal that could be led to the directory is not known",
            "the change of directory cannot be written safely for the terminal's shell",
        ];
        let mut text = String::new();
        push(&mut text, TEXTS[self as usize]);
        if self == Self::NoChangesLeft {
            push_number(&mut text, most.into());
            push(&mut text, if most == 1 { " time" } else { " times" });
        }
        text
    }
}
