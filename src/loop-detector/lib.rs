//! Is the agent stuck, and what should the host say and do?
//!
//! A [`LoopDetector`] watches the events of one conversation and answers each with a verdict. It
//! calls no model, no timer and no logger. Its promise:
//!
//! - the same events give the same verdict at the same place, however a stream was cut;
//! - after a `stop` every further event gets the same verdict, until a new prompt or
//!   [`clear`](LoopDetector::clear);
//! - memory and the cost of an event do not grow with the conversation.
//!
//! A profile is a list of configured `rules`, and every value of it is a setting of
//! [`LoopDetectorOptions`].
//!
//! A host calls [`start_prompt`](LoopDetector::start_prompt) for each prompt of the user,
//! [`observe`](LoopDetector::observe) for each event, and
//! [`take_feedback`](LoopDetector::take_feedback) before each request to the model, whose history gets those
//! hints. If it has a model to ask, it calls [`take_model_check`](LoopDetector::take_model_check) after each
//! `turn_started`.
//!
//! ```
//! use serde_json::json;
//! use turnkeeper_loop_detector::{AgentEvent, LoopDetector, LoopDetectorOptions, LoopVerdict, Prompt};
//!
//! let mut detector = LoopDetector::new(LoopDetectorOptions::default())?;
//! detector.start_prompt(Prompt::new("prompt-1").user_prompt("Do the tests pass?"));
//! let call = AgentEvent::ToolCall { key: None,
//!     id: None,
//!     name: "run_tests".to_owned(),
//!     args: Some(json!({ "suite": "unit" })),
//! };
//! let result = AgentEvent::ToolResult {
//!     id: None,
//!     output: "1 of 40 tests failed".to_owned(),
//!     is_error: None,
//!     exit_code: None,
//! };
//! for time in 1..=5 {
//!     detector.observe(&call)?;
//!     match detector.observe(&result)? {
//!         LoopVerdict::Ok => assert!(time < 3 || time == 4),
//!         LoopVerdict::Nudge { report } => assert_eq!((time, report.count), (3, 3)),
//!         LoopVerdict::Stop { report } => assert_eq!((time, report.count), (5, 5)),
//!     }
//! }
//! # Ok::<(), turnkeeper_loop_detector::Error>(())
//! ```

mod asked;
mod call;
mod conversation;
mod copies;
mod counts;
pub mod detecting;
mod detector;
mod effective_options;
mod event;
mod feedback;
mod host_report;
mod judging;
mod model_check;
mod number;
mod observing;
mod options;
mod own_rules;
mod preview_models;
mod profiles;
mod progress;
mod prompt;
mod prompt_starts;
mod report;
mod rules;
mod saved_verdict;
mod snapshot;
mod spending;
mod state;
mod texts;
#[cfg(feature = "typescript")]
pub mod typescript;
mod unanswered;
#[cfg(feature = "word-use")]
pub mod word_use;

pub use self::call::MAX_ARGUMENT_DEPTH;
pub use self::detecting::Detector;
pub use self::event::AgentEvent;
pub use self::model_check::{AnswerSchema, ModelCheckRequest};
pub use self::options::{
    LoopDetectorOptions, LoopMessages, LoopProfile, LowProgress, MessageTexts, ModelCheckOptions,
    ModelCheckSetting, ModelCheckWhen, PreviewModel, ToolLists,
};
pub use self::prompt::{Blind, Counts, Prompt, PromptInfo};
pub use self::report::{
    Channel, LoopReport, LoopType, LoopVerdict, RuleName, RuleNames, Subject, Wasted,
};

pub use turnkeeper_base::{Count, Error, ErrorCode, Share, Threshold};

/// Watches one conversation for loops. See the [crate](self) for its promise.
pub type LoopDetector = Detector<LoopDetectorOptions>;

/// The machine that errors and snapshots of every detector name.
pub const MACHINE: &str = "loop_detector";
