//! The rules.
//!
//! A rule is one file: what it finds and must not find, the options that it reads, its state, its texts
//! and its tests. A new one judges calls with their results, nearly always, and takes
//!
//! - that file in `adaptive/`, whose head says what it finds (`Finds: `, and `In Chinese: ` if you can), what it must not
//!   find and where its number comes from (see `adaptive/rewrites.rs`);
//! - its `mod` and its line in `step_rules`, in `adaptive/mod.rs` and `adaptive/list.rs`;
//! - cases in `tests/data/loop-detector` of what it finds and must not find.
//!
//! The line gives it its name and its option, which is on by default at the usual count that the file says;
//! `cargo xtask shapes` writes its TypeScript and its rows in the documents, `cargo xtask api` the report of the public types, and `cargo xtask traces` the traces, because a rule
//! that is on is in every snapshot. The naive detector of `tests/rust/properties/adaptive.rs` needs the same rule if it has
//! such calls, and `CHANGELOG.md` a line if the last published version had no such rule.
//!
//! The answer to a question is a word of the user: no rule over steps sees it, and all begin anew.
//!
//! A rule over steps is what it remembers, which begins empty; what a call or a step does to that is all that it
//! writes. Saving, copying and forgetting are done once for all. It answers three questions: whether its state is
//! bounded, and refused out of a snapshot if it cannot have been so (`going_on_from`); which of it ends with a word
//! of the user (`at_user_message`); and what of it must outlive a condensation, after which the model knows nothing
//! of the calls before ([`Event::Condensation`]). A snapshot has it under the rule's name: a build that does not know
//! the rule leaves it out, and one that finds none starts afresh.
//!
//! Tests name what is missing, but for the cases and the changelog. An event costs a rule the same however long the
//! conversation is.
//!
//! A rule that follows every event, text too, is an [`EventRule`] (see `identical_calls.rs`). It is in [`RULES`], has its
//! name in `rule_name.rs`, its option in `options/loop_detector_options.rs`, its count in `profiles.rs` and its row in
//! `docs/loop-detector.md`. A [`Rule`] is either kind, as the detector uses it.

mod adaptive;
mod blind_calls;
mod call_summary;
mod detection;
mod event_rule;
mod identical_calls;
mod list;
mod low_progress;
mod passages;
pub(crate) mod period_tracker;
mod rule;
mod rule_name;
mod run_under_way;
mod seen;
mod tool_call_limit;

pub(super) use self::adaptive::{set_usual_counts, step_rules};
pub(crate) use self::call_summary::CallSummary;
pub use self::detection::{Action, Detection};
pub(crate) use self::detection::{LoopInfo, Tally, worse};
pub use self::identical_calls::TEXTS as IDENTICAL_CALLS_TEXTS;
pub(crate) use self::list::RULES;
pub use self::passages::TEXTS as PASSAGES_TEXTS;
pub(crate) use self::rule::Rule;
pub use self::rule::{Context, Restart};
pub use self::rule_name::RuleName;
pub use self::run_under_way::RunUnderWay;
pub(crate) use self::seen::RESULT_END_UNITS;
pub use self::seen::{Answered, CallSeen, Event, ResultSeen};
