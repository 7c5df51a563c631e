//! What a host may set, and how it is read.

use super::MACHINE;
use crate::error::{Error, ErrorCode};
use crate::setting::{Duration, Named, OPTIONS, OptionValue, Setting, Word, push_place, write};

/// The tag that is looked for unless others are named.
pub const DEFAULT_TAG: &str = "environment_details";
/// The tools whose results are file contents unless others are named.
const READ_TOOLS: [&str; 4] = ["read_file", "readFile", "view_file", "Read"];
/// How long providers keep a prompt cache, in milliseconds.
const LIFETIME: f64 = 300_000.0;

/// Which of several blocks of a message stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "kebab-case")
)]
pub enum KeepBlock {
    /// The last one, which is the freshest; the default.
    #[default]
    Last,
    /// The first one.
    First,
}

/// What stays of the blocks of older messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "kebab-case")
)]
pub enum KeepSections {
    /// Everything; the default.
    #[default]
    All,
    /// The sections that differ from the block before.
    Changed,
}

/// How warm the provider's prompt cache is. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct CacheState {
    /// How long ago the last request was.
    pub idle_ms: f64,
    /// How long the provider keeps a prompt; 300,000, which is five minutes.
    pub lifetime_ms: Option<f64>,
}

/// The settings of a [`HistoryDeduper`](super::HistoryDeduper).
///
/// `recent`, `sections` and `repeatedFileReads` rewrite older messages, which the provider then has
/// to read anew. They are off unless asked for.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct DedupeOptions {
    /// The names of the tags, without brackets; `["environment_details"]`. Of each, one block is
    /// kept.
    pub tags: Option<Vec<String>>,
    /// Whether blocks count that end another text part or a tool result's last text; `false`.
    pub embedded: Option<bool>,
    /// Which of several blocks of a message stays; `last`.
    pub keep: Option<KeepBlock>,
    /// Blocks stay only in so many of the newest user messages, at least 1.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub recent: Option<u64>,
    /// What stays of older blocks; `all`.
    pub sections: Option<KeepSections>,
    /// Whether a file's content gives way to a one-line notice when the same read comes again;
    /// `false`.
    pub repeated_file_reads: Option<bool>,
    /// The tools that read a file; `["read_file", "readFile", "view_file", "Read"]`.
    pub read_tools: Option<Vec<String>>,
    /// With it, older messages are rewritten only if the prompt cache has gone cold.
    pub cache: Option<CacheState>,
}

impl DedupeOptions {
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

    pub(crate) fn read(value: &Setting) -> Result<Self, Error> {
        let mut options = Self::default();
        Named::whole(MACHINE, value).read(&mut [
            ("tags", &mut options.tags),
            ("embedded", &mut options.embedded),
            ("keep", &mut options.keep),
            ("recent", &mut options.recent),
            ("sections", &mut options.sections),
            ("repeatedFileReads", &mut options.repeated_file_reads),
            ("readTools", &mut options.read_tools),
            ("cache", &mut options.cache),
        ])?;
        options.check_tags()?;
        Ok(options)
    }

    /// Whether the names of the tags can be told apart, and from text.
    pub(crate) fn check_tags(&self) -> Result<(), Error> {
        let Some(tags) = &self.tags else {
            return Ok(());
        };
        if tags.is_empty() {
            return Err(wrong("tags".to_owned(), "must name at least one tag"));
        }
        for (at, tag) in tags.iter().enumerate() {
            let is_wrong =
                |byte: u8| matches!(byte, b'<' | b'>' | b'/') || byte.is_ascii_whitespace();
            let message = if tag.is_empty() || tag.bytes().any(is_wrong) {
                "must be a name without brackets"
            } else if tags[..at].contains(tag) {
                "is named twice"
            } else {
                continue;
            };
            let mut field = "tags".to_owned();
            push_place(&mut field, at);
            return Err(wrong(field, message));
        }
        Ok(())
    }

    pub(crate) fn tag_names(&self) -> Vec<&str> {
        names(self.tags.as_deref(), &[DEFAULT_TAG])
    }

    pub(crate) fn read_tool_names(&self) -> Vec<&str> {
        names(self.read_tools.as_deref(), &READ_TOOLS)
    }

