//! The loop detectors of four other agents.
//!
//! A [`PeerDetector`] watches the events that a [`LoopDetector`](turnkeeper_loop_detector::LoopDetector)
//! watches, and gives at each the verdict of the agent whose options it has: for drop-in replacements, and to
//! compare. Each agent is a file: its options, what it compares, and at which numbers it speaks. Its known
//! peculiarities are kept, because the point is to change nothing.
//!
//! ```
//! use turnkeeper_loop_detector::{AgentEvent, Prompt};
//! use turnkeeper_peers::{PeerDetector, PeerOptions, RooOptions};
//!
//! let options = PeerOptions::Roo(RooOptions { limit: Some(2), ..RooOptions::default() });
//! let mut detector = PeerDetector::new(options)?;
//! detector.start_prompt(Prompt::new("prompt-1"));
//! let call = AgentEvent::ToolCall { key: None, id: None, name: "run_tests".to_owned(), args: None };
//! assert!(!detector.observe(&call)?.is_stop());
//! assert!(!detector.observe(&call)?.is_stop());
//! assert!(detector.observe(&call)?.is_stop(), "more than 2");
//! # Ok::<(), turnkeeper_loop_detector::Error>(())
//! ```

mod calls;
mod cline;
mod deepv;
mod gemini_cli;
mod options;
mod report;
mod roo;
#[cfg(feature = "typescript")]
pub mod typescript;
mod windows;

pub use self::cline::ClineOptions;
pub use self::deepv::DeepvOptions;
pub use self::gemini_cli::GeminiCliOptions;
pub use self::options::{PeerOptions, PeerProfile};
pub use self::report::{PeerReport, PeerRule, PeerVerdict};
pub use self::roo::RooOptions;

/// Watches one conversation as another agent would. See the [crate](self) for what it promises.
pub type PeerDetector = turnkeeper_loop_detector::Detector<PeerOptions>;
