//! The terminal selector says which terminal a command runs in.
//!
//! Hosts look for an idle terminal in exactly the directory of a command, so after every `cd` another
//! one is left in which nothing is run any more. A [`TerminalSelector`] knows the terminals that the
//! host has registered, and answers: reuse this one, reuse it after a `cd`, or create one. Its promise:
//!
//! - the answer follows from what the selector was told alone, and the best match always comes first;
//! - no two requests get the same terminal: a chosen terminal is reserved until the host
//!   [reports](TerminalSelector::update) about it or [cancels](TerminalSelector::cancel) the choice;
//! - whatever a directory is called, its name is inert in the command line, and if the `cd` fails,
//!   nothing of the command runs;
//! - no command runs in a directory that nobody reported: where a command may have changed it, the
//!   next one gets a change of directory in front.
//!
//! It looks at no file system and runs nothing. Paths are compared by their text ([`path_relation`]),
//! and each is read once, when the host gives it.
//!
//! # The choice
//!
//! A terminal is considered if it is of the request's provider, idle, not known to run another shell
//! than the one that is asked for, and its working directory is known. The best tier wins, within it
//! the smallest number of names between the two directories, then the fewest changes of directory so
//! far, then the lowest id.
//!
//! "In the directory" is what was [reported](DirectoryCertainty::Reported), or is
//! [expected](DirectoryCertainty::Expected) after a plain change of directory; towards an expected
//! one the `cd` is a precaution that does not count. Where a command may have changed the directory
//! in a way that cannot be followed, it is [uncertain](DirectoryCertainty::Uncertain), and the
//! terminal counts as one that has to be led.
//!
//! | tier | bound to | is |
//! |---|---|---|
//! | 1 | the request's task | in the directory |
//! | 2 | the request's task | above or below it, and may be led elsewhere |
//! | 3 | no task | in the directory |
//! | 4 | no task | above or below it, and may be led elsewhere |
//!
//! A request may name the terminal, which is then the only one considered, from wherever it is; and it may
//! leave out the directory, which then is where its task left off.
//!
//! ```
//! use turnkeeper_terminal_selector::{
//!     TerminalChoice, TerminalRegistration, TerminalRequest, TerminalSelector,
//!     TerminalSelectorOptions,
//! };
//! use turnkeeper_terminal_selector::PathPlatform;
//!
//! let mut selector = TerminalSelector::new(TerminalSelectorOptions::new(PathPlatform::Posix))?;
//! selector.register(&TerminalRegistration {
//!     working_directory: Some("/project/src".to_owned()),
//!     ..TerminalRegistration::new(1, "vscode")
//! })?;
//! let request = TerminalRequest::new("make", "/project/src/", "vscode");
//! let choice = selector.select(&request)?;
//! assert!(matches!(choice, TerminalChoice::Reuse { terminal_id: 1, .. }));
//! assert_eq!(choice.reason().to_string(), "it is idle and in the directory");
//!
//! // It is reserved until the host reports that it is busy or idle.
//! assert!(matches!(selector.select(&request)?, TerminalChoice::Create { .. }));
//! # Ok::<(), turnkeeper_terminal_selector::Error>(())
//! ```
//!
//! # Files
//!
//! | file | idea |
//! |---|---|
//! | `selector.rs` | the machine: what a host tells it, and what it asks |
//! | `known.rs`, `sent.rs` | the terminals that it knows, and the last commands |
//! | `choosing.rs` | the choice for a request, and what its command does to the terminals |
//! | `ranking.rs` | which terminal is the best one for a request |
//! | `limit.rs` | which terminals are closed, or waited for, where there are too many |
//! | `terminal.rs` | the life of one terminal |
//! | `location.rs` | where a terminal is, and how far that can be trusted |
//! | `reading/` | what a command does to the working directory |
//! | `created.rs` | the commands for which terminals are being created |
//! | `registration.rs`, `request.rs`, `choice.rs`, `options.rs` | what goes in and what comes out |
//! | `directory.rs`, `path.rs` | what the text of a path says |
//! | `shell.rs`, `quote/` | command lines that change the directory first |
//! | `refusal.rs` | what is refused, whatever is known |
//! | `snapshot.rs` | saving and restoring |

mod choice;
mod choosing;
mod created;
mod directory;
mod known;
mod limit;
mod location;
mod options;
mod path;
mod quote;
mod ranking;
mod reading;
mod refusal;
mod registration;
mod request;
mod selector;
mod sent;
mod shell;
mod snapshot;
mod terminal;
#[cfg(test)]
mod tests;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use self::choice::{ChoiceReason, TerminalChoice, TerminalReason, TerminalTier};
pub use self::directory::path_relation;
pub use self::location::DirectoryCertainty;
pub use self::options::{Reachable, TerminalSelectorOptions};
pub use self::path::{PathRelation, PathRules};
pub use self::registration::{
    TerminalChange, TerminalRegistration, TerminalState, UnknownDirectory,
};
pub use self::request::TerminalRequest;
pub use self::selector::TerminalSelector;
pub use self::shell::{Shell, TerminalShell};

pub use turnkeeper_base::{Count, Error, ErrorCode, PathPlatform};

/// What `wasm/` needs besides.
#[doc(hidden)]
pub mod javascript {
    pub use crate::path::PathOptions;
    pub use crate::refusal::MACHINE;
}
