//! The rules of the profile `adaptive`: over calls together with their results.
//!
//! A call becomes a [`Step`](features::Step) when its result comes: a handful of fingerprints and facts, made in
//! [`features`], which is all that the rules see. What changes by itself, such as clocks and ids, is not
//! compared; another result of the same call is progress, unless the call is an edit. A call without a
//! result is no step. A rule nudges once, and stops the model when it goes on all the same;
//! anything else makes it forget.
//!
//! Each rule is a file with a [`StepRule`], and `step_rules` is the list of them. A fact about calls that no
//! rule has needed yet is a field of [`CallFeatures`](features::CallFeatures).

mod calls_at_once;
mod compaction_rounds;
mod cycle_rounds;
mod early_steps;
mod echo_calls;
mod equal_errors;
#[cfg(test)]
#[path = "tests/example.rs"]
mod example;
mod features;
mod finding;
mod followed;
mod following;
mod fruitless_searches;
mod hints;
mod history;
mod idle_messages;
mod list;
mod nothing_new;
mod prose;
mod repeated_edits;
mod repeated_results;
mod repeated_waits;
mod requests;
mod rewrites;
mod run;
mod step_rule;

pub(super) use self::following::Adaptive;
pub(crate) use self::list::{loop_type, set_usual_counts, step_rules};
