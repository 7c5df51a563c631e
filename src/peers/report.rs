//! The answer of an agent's detector: the loop detector's report, by the agent's own names.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::options::PeerProfile;
use turnkeeper_base::names;
use turnkeeper_loop_detector::detecting::{self, Rules};
use turnkeeper_loop_detector::{LoopReport, LoopVerdict, RuleNames, Subject};

/// The reason for which another agent's detector found its agent stuck.
pub type PeerReport = LoopReport<PeerRule, PeerProfile>;
/// The host's next step, as another agent's detector has it.
pub type PeerVerdict = LoopVerdict<PeerRule, PeerProfile>;
/// A loop that an agent has found.
pub(crate) type Detection = detecting::Detection<PeerRule, PeerProfile>;
/// An agent's detection: its settings, and what it remembers.
pub(crate) type PeerRules = dyn Rules<PeerRule, PeerProfile>;

names! {
    /// The rule of an agent that fired. `docs/peers.md` has those of each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    PeerRule {
        /// Identical calls in a row, as DeepV Code counts them.
        IdenticalCalls,
        /// The same, as Roo Code counts them.
        IdenticalCallsLimit,
        /// The same, as Cline counts them.
        IdenticalCallsThresholds,
        /// Rounds of the same calls.
        RepeatedCycle,
        /// A preview model's calls in a row of one monitored tool.
        MonitoredCalls,
        /// Equal windows of prose near each other.
        RepeatedWindows,
        /// A model that was asked.
        ModelCheck,
        /// The host's own detector.
        HostReport,
    }
}

impl RuleNames for PeerRule {
    const NAMES: &'static [Self] = Self::ALL;
    const MODEL_CHECK: Self = Self::ModelCheck;
    const HOST_REPORT: Self = Self::HostReport;

    fn subjects(self) -> &'static [Subject] {
        match self {
            Self::RepeatedWindows => &[Subject::Text],
            Self::ModelCheck | Self::HostReport => &[Subject::Judgement],
            _ => &[Subject::Calls],
        }
    }
}

/// A report has one until the detector says whose it is.
impl Default for PeerProfile {
    fn default() -> Self {
        Self::GeminiCli
    }
}

/// As it is in JSON, such as `identical_calls`.
impl fmt::Display for PeerRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
