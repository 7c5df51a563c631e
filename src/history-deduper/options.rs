//! The options of the history deduper.

use serde::{Deserialize, Serialize};

use super::MACHINE;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::{self, AtLeastZero, Count};
use turnkeeper_base::order;
use turnkeeper_base::sorted_map::SortedMap;

/// The tag that is looked for unless others are named.
pub const DEFAULT_TAG: &str = "environment_details";
/// The time for which providers keep a prompt cache, in milliseconds.
const DEFAULT_CACHE_LIFETIME_MS: f64 = 300_000.0;
/// The price of a token that is read from the cache, as a share of one that is not cached.
const DEFAULT_PRICE_OF_READING: f64 = 0.1;
/// The same of one that is written into it.
const DEFAULT_PRICE_OF_WRITING: f64 = 1.25;

/// The one of several blocks of a message that stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum KeepBlock {
    /// The last one, which is the freshest; the default.
    #[default]
    Last,
    /// The first one.
    First,
}

/// The part of older messages' blocks that stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum KeepSections {
    /// Everything; the default.
    #[default]
    All,
    /// The sections that differ from the block before.
    Changed,
}

/// The copies that stay of a file's content that the history holds several times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum KeepFiles {
    /// Every copy; the default.
    #[default]
    All,
    /// The newest copy; the others give way to a line that says where it is.
    Newest,
}

/// Several options at once, for a moment in the life of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum Economy {
    /// A task is resumed: `files: "newest"`, `recent: 1`, `sections: "changed"`.
    Resume,
    /// The context is nearly full: as `resume`, with `writes` and `repeatedResults`, at once whatever
    /// the cache, and no more than `targetTokens` asks for.
    Compact,
}

/// The prices of tokens that a provider caches, as shares of the price of tokens that it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CachePrices {
    /// The price of a token that is read from the cache. Default: 0.1.
    pub read: Option<AtLeastZero>,
    /// The price of a token that is written into it. Default: 1.25.
    pub write: Option<AtLeastZero>,
}

/// The state of the provider's prompt cache. Times are in milliseconds and may be infinite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CacheState {
    /// The time since the last request. Required.
    pub idle_ms: AtLeastZero,
    /// The time for which the provider keeps a prompt. Default: 300,000, which is five minutes.
    pub lifetime_ms: Option<AtLeastZero>,
    /// The number of requests that are still expected. With it, older messages are rewritten while the cache is
    /// warm, too, as soon as what that saves in these requests costs more than reading the rest of the
    /// history anew. Left out, they wait until the cache is cold.
    pub requests: Option<Count>,
    /// The prices of cached tokens. Default: `{ read: 0.1, write: 1.25 }`.
    #[serde(default)]
    pub prices: Option<CachePrices>,
}

/// The settings of a [`HistoryDeduper`](super::HistoryDeduper).
///
/// `recent`, `sections`, `files`, `writes` and `repeatedResults` rewrite older messages, which the
/// provider then has to read anew. They are off unless asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DedupeOptions {
    /// The names of the tags that mark a block, without brackets. Of each, one block is kept; of blocks that
    /// begin with a sentence, such as `Note: src/a.ts was modified`, one for each thing that they are about.
    /// Default: `["environment_details"]`.
    pub tags: Option<Vec<String>>,
    /// Whether a block at the end of a text part that holds other text, too, or of a tool result's last
    /// text, counts as well. Default: `false`.
    pub embedded: Option<bool>,
    /// The one of several blocks of a message that stays. Default: `"last"`.
    pub keep: Option<KeepBlock>,
    /// Blocks stay only in this many of the newest user messages, at least 1. Default: in all.
    pub recent: Option<Count>,
    /// The part of older messages' blocks that stays. Default: `"all"`.
    pub sections: Option<KeepSections>,
    /// The copies that stay of a file's content that the history holds several times. Default: `"all"`.
    pub files: Option<KeepFiles>,
    /// With `files`, whether older whole files in the arguments of calls that wrote them are
    /// replaced, too. Default: `false`.
    pub writes: Option<bool>,
    /// Whether a tool's result of 500 characters or more is replaced by a line if an equal one
    /// comes later. Default: `false`.
    pub repeated_results: Option<bool>,
    /// Tools of your own that read files, by their names, and where the path stands among the arguments of
    /// each: `path`, or `operations[].path` where a list has several. Default: none; the tools of known agents
    /// are known.
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, string>"))]
    pub read_tools: SortedMap<String, String>,
    /// The folder that relative paths start from. Default: the folder that the first block names as
    /// the current one.
    pub root: Option<String>,
    /// A name for several of these options at once; an option that is set itself counts more.
    /// Default: none.
    pub economy: Option<Economy>,
    /// With `economy: "compact"`, the size to reach, in estimated tokens of all messages. Default:
    /// everything is removed that can be.
    pub target_tokens: Option<Count>,
    /// The state of the provider's prompt cache. With it, older messages are rewritten only if the
    /// cache is cold, or if that pays (see `requests`). Default: they are rewritten at once.
    pub cache: Option<CacheState>,
}

