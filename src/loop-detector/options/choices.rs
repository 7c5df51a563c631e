//! The profile.

use serde::{Deserialize, Serialize};

/// A set of rules with their thresholds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum LoopProfile {
    /// The rules of the agent that this library grew from.
    Standard,
    /// This library's own rules over calls and their results; the default.
    #[default]
    Adaptive,
}
