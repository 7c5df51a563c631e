//! Turnkeeper keeps every turn of a coding agent on course.
//!
//! Pure state machines: no I/O, no clock, no randomness, no environment. The host supplies the
//! streams, files, tools, models and terminals; Turnkeeper decides. The same crate is compiled to
//! WebAssembly for the npm package `turnkeeper`; a Rust agent uses it as it is.
//!
//! | machine | the question it answers |
//! |---|---|
//! | [`loop_detector`] | is the agent stuck, and what should the host say and do? |
//! | [`ghost_block`] | what of the repository does the model see? |
//! | [`history_deduper`] | which of the blocks that a host adds to user messages go, stay or move? |
//! | [`summary_injector`] | what does the model carry from earlier turns? |
//! | [`terminal_selector`] | which terminal does a command run in, and how does it get to its directory? |

pub mod ghost_block;
pub mod history_deduper;
pub mod loop_detector;
pub mod summary_injector;
pub mod terminal_selector;

mod diagnostic;
mod error;
mod options;
mod path;

mod snapshot;
mod text;
#[cfg(feature = "typescript")]
pub mod typescript;
#[cfg(target_family = "wasm")]
mod wasm;

pub use crate::error::{Error, ErrorCode};
pub use crate::history_deduper::{DedupeOptions, DedupeReport, HistoryDeduper};
pub use crate::loop_detector::{
    AgentEvent, LoopDetector, LoopDetectorOptions, LoopReport, LoopType, LoopVerdict,
    ModelCheckRequest, Prompt,
};
pub use crate::options::Threshold;
pub use crate::path::PathPlatform;
pub use crate::summary_injector::{SummaryInjector, SummaryInjectorOptions};
pub use crate::terminal_selector::{
    PathRelation, Shell, TerminalChoice, TerminalSelector, TerminalSelectorOptions,
    can_change_directory, path_relation,
};
