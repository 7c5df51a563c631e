//! The part that every detector has, whatever its rules and options: the loop detector's own, and those of other agents
//! (crate `turnkeeper-peers`).
//!
//! A kind of detector is two things: options, which say what it is made of ([`DetectorOptions`]), and rules
//! ([`Rules`]), which remember what they have seen and find loops in it. All else, prompts, turns, verdicts, texts
//! and snapshots, is [`Detector`]'s.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use super::call::{
    Call, CosmeticArguments, Encoded, KeyOrder, Units, encode_str, tool_fingerprints,
};
pub use super::copies::CopyFrom;
pub use super::detector::Detector;
pub use super::number::{Number, check_intervals, refused};
pub use super::preview_models::PatternMatcher;
pub use super::progress::{Newest, Progress};
pub use super::report::EVIDENCE_UNITS;
pub use super::rules::period_tracker::{Item, PeriodTracker};
pub use super::rules::{
    Action, Answered, CallSeen, Context, Detection, Event, IDENTICAL_CALLS_TEXTS, PASSAGES_TEXTS,
    Restart, ResultSeen, RunUnderWay,
};
pub use super::texts::{Quoted, Texts};

use super::options::{LoopMessages, ModelCheckSetting, PreviewModel};
use super::report::RuleNames;
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};

/// The options of a kind of detector.
pub trait DetectorOptions: Clone + fmt::Debug {
    /// The names under which it reports.
    type Rule: RuleNames;
    /// Whose rules a report is of.
    type Profile: Copy + Default + fmt::Debug + Serialize + 'static;

    /// The letter by which its snapshots are told from others.
    const SNAPSHOT_LETTER: u8;

    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an unknown option and for a value of the wrong type or out of
    /// range.
    fn from_value(value: &Value) -> Result<Self, Error>;

    /// The options as JSON, from which a snapshot is restored.
    fn to_value(&self) -> Value;

    /// Makes what they say, and adds to them what a snapshot must not leave to another build.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of bounds or does not go with another.
    fn set_up(&mut self) -> Result<Setup<Self::Rule, Self::Profile>, Error>;

    /// The host's own texts.
    fn messages(&self) -> Option<&LoopMessages>;

    /// The models that count as preview models, if the host has said so.
    fn preview_model(&self) -> Option<&PreviewModel>;
}

/// A detector's parts, as its options have them.
#[derive(Debug)]
pub struct Setup<R, P> {
    /// Whose rules they are.
    pub profile: P,
    /// When a model is asked.
    pub model_check: Option<ModelCheckSetting>,
    /// The additions that a prompt takes.
    pub prompts: Prompts,
    /// The rules, which have seen nothing yet.
    pub rules: Box<dyn Rules<R, P>>,
}

/// The additions that a prompt takes once it has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompts {
    /// Nothing.
    Fixed,
    /// Its model and words of the user, under its id.
    Completed,
    /// The same, and other ids while the model works.
    Continued,
}

/// A detector's rules: their settings, and all that they remember.
pub trait Rules<R, P>: CopyFrom + Send + Sync {
    /// Equal for calls that count as the same; none for a call that is not counted. `spelling` is the string
    /// that the arguments are, if they are one and it is needed.
    fn key(&self, call: &Call, spelling: Encoded) -> Option<u64>;

    /// Takes the next event. The answer is a detection that is new.
    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection<R, P>>;

    /// Of runs of calls, the one that is nearest to its threshold.
    fn under_way(&self) -> Option<RunUnderWay>;

    /// Starts afresh.
    fn restart(&mut self, restart: Restart);

    /// Forgets what only a report would quote of calls.
    fn forget_quotes(&mut self) {}

    /// All that they remember. Their settings come from the options.
    fn save(&self) -> Vec<SavedRule>;

    /// Goes on from what [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// `Corrupt` for what they cannot have written.
    fn load(&mut self, saved: &[SavedRule]) -> Result<(), Corrupt>;

    /// The keys of the newest call and its answer, if they compare these by more than their spelling.
    fn newest(&self) -> Newest {
        Newest::default()
    }

    /// Whether the last call was a stop. One that follows is the same stop.
    fn still_holds(&self) -> bool {
        false
    }

    /// Whether results, ids, and what happens between calls make a difference.
    fn reads_results(&self) -> bool {
        false
    }

    /// Whether a stop lasts until a new prompt or `clear`. Otherwise a verdict ends with the next event.
    fn stop_lasts(&self) -> bool {
        true
    }

    /// Whether `clear` only lifts a stop, so that the next repeat is one more.
    fn clear_keeps_counts(&self) -> bool {
        false
    }

    /// Whether arguments that are a string are compared as they are spelt, too.
    fn needs_spelling(&self) -> bool {
        false
    }

    /// Whether the order of the arguments' keys is compared. A native caller always gives the order.
    fn needs_key_order(&self) -> bool {
        false
    }
}

/// The settings of a detector that JavaScript has to know.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DetectorSettings<'a> {
    /// The regular expression of `previewModel`, if it is one: JavaScript matches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "{ source: string; flags: string }")
    )]
    pub preview_pattern: Option<&'a PreviewModel>,
    /// Whether results, ids of calls, and what happens between calls are looked at.
    pub needs_results: bool,
    /// Whether arguments that are a string are compared as they are spelt.
    pub needs_spelling: bool,
    /// Whether the order of the arguments' keys is compared. Otherwise JavaScript sorts them, which is faster there: it
    /// knows an object's keys before it writes them.
    pub needs_key_order: bool,
    /// Whether a `stop` may end with any event.
    pub stop_may_end: bool,
}

/// Rules' state is of no use in a log.
impl<R, P> fmt::Debug for dyn Rules<R, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").finish_non_exhaustive()
    }
}

/// A rule's state under a name that stays the same, so that a build with other rules can restore what it knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRule {
    /// The first name by which it reports.
    pub name: String,
    /// The state as bytes.
    pub state: Vec<u8>,
}

impl SavedRule {
    /// The state of the only rule.
    pub fn only(state: &impl Serialize) -> Vec<Self> {
        let state = snapshot::encode(state);
        let name = String::new();
        vec![Self { name, state }]
    }

    /// The state that [`only`](Self::only) has saved.
    ///
    /// # Errors
    /// `Corrupt` for anything else.
    pub fn read_only<S: SavedState>(saved: &[Self]) -> Result<S, Corrupt> {
        match saved {
            [only] => snapshot::decode(&only.state),
            _ => Err(Corrupt),
        }
    }
}
