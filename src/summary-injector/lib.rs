//! The model's memory of earlier turns.
//!
//! A [`SummaryInjector`] carries what earlier turns learned into the prompts of the next, in both
//! phases of a turn, thinking and action, and keeps the user's goal in front of the model. It calls
//! no model: the host does, and reports the answer. Its promise:
//!
//! - the texts of a prompt are the same for the same turns, to the character;
//! - a turn's summary is added after those before it, so that a provider's prompt cache keeps
//!   working, until [a budget](SummaryInjectorOptions::max_tokens) is reached, which is a limit;
//! - no summary, insight, round of thinking, task or workspace can forge a section or an entry;
//! - what was said in a turn can be recalled, whatever became of its summary.
//!
//! A host calls [`start_turn`](SummaryInjector::start_turn), adds messages and rounds of thinking,
//! builds a prompt for each phase, and in the end calls
//! [`store_summary`](SummaryInjector::store_summary) and
//! [`complete_turn`](SummaryInjector::complete_turn).
//! [`take_summary_request`](SummaryInjector::take_summary_request) is what to ask a model for a turn's
//! summary. If it has set a budget, it asks
//! [`take_fold_request`](SummaryInjector::take_fold_request) after each summary.
//!
//! ```
//! use turnkeeper_summary_injector::{
//!     PromptPhase, SummaryInjector, SummaryInjectorOptions, Turn, TurnSummary,
//! };
//!
//! let mut injector = SummaryInjector::new(SummaryInjectorOptions::default())?;
//! injector.start_turn(Turn {
//!     task: Some("Fix the build.".to_owned()),
//!     ..Turn::default()
//! });
//! injector.store_summary(&TurnSummary {
//!     summary: "The linker fails.".to_owned(),
//!     insights: vec!["libfoo is missing".to_owned()],
//!     ..TurnSummary::default()
//! })?;
//! injector.complete_turn()?;
//! assert_eq!(injector.start_turn(Turn::default()).number, 2);
//! assert_eq!(
//!     injector.context(PromptPhase::Action, "src/"),
//!     "=== TASK CONTEXT ===\n\
//!      User's Goal: Fix the build.\n\n\
//!      === ACCUMULATED MEMORY SUMMARIES ===\n\
//!      [Turn 1] The linker fails.\n\
//!      Insights: libfoo is missing\n\n\
//!      === CURRENT WORKSPACE CONTEXT ===\n\
//!      src/"
//! );
//! # Ok::<(), turnkeeper_summary_injector::Error>(())
//! ```

mod answer;
mod content;
mod diagnostic;
mod entry;
mod fold;
mod injector;
pub mod ledger;
mod log;
mod marking;
mod message;
mod messages;
mod options;
mod prompt;
mod recall;
mod shortening;
mod sizes;
mod snapshot;
mod summaries;
mod summary_request;
mod tools;
mod turns;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use self::diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use self::fold::FoldRequest;
pub use self::injector::SummaryInjector;
pub use self::ledger::WorkLedger;
pub use self::log::{SummaryEvent, SummaryLogEntry};
pub use self::message::TurnMessage;
pub use self::options::{InjectorTexts, SummaryInjectorOptions};
pub use self::prompt::{PromptParts, PromptPhase, TurnPrompt};
pub use self::recall::Recall;
pub use self::summaries::BudgetFit;
pub use self::summary_request::{SummaryRequest, TaskState};
pub use self::tools::{ThinkingTool, thinking_tools};
pub use self::turns::{CurrentTurn, StartedTurn, Turn, TurnRecord, TurnSummary, TurnToolCall};
pub use turnkeeper_base::json::Json;
pub use turnkeeper_base::{Count, Error, ErrorCode};
pub use turnkeeper_messages::Event;

pub(crate) const MACHINE: &str = "summary_injector";

/// What `wasm/` needs besides.
#[doc(hidden)]
pub mod javascript {
    /// The machines that errors name.
    pub const MACHINE: &str = crate::MACHINE;
    /// The ledger among them.
    pub const LEDGER: &str = crate::ledger::MACHINE;
}