impl DedupeOptions {
    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an unknown option and for a value of the wrong type
    /// or out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let options: Self = options::from_json(MACHINE, json)?;
        options.validate()?;
        Ok(options)
    }

    /// Whether the options fit together, and the names of the tags can be told apart, and from text.
    pub(super) fn validate(&self) -> Result<(), Error> {
        if self.target_tokens.is_some() && self.economy != Some(Economy::Compact) {
            return Err(invalid("targetTokens", "needs economy: \"compact\""));
        }
        if let Some((tool, _)) = self.read_tools.iter().find(|(_, path)| !is_place(path)) {
            let why = "must say where the path stands, such as `path` or `operations[].path`";
            return Err(invalid(format!("readTools.{tool}"), why));
        }
        let Some(tags) = &self.tags else {
            return Ok(());
        };
        if tags.is_empty() {
            return Err(invalid("tags", "must name at least one tag"));
        }
        if let Some(index) = tags.iter().position(|tag| !is_tag_name(tag)) {
            let why = "must be a name without brackets";
            return Err(invalid(format!("tags[{index}]"), why));
        }
        match first_named_before(tags) {
            Some(index) => Err(invalid(format!("tags[{index}]"), "is named twice")),
            None => Ok(()),
        }
    }

    /// The names of the tags, without brackets.
    pub(super) fn tag_names(&self) -> Vec<&str> {
        match &self.tags {
            Some(tags) => tags.iter().map(String::as_str).collect(),
            None => vec![DEFAULT_TAG],
        }
    }

    /// In how many of the newest user messages blocks stay.
    pub(super) fn recent_messages(&self) -> Option<u64> {
        self.recent.map(Count::get).or(self.economy.map(|_| 1))
    }

    /// Whether older blocks keep only the sections that changed.
    pub(super) fn compares_sections(&self) -> bool {
        let usual = self
            .economy
            .map_or(KeepSections::All, |_| KeepSections::Changed);
        self.sections.unwrap_or(usual) == KeepSections::Changed
    }

    /// Whether older copies of files give way.
    pub(super) fn keeps_newest_files(&self) -> bool {
        let usual = self.economy.map_or(KeepFiles::All, |_| KeepFiles::Newest);
        self.files.unwrap_or(usual) == KeepFiles::Newest
    }

    /// Whether arguments that are older copies of files give way.
    pub(super) fn shortens_writes(&self) -> bool {
        self.writes
            .unwrap_or(self.economy == Some(Economy::Compact))
    }

    /// Whether results that come again give way.
    pub(super) fn drops_repeated_results(&self) -> bool {
        self.repeated_results
            .unwrap_or(self.economy == Some(Economy::Compact))
    }

    /// Whether older messages may be rewritten now: the context is full, nobody said that there is a
    /// prompt cache, or it has gone cold.
    pub(super) fn may_rewrite_older_messages(&self) -> bool {
        self.economy == Some(Economy::Compact)
            || self.cache.is_none_or(|cache| {
                cache.idle_ms.get()
                    > cache
                        .lifetime_ms
                        .map_or(DEFAULT_CACHE_LIFETIME_MS, AtLeastZero::get)
            })
    }
}

impl CacheState {
    /// Whether it pays to rewrite older messages while the cache is warm: what is saved costs its
    /// price from the cache in each request that is expected; what comes after the first change has to
    /// be written into the cache anew, once, instead of being read from it.
    pub(super) fn pays(&self, saved_tokens: u64, tokens_read_anew: u64) -> bool {
        let Some(requests) = self.requests else {
            return false;
        };
        let CachePrices { read, write } = self.prices.unwrap_or_default();
        let read = read.map_or(DEFAULT_PRICE_OF_READING, AtLeastZero::get);
        let write = write.map_or(DEFAULT_PRICE_OF_WRITING, AtLeastZero::get);
        let saved = saved_tokens as f64 * read * requests.get() as f64;
        saved > tokens_read_anew as f64 * (write - read).max(0.0)
    }
}

/// The index of the first name that stands before it, too.
fn first_named_before(names: &[String]) -> Option<usize> {
    let mut indexes: Vec<usize> = (0..names.len()).collect();
    order::sort_by_key(&mut indexes, |at| (&names[*at], *at));
    let is_again = |pair: &&[usize]| names[pair[0]] == names[pair[1]];
    let again = indexes.windows(2).filter(is_again).map(|pair| pair[1]);
    again.min()
}

/// Whether it is names of fields with dots between them; `[]` after one means each element of a list.
fn is_place(place: &str) -> bool {
    place.split('.').all(|step| {
        let name = step.strip_suffix("[]").unwrap_or(step);
        !name.is_empty() && !name.contains(['[', ']'])
    })
}