    /// Whether older messages may be rewritten now.
    pub(crate) fn is_cold(&self) -> bool {
        self.cache.is_none_or(
            |CacheState {
                 idle_ms,
                 lifetime_ms,
             }| { idle_ms > lifetime_ms.unwrap_or(LIFETIME) },
        )
    }
}

fn wrong(field: String, message: &str) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(field)
}

fn names<'a>(given: Option<&'a [String]>, usual: &[&'a str]) -> Vec<&'a str> {
    let Some(given) = given else {
        return usual.to_vec();
    };
    let mut names = Vec::new();
    for name in given {
        names.push(name.as_str());
    }
    names
}

impl Word for KeepBlock {
    const MEANINGS: &'static [Self] = &[Self::Last, Self::First];
    const WORDS: &'static str = "last first";
}

impl Word for KeepSections {
    const MEANINGS: &'static [Self] = &[Self::All, Self::Changed];
    const WORDS: &'static str = "all changed";
}

impl OptionValue for Option<CacheState> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        let (mut idle_ms, mut lifetime_ms) = (None, None);
        from.read(&mut [
            ("idleMs", &mut Duration(&mut idle_ms)),
            ("lifetimeMs", &mut Duration(&mut lifetime_ms)),
        ])?;
        let Some(idle_ms) = idle_ms else {
            return Err(wrong("cache.idleMs".to_owned(), "is missing"));
        };
        *self = Some(CacheState {
            idle_ms,
            lifetime_ms,
        });
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        let state = self.as_ref()?;
        let (mut idle_ms, mut lifetime_ms) = (Some(state.idle_ms), state.lifetime_ms);
        Some(write(&[
            ("idleMs", &mut Duration(&mut idle_ms)),
            ("lifetimeMs", &mut Duration(&mut lifetime_ms)),
        ]))
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
            (r#"{"tag": "a"}"#, "tag"),
            (r#"{"tags": "a"}"#, "tags"),
            (r#"{"tags": []}"#, "tags"),
            (r#"{"tags": ["a", 1]}"#, "tags[1]"),
            (r#"{"tags": ["<a>"]}"#, "tags[0]"),
            (r#"{"tags": ["a", ""]}"#, "tags[1]"),
            (r#"{"tags": ["a b"]}"#, "tags[0]"),
            (r#"{"tags": ["a", "b", "a"]}"#, "tags[2]"),
            (r#"{"embedded": 1}"#, "embedded"),
            (r#"{"keep": "newest"}"#, "keep"),
            (r#"{"keep": true}"#, "keep"),
            (r#"{"recent": 0}"#, "recent"),
            (r#"{"recent": 1.5}"#, "recent"),
            (r#"{"sections": "none"}"#, "sections"),
            (r#"{"repeatedFileReads": "yes"}"#, "repeatedFileReads"),
            (r#"{"readTools": [null]}"#, "readTools[0]"),
            (r#"{"cache": 300}"#, "cache"),
            (r#"{"cache": {}}"#, "cache.idleMs"),
            (r#"{"cache": {"idleMs": -1}}"#, "cache.idleMs"),
            (
                r#"{"cache": {"idleMs": 1, "lifetimeMs": "5"}}"#,
                "cache.lifetimeMs",
            ),
            (r#"{"cache": {"idleMs": 1, "ttl": 5}}"#, "cache.ttl"),
        ] {
            let error = DedupeOptions::from_json(json).expect_err(json);
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{json}");
        }
    }

    #[test]
    fn the_cache_is_cold_after_more_than_its_lifetime() {
        for (json, cold) in [
            (r#"{}"#, true),
            (r#"{"cache": {"idleMs": 300000}}"#, false),
            (r#"{"cache": {"idleMs": 300001}}"#, true),
            (r#"{"cache": {"idleMs": 10, "lifetimeMs": 9}}"#, true),
            (r#"{"cache": {"idleMs": 0, "lifetimeMs": 0}}"#, false),
        ] {
            let options = DedupeOptions::from_json(json).expect(json);
            assert_eq!(options.is_cold(), cold, "{json}");
        }
    }
}
