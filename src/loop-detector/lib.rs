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
//! let call = AgentEvent::ToolCall {
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

#[doc(hidden)]
pub mod asked;
#[doc(hidden)]
pub mod call;
#[doc(hidden)]
pub mod conversation;
mod detector;
mod effective_options;
mod event;
#[doc(hidden)]
pub mod feedback;
#[doc(hidden)]
pub mod host_report;
mod judging;
#[doc(hidden)]
pub mod model_check;
mod observing;
mod options;
#[doc(hidden)]
pub mod preview_models;
mod profiles;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod prompt;
mod prompt_starts;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod saved_verdict;
mod settings;
mod snapshot;
#[doc(hidden)]
pub mod spending;
mod state;
#[doc(hidden)]
pub mod texts;
mod tool_output;
#[cfg(feature = "typescript")]
pub mod typescript;
#[doc(hidden)]
pub mod unanswered;
#[cfg(feature = "wasm")]
mod wasm;

pub use self::call::MAX_ARGUMENT_DEPTH;
pub use self::detector::LoopDetector;
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

#[cfg(feature = "wasm")]
pub(crate) use self::call::KeyOrder;
#[cfg(feature = "wasm")]
pub(crate) use self::rules::Event;
#[doc(hidden)]
pub use self::{preview_models::PatternMatcher, profiles::COMMAND_TOOLS};
pub use turnkeeper_base::{Count, Error, ErrorCode, Share, Threshold};

pub(crate) const MACHINE: &str = "loop_detector";
