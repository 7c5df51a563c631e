//! The log of a session, for the host.

use serde::Serialize;
use serde_json::Value;

/// Something that a session decided.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SessionLogEntry {
    /// The number of the turn; 0 before the first.
    pub turn: u64,
    /// Who decided: the machine's name, such as `loop_detector`, as in errors.
    pub machine: &'static str,
    /// `nudge` or `stop` of a loop detector; `omitted` items, a `failed` one, or a `diagnostic` of an
    /// assembler; blocks `removed` by the deduper; `reuse`, `reuse_with_cd`, `create` or `wait` of a
    /// terminal selector; `turn_completed`, `summaries_cut` or `over_budget` by an injector.
    pub what: String,
    /// The reason, for people.
    pub why: String,
    /// The loop's report, the keys of the items, the diagnostic, the choice, or how many blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "unknown"))]
    pub detail: Option<Value>,
}
