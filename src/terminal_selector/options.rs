//! What a host may set, and how it is read.

use super::path::PathRules;
use super::{MACHINE, refusal};
use crate::error::{Error, ErrorCode};
use crate::path::PathPlatform;
use crate::setting::{Named, OPTIONS, OptionValue, Setting, write};

/// The settings of a [`TerminalSelector`](super::TerminalSelector).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct TerminalSelectorOptions {
    /// Whose rules paths follow. It has to be said: the code may run on another platform than the
    /// terminals.
    pub platform: PathPlatform,
    /// Whether names that differ in case alone are two; true on `posix`, false on `win32`.
    pub case_sensitive: Option<bool>,
    /// How often a terminal may be led to another directory before it is reset, from 0, which is
    /// never; 5.
    pub max_directory_changes: Option<u32>,
    /// Whether an idle terminal that is bound to another task may be taken; false.
    pub steal_from_other_tasks: Option<bool>,
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
        }
    }

    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for one that is unknown, of the wrong type or out of
    /// range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let value: serde_json::Value = serde_json::from_str(json).map_err(|error| {
            let message = format!("are not JSON: {error}");
            Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(OPTIONS)
        })?;
        Self::read(&Setting::from(value))
    }

    pub(crate) fn read(setting: &Setting) -> Result<Self, Error> {
        let mut options = Self::new(PathPlatform::Posix);
        let mut platform = None;
        let whole = Named::whole(MACHINE, setting);
        whole.read(&mut options.values(&mut platform))?;
        let Some(platform) = platform else {
            return Err(no_platform());
        };
        options.platform = platform;
        Ok(options)
    }

    /// What [`read`](Self::read) reads.
    pub(crate) fn write(&mut self) -> Setting {
        let mut platform = Some(self.platform);
        write(&self.values(&mut platform))
    }

    /// One list for both, which is too long to be there twice.
    #[inline(never)]
    fn values<'a>(
        &'a mut self,
        platform: &'a mut Option<PathPlatform>,
    ) -> [(&'static str, &'a mut dyn OptionValue); 4] {
        [
            ("platform", platform),
            ("caseSensitive", &mut self.case_sensitive),
            ("maxDirectoryChanges", &mut self.max_directory_changes),
            ("stealFromOtherTasks", &mut self.steal_from_other_tasks),
        ]
    }

    pub(super) fn rules(&self) -> PathRules {
        let mut rules = PathRules::new(self.platform);
        if let Some(case_sensitive) = self.case_sensitive {
            rules.case_sensitive = case_sensitive;
        }
        rules
    }
}

pub(crate) fn no_platform() -> Error {
    let message = "must be posix or win32";
    refusal(ErrorCode::InvalidConfig, "platform", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_option_is_named() {
        let table = [
            ("[]", "options"),
            ("nothing", "options"),
            ("{}", "platform"),
            (r#"{"platform": "linux"}"#, "platform"),
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
            r#"{"platform": "posix", "maxDirectoryChanges": 4294967295}"#,
        ] {
            let mut options = TerminalSelectorOptions::from_json(json).expect("valid");
            assert_eq!(TerminalSelectorOptions::read(&options.write()), Ok(options));
        }
    }
}
