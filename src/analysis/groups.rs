//! The sums of an audit by day, week, month, model, project or agent.

use serde::{Deserialize, Serialize};

use super::report::Unpriced;

/// Sums by a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grouped {
    /// The kind of groups.
    pub by: By,
    /// Days, weeks and months in their order, all others by their dollars, the dearest first.
    pub rows: Vec<Group>,
}

/// The kind of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Days by the user's clock, as `2026-11-27`.
    Day,
    /// Weeks by their Monday, as `2026-11-23`.
    Week,
    /// Months, as `2026-11`.
    Month,
    /// The models that answered.
    Model,
    /// The directories that sessions worked in.
    Project,
    /// The agents.
    Agent,
}

/// The sums of a group. Those of all groups are the total's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The day, the model and so on; left out where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Sessions with something in the group; one of two days counts on both.
    pub sessions: u64,
    /// Requests that were answered.
    pub requests: u64,
    /// Tokens that were sent and neither read from a prompt cache nor kept in one.
    pub input: u64,
    /// Tokens that were read from a prompt cache.
    pub cache_read: u64,
    /// Tokens that were sent and kept in a prompt cache.
    pub cache_write: u64,
    /// Tokens that the models wrote.
    pub output: u64,
    /// All four together.
    pub tokens: u64,
    /// In US dollars; left out where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Of these, what could have been saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saveable: Option<f64>,
    /// Whether tokens are estimated, all or in part.
    pub is_estimated: bool,
    /// What is not in the dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpriced: Option<Unpriced>,
}
