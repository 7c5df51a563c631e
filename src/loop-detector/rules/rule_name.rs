//! The names of the rules: those over steps, which their list gives, and the others.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::adaptive::{self, step_rules};
use crate::report::{LoopType, RuleNames, Subject};
use turnkeeper_base::names;

macro_rules! with_step_rules {
    ($(#[doc = $about:tt] $(#[doc = $number:tt])* $file:ident::$rule:ident,)*) => { names! {
        /// The rule that fired. `docs/loop-detector.md` says what each finds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS, documented::DocumentedFields))]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        RuleName {
            /// Identical calls in a row.
            IdenticalCalls,
            $(#[doc = $about] $rule,)*
            /// Identical calls in a row, where no result was seen.
            BlindCalls,
            /// Rounds of the same calls, where no result was seen.
            BlindRounds,
            /// Few new calls and results.
            LowProgress,
            /// A preview model's calls of one tool.
            PreviewCalls,
            /// The same for tools that cost much.
            PreviewIntensiveCalls,
            /// A passage of text without a break.
            RepeatedPassages,
            /// A model that was asked.
            ModelCheck,
            /// The host's own detector.
            HostReport,
        }
    } };
}
step_rules!(with_step_rules);

impl RuleNames for RuleName {
    const NAMES: &'static [Self] = Self::ALL;
    const MODEL_CHECK: Self = Self::ModelCheck;
    const HOST_REPORT: Self = Self::HostReport;

    fn subjects(self) -> &'static [Subject] {
        let of_step_rule = adaptive::loop_type(self).map(LoopType::subject);
        match self {
            Self::RepeatedPassages => &[Subject::Text],
            Self::ModelCheck | Self::HostReport => &[Subject::Judgement],
            _ if of_step_rule == Some(Subject::Text) => &[Subject::Text],
            _ => &[Subject::Calls],
        }
    }
}

/// As it is in JSON, such as `identical_calls`.
impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
