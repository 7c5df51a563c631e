//! What a host may set.

use super::MACHINE;
use crate::error::{Error, ErrorCode};
use crate::setting::{Named, OPTIONS, OptionValue, Setting, write};

/// So many messages go into one prompt at most, unless the host says otherwise.
const MAX_RECALLED_MESSAGES: u64 = 20;

/// The settings of a [`SummaryInjector`](super::SummaryInjector).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct SummaryInjectorOptions {
    /// Tokens that the accumulated summaries may take before they are folded: one for each Han, Kana
    /// or Hangul character, and one for every four UTF-16 code units of the rest; no limit.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_tokens: Option<u64>,
    /// So many recalled messages, the newest, go into one prompt; 20.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_recalled_messages: Option<u64>,
    /// So many messages, the newest, are kept for recall and for the thinking phase; all.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_messages: Option<u64>,
}

impl SummaryInjectorOptions {
    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an unknown option and for a value of the wrong type
    /// or out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let value: serde_json::Value = serde_json::from_str(json).map_err(|error| {
            let message = format!("are not JSON: {error}");
            Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(OPTIONS)
        })?;
        Self::read(&Setting::from(value))
    }

    fn read(value: &Setting) -> Result<Self, Error> {
        let mut options = Self::default();
        options.set(value)?;
        Ok(options)
    }

    pub(crate) fn set(&mut self, value: &Setting) -> Result<(), Error> {
        Named::whole(MACHINE, value).read(&mut self.values())
    }

    /// What [`set`](Self::set) reads.
    pub(crate) fn write(&mut self) -> Setting {
        write(&self.values())
    }

    fn values(&mut self) -> [(&'static str, &mut dyn OptionValue); 3] {
        [
            ("maxTokens", &mut self.max_tokens),
            ("maxRecalledMessages", &mut self.max_recalled_messages),
            ("maxMessages", &mut self.max_messages),
        ]
    }

    /// The option that is out of range: what was read is right, a native host may have put anything.
    pub(crate) fn wrong(&self) -> Option<&'static str> {
        for (name, count) in [
            ("maxTokens", self.max_tokens),
            ("maxRecalledMessages", self.max_recalled_messages),
            ("maxMessages", self.max_messages),
        ] {
            if count == Some(0) {
                return Some(name);
            }
        }
        None
    }

    pub(crate) fn recalled_messages(&self) -> u64 {
        self.max_recalled_messages.unwrap_or(MAX_RECALLED_MESSAGES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_option_is_named() {
        for (json, field) in [
            ("[]", "options"),
            ("nothing", "options"),
            (r#"{"maxToken": 3}"#, "maxToken"),
            (r#"{"maxTokens": 0}"#, "maxTokens"),
            (r#"{"maxTokens": 2.5}"#, "maxTokens"),
            (r#"{"maxTokens": "3"}"#, "maxTokens"),
            (r#"{"maxRecalledMessages": -1}"#, "maxRecalledMessages"),
            (r#"{"maxMessages": null}"#, "maxMessages"),
        ] {
            let error = SummaryInjectorOptions::from_json(json).expect_err(json);
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{json}");
        }
        let options = SummaryInjectorOptions {
            max_messages: Some(0),
            ..SummaryInjectorOptions::default()
        };
        assert_eq!(options.wrong(), Some("maxMessages"));
    }

    #[test]
    fn options_survive_being_written_and_read() {
        let json = r#"{"maxTokens": 1, "maxRecalledMessages": 2, "maxMessages": 3}"#;
        let mut options = SummaryInjectorOptions::from_json(json).expect("valid");
        assert_eq!(SummaryInjectorOptions::read(&options.write()), Ok(options));
    }
}
