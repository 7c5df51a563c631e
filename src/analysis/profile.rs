//! The rules that judge: the package's own, and those of other agents.

use std::fmt;

use serde::{Deserialize, Serialize};
use turnkeeper_base::names;
use turnkeeper_loop_detector::{LoopDetectorOptions, LoopProfile};
use turnkeeper_peers::{
    ClineOptions, DeepvOptions, GeminiCliOptions, PeerOptions, PeerProfile, RooOptions,
};

names! {
    /// A rule set of the package's own, or another agent's.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(test, derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    Profile {
        /// The rules of the agent that the detector grew from.
        Standard,
        /// The detector's own rules over calls and their results; they judge where none are named.
        #[default]
        Adaptive,
        /// The verdicts of gemini-cli.
        GeminiCli,
        /// The verdicts of DeepV Code.
        Deepv,
        /// The verdicts of Roo Code.
        Roo,
        /// The verdicts of Cline.
        Cline,
    }
}

impl Profile {
    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Adaptive => "adaptive",
            Self::GeminiCli => "gemini-cli",
            Self::Deepv => "deepv",
            Self::Roo => "roo",
            Self::Cline => "cline",
        }
    }

    /// The rule set of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|profile| profile.name() == name)
    }

    /// Whether it is the package's own, whose thresholds can be set.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Standard | Self::Adaptive)
    }

    /// Its rules as they are.
    pub fn rules(self) -> Rules {
        let own = |profile| {
            Rules::Own(Box::new(LoopDetectorOptions {
                profile: Some(profile),
                ..LoopDetectorOptions::default()
            }))
        };
        match self {
            Self::Standard => own(LoopProfile::Standard),
            Self::Adaptive => own(LoopProfile::Adaptive),
            Self::GeminiCli => Rules::Peer(Box::new(PeerOptions::GeminiCli(
                GeminiCliOptions::default(),
            ))),
            Self::Deepv => Rules::Peer(Box::new(PeerOptions::Deepv(DeepvOptions::default()))),
            Self::Roo => Rules::Peer(Box::new(PeerOptions::Roo(RooOptions::default()))),
            Self::Cline => Rules::Peer(Box::new(PeerOptions::Cline(ClineOptions::default()))),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<LoopProfile> for Profile {
    fn from(profile: LoopProfile) -> Self {
        match profile {
            LoopProfile::Standard => Self::Standard,
            _ => Self::Adaptive,
        }
    }
}

impl From<PeerProfile> for Profile {
    fn from(profile: PeerProfile) -> Self {
        match profile {
            PeerProfile::Deepv => Self::Deepv,
            PeerProfile::Roo => Self::Roo,
            PeerProfile::Cline => Self::Cline,
            _ => Self::GeminiCli,
        }
    }
}

/// The rules of a profile, perhaps with thresholds of the user's own.
#[derive(Debug, Clone)]
pub enum Rules {
    /// The package's own.
    Own(Box<LoopDetectorOptions>),
    /// Another agent's.
    Peer(Box<PeerOptions>),
}

impl Rules {
    /// The profile that they are of.
    pub fn profile(&self) -> Profile {
        match self {
            Self::Own(options) => options.profile.unwrap_or_default().into(),
            Self::Peer(options) => options.profile().into(),
        }
    }
}
