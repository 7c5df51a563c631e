//! The five machines in the order of a turn, for hosts that want one object.
//!
//! An [`AgentSession`] adds nothing but the order: every machine can be used by itself, too. In a turn a host calls
//! [`begin_turn`](AgentSession::begin_turn); [`begin_message`](AgentSession::begin_message), answers what the
//! assembler asks for, and takes the user message from [`finish_message`](AgentSession::finish_message); for each
//! request to the model [`build_prompt`](AgentSession::build_prompt), [`observe`](AgentSession::observe) with each
//! event of the answer, and [`request_succeeded`](AgentSession::request_succeeded); for each command
//! [`select_terminal`](AgentSession::select_terminal); and in the end [`end_turn`](AgentSession::end_turn). The sessions of
//! one window share its terminals.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//!
//! use turnkeeper_ghost_block::{Answer, AssemblerOptions, PathPlatform};
//! use turnkeeper_loop_detector::AgentEvent;
//! use turnkeeper_session::{AgentSession, AgentSessionOptions, NewTurn};
//! use turnkeeper_summary_injector::{PromptParts, PromptPhase, TurnSummary};
//! use turnkeeper_terminal_selector::{TerminalRequest, TerminalSelector, TerminalSelectorOptions};
//!
//! let terminals = TerminalSelector::new(TerminalSelectorOptions::new(PathPlatform::Posix))?;
//! let terminals = Arc::new(Mutex::new(terminals));
//! let options = AgentSessionOptions::new(AssemblerOptions::new("/work"));
//! let mut session = AgentSession::new(options, terminals)?;
//!
//! let turn = NewTurn::new("Why does @[src/main.ts] fail?").task("Fix the build.");
//! assert_eq!(session.begin_turn(turn), 1);
//! session.begin_message()?;
//! for request in session.assembler.take_requests() {
//!     session.assembler.answer(request.id, Answer::content("greet();"))?;
//! }
//! let message = session.finish_message(Some("Open tabs: main.ts"), None)?;
//! assert_eq!(message.len(), 2);
//!
//! let parts = PromptParts { capability: "You edit code.", direction: "Test first.", workspace: "src/" };
//! let prompt = session.build_prompt(PromptPhase::Action, parts);
//! assert!(prompt.workspace_context.contains("User's Goal: Fix the build."));
//! let verdict = session.observe(&AgentEvent::Text { text: "An import is missing.".to_owned() })?;
//! assert!(!verdict.is_stop());
//! session.request_succeeded();
//!
//! let choice = session.select_terminal(TerminalRequest::new("tsc", "/work", "vscode"))?;
//! assert_eq!(choice.terminal_id(), None);
//! session.end_turn(Some(&TurnSummary {
//!     summary: "An import was missing.".to_owned(),
//!     ..TurnSummary::default()
//! }))?;
//!
//! let whats: Vec<&str> = session.log().map(|entry| &*entry.what).collect();
//! assert_eq!(whats, ["create"]);
//! let restored = AgentSession::restore(&session.snapshot(), None)?;
//! assert_eq!(restored.summaries.newest_turn(), 1);
//! # Ok::<(), turnkeeper_session::Error>(())
//! ```
//!
//! | file | |
//! |---|---|
//! | `agent_session` | the machines, and the calls of a turn |
//! | `order` | what a session itself knows and decides; JavaScript's session calls it, too |
//! | `environment` | the block of environment at the end of the newest message |
//! | `earlier_blocks` | earlier messages without their blocks |
//! | `log` | an entry of the log |
//! | `snapshot` | saving and restoring |

mod agent_session;
mod earlier_blocks;
mod environment;
mod log;
mod order;
mod snapshot;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use self::agent_session::{AgentSession, AgentSessionOptions, NewTurn, SharedTerminals};
pub use self::log::SessionLogEntry;
pub use self::order::{Decision, SessionOptions, SessionState, TurnOrder};
pub use self::snapshot::SavedMachines;
pub use turnkeeper_base::{Error, ErrorCode};

/// The machine that errors name.
pub const MACHINE: &str = "agent_session";
