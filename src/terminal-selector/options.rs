//! The options of the terminal selector.

use serde::{Deserialize, Serialize};

use super::path::PathRules;
use super::refusal::MACHINE;
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{self, Count};
use turnkeeper_base::path::PathPlatform;

/// The times that a terminal may be led elsewhere, unless the host says otherwise.
const MAX_DIRECTORY_CHANGES: u32 = 5;

/// The options of a [`TerminalSelector`](super::TerminalSelector).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TerminalSelectorOptions {
    /// The platform whose rules paths follow: what `process.platform` says on the machine with the terminals, or
    /// `"posix"`. Required, since the code may run on another.
    #[cfg_attr(feature = "typescript", ts(type = "PathPlatform | PosixSystem"))]
    pub platform: PathPlatform,
    /// Whether names that differ only in case are different. Default: `true` for `posix`, `false` for
    /// `win32`.
    pub case_sensitive: Option<bool>,
    /// The times that a terminal may be led to another directory until it is reset; 0 is never. Default: 5.
    #[serde(default, deserialize_with = "options::limit")]
    pub max_directory_changes: Option<u32>,
    /// Whether an idle terminal that is bound to another task may be taken. Default: `false`.
    pub steal_from_other_tasks: Option<bool>,
    /// The most terminals there may be, of all providers together: at least 1. At the limit a choice names
    /// terminals to close, or asks to wait. Default: no limit.
    pub max_terminals: Option<Count>,
    /// The directories from which a terminal may be led to another. Default: `"related"`.
    pub reachable: Option<Reachable>,
}

/// The directories from which a terminal may be led to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum Reachable {
    /// From a directory that contains it or lies in it.
    Related,
    /// From any directory.
    Anywhere,
}

impl TerminalSelectorOptions {
    /// Settings with nothing but a platform.
    #[must_use]
    pub fn new(platform: PathPlatform) -> Self {
        Self {
            platform,
            case_sensitive: None,
            max_directory_changes: None,
            steal_from_other_tasks: None,
            max_terminals: None,
            reachable: None,
        }
    }

    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for one that is unknown, of the wrong type or out of
    /// range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::from_json(MACHINE, json)
    }

    pub(super) fn path_rules(&self) -> PathRules {
        PathRules::of(self.platform, self.case_sensitive)
    }

    pub(super) fn max_directory_changes(&self) -> u32 {
        self.max_directory_changes.unwrap_or(MAX_DIRECTORY_CHANGES)
    }

    pub(super) fn max_terminals(&self) -> Option<u64> {
        self.max_terminals.map(Count::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkeeper_base::error::ErrorCode;

    #[test]
    fn every_wrong_option_is_named() {
        let table = [
            ("[]", "options"),
            ("nothing", "options"),
            ("{}", "platform"),
            (r#"{"platform": "amiga"}"#, "platform"),
            (
                r#"{"platform": "posix", "casesensitive": true}"#,
                "casesensitive",
            ),
            (
                r#"{"platform": "posix", "caseSensitive": 1}"#,
                "caseSensitive",
            ),
            (r#"{"maxDirectoryChanges": -1}"#, "maxDirectoryChanges"),
            (r#"{"maxDirectoryChanges": 0.5}"#, "maxDirectoryChanges"),
            (r#"{"maxDirectoryChanges": "5"}"#, "maxDirectoryChanges"),
            (r#"{"stealFromOtherTasks": null}"#, "stealFromOtherTasks"),
            (r#"{"maxTerminals": 0}"#, "maxTerminals"),
            (r#"{"maxTerminals": 2.5}"#, "maxTerminals"),
            (r#"{"reachable": "everywhere"}"#, "reachable"),
        ];
        for (json, field) in table {
            let error = TerminalSelectorOptions::from_json(json).expect_err(json);
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{json}");
        }
    }

    #[test]
    fn options_survive_being_written_and_read() {
        for json in [
            r#"{"platform": "posix"}"#,
            r#"{"platform": "win32", "caseSensitive": true, "maxDirectoryChanges": 0,
                "stealFromOtherTasks": true}"#,
            r#"{"platform": "posix", "maxDirectoryChanges": 4294967295, "maxTerminals": 1,
                "reachable": "anywhere"}"#,
        ] {
            let read = TerminalSelectorOptions::from_json(json).expect("valid");
            let written = options::to_value(&read).to_string();
            assert_eq!(TerminalSelectorOptions::from_json(&written), Ok(read));
        }
    }
}
