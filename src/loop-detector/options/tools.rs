//! Tools of the host's own.

use serde::{Deserialize, Serialize};

/// Tools of the host's own, by what they do. Each entry is a tool's name or a word of it, as `read` is of
/// `read_file` and `readFile`, case ignored; what comes before `__`, `.`, `/` or `:` is not part of a name.
/// These lists count more than the words that are known, such as `wait`, `edit`, `write`, `bash` and
/// `read`; if several lists fit, the first counts, in the order `note`, `wait`, `stateful`, `edit`, `write`,
/// `command`, `search`. In `intensive`, `monitored` and `exempt` an entry is a whole name, with its case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ToolLists {
    /// They change a part of something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<Vec<String>>,
    /// They write something whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Vec<String>>,
    /// They read or search, and change nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Vec<String>>,
    /// They run a command, whose command line is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// They wait, scroll or step, so their repeats may be meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<Vec<String>>,
    /// They only note or say something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Vec<String>>,
    /// They cost much: `previewIntensiveCalls` counts them. Instead of `read_file`, `read_many_files`,
    /// `glob`, `search_file_content` and `ls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intensive: Option<Vec<String>>,
    /// The same, besides those of `intensive`: preview models get stuck with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monitored: Option<Vec<String>>,
    /// They read what others change, such as a list of tasks, so asking again is a wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stateful: Option<Vec<String>>,
    /// No rule counts them: their calls make no loop, and neither break nor lengthen those of others. `*` stands for
    /// any letters: `recall_*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exempt: Option<Vec<String>>,
}
