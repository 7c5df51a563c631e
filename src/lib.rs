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
//! | [`session`] | the five, in the order of a turn |

pub use turnkeeper_ghost_block as ghost_block;
pub use turnkeeper_history_deduper as history_deduper;
pub use turnkeeper_loop_detector as loop_detector;
pub use turnkeeper_session as session;
pub use turnkeeper_summary_injector as summary_injector;
pub use turnkeeper_terminal_selector as terminal_selector;

pub use turnkeeper_base::{AtLeastZero, Count, Error, ErrorCode, PathPlatform, Share, Threshold};
pub use turnkeeper_ghost_block::{AssemblerOptions, GhostBlockAssembler};
pub use turnkeeper_history_deduper::{DedupeOptions, DedupeReport, HistoryDeduper};
pub use turnkeeper_loop_detector::{
    AgentEvent, LoopDetector, LoopDetectorOptions, LoopReport, LoopType, LoopVerdict,
    ModelCheckRequest, Prompt,
};
pub use turnkeeper_session::{AgentSession, AgentSessionOptions, NewTurn};
pub use turnkeeper_summary_injector::{SummaryInjector, SummaryInjectorOptions, WorkLedger};
pub use turnkeeper_terminal_selector::{
    PathRelation, Shell, TerminalChoice, TerminalSelector, TerminalSelectorOptions, path_relation,
};
