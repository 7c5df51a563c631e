//! The options of the summary injector.

use serde::{Deserialize, Serialize};

use super::MACHINE;
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{self, Count};

/// A prompt contains at most this many recalled messages, unless the host says otherwise.
const MAX_RECALLED_MESSAGES: u64 = 20;

/// The text of a summary request has at most this many tokens, unless the host says otherwise.
const MAX_REQUEST_TOKENS: u64 = 16_000;

/// Texts of the system prompt in the host's own words. `{task}` stands for the task, escaped as in a JSON
/// string, so that nothing in it can end a quotation or a line. Without a task it is empty. A blank text
/// is left out of the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct InjectorTexts {
    /// The reminder of the task, in both phases. Without a task there is no reminder.
    pub reminder: Option<String>,
    /// The rule of the thinking phase.
    pub thinking_rule: Option<String>,
}

/// The options of a [`SummaryInjector`](super::SummaryInjector).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SummaryInjectorOptions {
    /// The most tokens that the accumulated summaries may take. Over it the oldest are folded into one, and of the
    /// longest that stay the middle is left out.
    /// Tokens are estimated: one for each Han, Kana or Hangul character, and one for every four UTF-16 code
    /// units of the rest. Default: no limit.
    pub max_tokens: Option<Count>,
    /// The most recalled messages in one prompt; of more, those that were asked for most directly are taken, and of
    /// these the newest. Default: 20.
    pub max_recalled_messages: Option<Count>,
    /// The most messages that are kept for recall and for the thinking phase; of more, the oldest are
    /// forgotten. Default: no limit.
    pub max_messages: Option<Count>,
    /// The most tokens in the text of a request for a summary or a fold, estimated as for `maxTokens`. Default: 16,000.
    pub max_request_tokens: Option<Count>,
    /// Texts of the system prompt in the host's own words.
    pub texts: Option<InjectorTexts>,
}

impl SummaryInjectorOptions {
    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for an unknown option and for a value of the wrong type
    /// or out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::from_json(MACHINE, json)
    }

    pub(super) fn budget(&self) -> Option<u64> {
        self.max_tokens.map(Count::get)
    }

    pub(super) fn recalled_messages(&self) -> u64 {
        self.max_recalled_messages
            .map_or(MAX_RECALLED_MESSAGES, Count::get)
    }

    pub(super) fn request_tokens(&self) -> u64 {
        self.max_request_tokens
            .map_or(MAX_REQUEST_TOKENS, Count::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkeeper_base::error::ErrorCode;

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
            (r#"{"maxRequestTokens": 0}"#, "maxRequestTokens"),
            (r#"{"texts": {"remind": ""}}"#, "texts.remind"),
            (r#"{"texts": {"thinkingRule": 7}}"#, "texts.thinkingRule"),
        ] {
            let error = SummaryInjectorOptions::from_json(json).expect_err(json);
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{json}");
        }
    }

    #[test]
    fn options_survive_being_written_and_read() {
        let json = r#"{"maxTokens": 1, "maxRecalledMessages": 2, "maxMessages": 3,
            "maxRequestTokens": 4, "texts": {"reminder": "a", "thinkingRule": "b"}}"#;
        let options = SummaryInjectorOptions::from_json(json).expect("valid");
        let written = options::to_value(&options);
        assert_eq!(options::read(MACHINE, &written), Ok(options));
    }
}