fn is_tag_name(name: &str) -> bool {
    let is_excluded = |byte: u8| matches!(byte, b'<' | b'>' | b'/') || byte.is_ascii_whitespace();
    !name.is_empty() && !name.bytes().any(is_excluded)
}

fn invalid(field: impl Into<String>, message: &str) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(field)
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
            (r#"{"repeatedFileReads": true}"#, "repeatedFileReads"),
            (r#"{"files": "none"}"#, "files"),
            (r#"{"writes": "yes"}"#, "writes"),
            (r#"{"repeatedResults": 1}"#, "repeatedResults"),
            (r#"{"root": 1}"#, "root"),
            (r#"{"economy": "all"}"#, "economy"),
            (
                r#"{"economy": "compact", "targetTokens": 0}"#,
                "targetTokens",
            ),
            (
                r#"{"economy": "resume", "targetTokens": 9}"#,
                "targetTokens",
            ),
            (
                r#"{"cache": {"idleMs": 1, "requests": -1}}"#,
                "cache.requests",
            ),
            (
                r#"{"cache": {"idleMs": 1, "prices": {"read": -1}}}"#,
                "cache.prices.read",
            ),
            (r#"{"readTools": ["read"]}"#, "readTools"),
            (r#"{"readTools": {"read": 1}}"#, "readTools.read"),
            (
                r#"{"readTools": {"a": "b", "read": "a..b"}}"#,
                "readTools.read",
            ),
            (r#"{"readTools": {"read": "a[0].b"}}"#, "readTools.read"),
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
    fn older_messages_wait_until_the_cache_has_outlived_its_lifetime() {
        for (json, cold) in [
            (r#"{}"#, true),
            (r#"{"cache": {"idleMs": 300000}}"#, false),
            (r#"{"cache": {"idleMs": 300001}}"#, true),
            (r#"{"cache": {"idleMs": 10, "lifetimeMs": 9}}"#, true),
            (r#"{"cache": {"idleMs": 0, "lifetimeMs": 0}}"#, false),
            // JavaScript's Infinity arrives as this.
            (
                r#"{"cache": {"idleMs": 1e300, "lifetimeMs": 1.7976931348623157e308}}"#,
                false,
            ),
            (r#"{"cache": {"idleMs": 1.7976931348623157e308}}"#, true),
        ] {
            let options = DedupeOptions::from_json(json).expect(json);
            assert_eq!(options.may_rewrite_older_messages(), cold, "{json}");
        }
    }
    #[test]
    fn a_cache_may_live_for_ever() {
        let with_cache = |idle_ms: f64, lifetime_ms: Option<f64>| DedupeOptions {
            cache: Some(CacheState {
                idle_ms: AtLeastZero::new(idle_ms).expect("at least 0"),
                lifetime_ms: lifetime_ms.and_then(AtLeastZero::new),
                requests: None,
                prices: None,
            }),
            ..DedupeOptions::default()
        };
        let for_ever = with_cache(f64::MAX, Some(f64::INFINITY));
        assert!(!for_ever.may_rewrite_older_messages());
        assert!(with_cache(f64::INFINITY, None).may_rewrite_older_messages());
    }

    #[test]
    fn rewriting_pays_once_the_requests_to_come_save_more_than_reading_anew_costs() {
        let cache = |json: &str| {
            let json = format!(r#"{{"cache": {json}}}"#);
            DedupeOptions::from_json(&json)
                .expect("valid")
                .cache
                .expect("given")
        };
        // 1,000 tokens at 0.1 in each request against 4,000 at 1.25 - 0.1: 46 requests.
        assert!(!cache(r#"{"idleMs": 0}"#).pays(1_000, 4_000));
        assert!(!cache(r#"{"idleMs": 0, "requests": 46}"#).pays(1_000, 4_000));
        assert!(cache(r#"{"idleMs": 0, "requests": 47}"#).pays(1_000, 4_000));
        // With 1 instead of 1.25: 36 requests.
        let prices = r#"{"idleMs": 0, "requests": 37, "prices": {"write": 1}}"#;
        assert!(cache(prices).pays(1_000, 4_000));
        assert!(!cache(prices).pays(0, 4_000));
    }

    #[test]
    fn an_economy_sets_what_is_not_set() {
        let read = |json: &str| DedupeOptions::from_json(json).expect(json);
        let resume = read(r#"{"economy": "resume"}"#);
        assert!(resume.keeps_newest_files() && resume.compares_sections());
        assert_eq!(resume.recent_messages(), Some(1));
        assert!(!resume.shortens_writes() && !resume.drops_repeated_results());
        let compact = read(r#"{"economy": "compact", "cache": {"idleMs": 0}, "recent": 3}"#);
        assert!(compact.shortens_writes() && compact.drops_repeated_results());
        assert!(compact.may_rewrite_older_messages(), "whatever the cache");
        assert_eq!(compact.recent_messages(), Some(3));
        let none = read("{}");
        assert!(!none.keeps_newest_files() && !none.compares_sections());
        assert_eq!(none.recent_messages(), None);
    }
}
