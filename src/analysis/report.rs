//! The report of an audit, which is what `turnkeeper audit --json` writes: `docs/audit.schema.json` describes it.

use serde::{Deserialize, Serialize};
use turnkeeper_agents::sessions::Format;
use turnkeeper_base::names;
use turnkeeper_loop_detector::{Channel, LoopType};

use super::format_name;
use super::profile::Profile;

/// The version of the report's shape. A field that is new does not change it; one that goes or means something else does.
pub const SCHEMA_VERSION: u32 = 1;

/// The way in which tokens of texts are estimated, in words for reports.
pub const TOKENS_ESTIMATED: &str = "estimated from the texts, without a tokenizer: a token for each Han, Kana or Hangul \
     character, and one for every four UTF-16 units of the rest";

/// All sessions that were judged, their total, and what was not judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditReport {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// In the order in which they were named, and of a folder by name.
    pub sessions: Vec<SessionReport>,
    /// All of them together.
    pub total: Total,
    /// The same by day or another group, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Grouped>,
    /// Files of folders that are no sessions.
    pub skipped: Vec<Skipped>,
    /// Bad input, as on standard error.
    pub problems: Vec<Problem>,
    /// The rules that judged.
    pub profile: Profile,
    /// The time from which on sessions were taken, as ISO 8601; left out if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The time up to which sessions were taken; left out if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// [`TOKENS_ESTIMATED`].
    pub tokens_estimated: String,
    /// The table of prices.
    pub prices: PriceList,
}

/// The usage of all sessions, which is what `turnkeeper audit --usage --json` writes: an [`AuditReport`] without what
/// only the texts and the rules tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// In the order in which they were named, and of a folder by name.
    pub sessions: Vec<SessionUsage>,
    /// All of them together.
    pub total: UsageTotal,
    /// The same by day or another group, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Grouped>,
    /// Files of folders that are no sessions.
    pub skipped: Vec<Skipped>,
    /// Bad input, as on standard error.
    pub problems: Vec<Problem>,
    /// The time from which on sessions were taken, as ISO 8601; left out if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The time up to which sessions were taken; left out if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// [`TOKENS_ESTIMATED`].
    pub tokens_estimated: String,
    /// The table of prices.
    pub prices: PriceList,
}

/// A session, as the lists name it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SessionInfo {
    /// As it was named, or below the folder that was named.
    pub file: String,
    /// The session in a file that holds several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its format.
    #[serde(with = "format_name")]
    #[cfg_attr(test, schemars(schema_with = "super::schema::formats"))]
    pub format: Format,
    /// The agent in whose folder it was found, or whose format it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The agent's name for it, else the first words of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The directory that its commands ran in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The model that answered last, where the file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it began, as ISO 8601, by the times in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

impl SessionInfo {
    /// The agent, or the format where nobody knows which agent it was.
    pub fn agent_or_format(&self) -> &str {
        self.agent.as_deref().unwrap_or(self.format.name())
    }
}

/// The usage of one session: an element of `sessions`, and a line of `--jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SessionUsage {
    /// The session.
    #[serde(flatten)]
    pub session: SessionInfo,
    /// The usage of its requests to models.
    pub usage: Usage,
}

/// The usage of all sessions together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UsageTotal {
    /// All of them.
    pub sessions: u64,
    /// Sessions whose tokens are estimated, in part at least.
    pub sessions_estimated: u64,
    /// The usage of requests to models.
    pub usage: Usage,
}

impl From<AuditReport> for UsageReport {
    fn from(report: AuditReport) -> Self {
        let mut groups = report.groups;
        let rows = groups.iter_mut().flat_map(|groups| &mut groups.rows);
        rows.for_each(|row| row.saveable = None);
        Self {
            schema_version: report.schema_version,
            sessions: report.sessions.into_iter().map(Into::into).collect(),
            total: UsageTotal {
                sessions: report.total.sessions,
                sessions_estimated: report.total.sessions_estimated,
                usage: report.total.usage,
            },
            groups,
            skipped: report.skipped,
            problems: report.problems,
            since: report.since,
            until: report.until,
            tokens_estimated: report.tokens_estimated,
            prices: report.prices,
        }
    }
}

impl From<SessionReport> for SessionUsage {
    fn from(report: SessionReport) -> Self {
        Self {
            session: report.session,
            usage: report.usage,
        }
    }
}

/// The table of prices that dollars were counted by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PriceList {
    /// The day of the table, as `2026-11-27`.
    pub date: String,
    /// Where it is from.
    pub source: String,
}

/// The result of one session: an element of `sessions`, and a line of `--jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionReport {
    /// The session.
    #[serde(flatten)]
    pub session: SessionInfo,
    /// The rules that judged.
    pub profile: Profile,
    /// Sums of the session.
    #[serde(flatten)]
    pub counts: Counts,
    /// The loops that were found, in their order.
    pub loops: Vec<Loop>,
    /// The usage of its requests to models.
    pub usage: Usage,
    /// The part that could have been saved.
    pub saveable: Saveable,
    /// Estimated tokens of the texts.
    pub tokens: TokenKinds,
    /// Everything that the events lack, so that rules that need it stayed silent.
    pub blind: Vec<Lack>,
}

impl SessionReport {
    /// Takes out what users, models and tools wrote; names of files, folders, tools and models stay.
    pub fn leave_out_texts(&mut self) {
        self.session.title = None;
        for found in &mut self.loops {
            found.message.clear();
            found.evidence.clear();
        }
    }
}

/// Numbers that a total has the sums of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Everything that happened.
    pub events: u64,
    /// Tool calls.
    pub calls: u64,
    /// Requests to the model.
    pub turns: u64,
    /// Commands that were run.
    pub commands: u64,
    /// Terminals that the selector opens for them.
    pub terminals_needed: u64,
    /// Commands that run in a terminal that is already open.
    pub terminals_reusable: u64,
    /// Lines of subagents, which are conversations of their own and not judged here.
    pub left_out: u64,
    /// Lines or elements that could not be read.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unread: u64,
    /// Records that another session, which did what they say, has as well; they count there.
    #[serde(default, skip_serializing_if = "is_none")]
    pub copied: u64,
}

/// Estimated tokens of the texts in the file, by what they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TokenKinds {
    /// System prompts, and what the host said.
    pub system: u64,
    /// Blocks of environment.
    pub environment: u64,
    /// Words of the user.
    pub user: u64,
    /// Assistant text.
    pub text: u64,
    /// A model's thinking.
    pub reasoning: u64,
    /// Tool calls.
    pub calls: u64,
    /// Results of tools.
    pub results: u64,
    /// All together.
    pub total: u64,
}

names! {
    /// The kinds of texts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    TokenKind {
        /// System prompts, and what the host said.
        System,
        /// Blocks of environment.
        Environment,
        /// Words of the user.
        User,
        /// Assistant text.
        Text,
        /// A model's thinking.
        Reasoning,
        /// Tool calls.
        Calls,
        /// Results of tools.
        Results,
    }
}

impl TokenKinds {
    /// Those of each kind.
    pub fn each(&self) -> [(TokenKind, u64); TokenKind::ALL.len()] {
        [
            (TokenKind::System, self.system),
            (TokenKind::Environment, self.environment),
            (TokenKind::User, self.user),
            (TokenKind::Text, self.text),
            (TokenKind::Reasoning, self.reasoning),
            (TokenKind::Calls, self.calls),
            (TokenKind::Results, self.results),
        ]
    }
}

/// All sessions together: sums, but for the first fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Total {
    /// All of them.
    pub sessions: u64,
    /// Sessions whose tokens are estimated, in part at least.
    pub sessions_estimated: u64,
    /// Loops that were stopped.
    pub stops: u64,
    /// Loops that were only nudged.
    pub nudges: u64,
    /// Sessions with a loop that was stopped.
    pub sessions_with_stops: u64,
    /// Sums.
    #[serde(flatten)]
    pub counts: Counts,
    /// The usage of requests to models.
    pub usage: Usage,
    /// The part that could have been saved.
    pub saveable: Saveable,
    /// Estimated tokens of the texts.
    pub tokens: TokenKinds,
}

/// Sums by a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Grouped {
    /// The kind of groups.
    pub by: By,
    /// Days, weeks and months in their order, all others by their dollars, the dearest first.
    pub rows: Vec<Group>,
}

names! {
    /// The kind of groups.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(test, derive(schemars::JsonSchema))]
    #[serde(rename_all = "lowercase")]
    By {
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
}

/// The sums of a group. Those of all groups are the total's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The usage that is not in the dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpriced: Option<Unpriced>,
}

/// A file that is no session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Skipped {
    /// As it was named.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// Input that could not be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Problem {
    /// As it was named.
    pub file: String,
    /// Counts from 1; left out if the whole file is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Why.
    pub reason: String,
}

/// A loop, from the first of its calls to the last at which it was found again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Loop {
    /// The strongest verdict that it got.
    pub action: Action,
    /// The way in which it is stuck.
    #[serde(rename = "type")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub loop_type: LoopType,
    /// The rule that found it.
    pub rule: String,
    /// The tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Whose text repeats, if no calls do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub channel: Option<Channel>,
    /// The first of the calls that repeat, from 0 over the session; for a loop in text, the call before it, if any.
    pub first_call: Option<u64>,
    /// The last of them.
    pub last_call: Option<u64>,
    /// The line or element of the file where it was found first.
    pub place: u32,
    /// The number of times that it had repeated when it was found last.
    pub count: u64,
    /// Why, in a sentence.
    pub message: String,
    /// An excerpt of what repeats.
    pub evidence: String,
}

/// The verdict on a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The model was to be told.
    Nudge,
    /// The model was to be stopped.
    Stop,
}

impl Action {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nudge => "nudge",
            Self::Stop => "stop",
        }
    }
}

/// The usage of requests to models.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Requests that were answered.
    pub requests: u64,
    /// Tokens that were sent and neither read from a prompt cache nor kept in one.
    pub input: u64,
    /// Tokens that were read from a prompt cache.
    pub cache_read: u64,
    /// Tokens that were sent and kept in a prompt cache.
    pub cache_write: u64,
    /// Tokens that the models wrote, thinking included.
    pub output: u64,
    /// All four together.
    pub tokens: u64,
    /// In US dollars: as the agent recorded it, else by the list of prices; left out if neither is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Whether tokens are estimated from the texts, all or in part, where a file does not record them.
    pub is_estimated: bool,
    /// Whether the dollars are the price of tokens that are estimated, all or in part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cost_estimated: bool,
    /// The usage that is not in the dollars, since its price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpriced: Option<Unpriced>,
}

/// The usage without a price.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unpriced {
    /// Requests that were answered.
    pub requests: u64,
    /// Their tokens.
    pub tokens: u64,
    /// The models that answered them, in alphabetical order; some answers may name none. A model whose price is known but
    /// for a part has the name of that part after it: the tier, `cache` or `long requests`.
    pub models: Vec<String>,
}

/// The part that could have been saved, by where it went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Saveable {
    /// Estimated tokens that `turnkeeper repair --economy resume` removes from the history.
    pub tokens: u64,
    /// The cost of all of the following, in US dollars, and no more than the session did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// The cost of loops.
    pub loops: LoopCost,
    /// The part of the history that newer messages say better.
    pub outdated: Outdated,
    /// Reads again after compactions.
    pub rereads: Rereads,
    /// Tokens that were paid for again after pauses.
    pub pauses: Pauses,
}

/// The cost of loops after the model should have been told of them: from the first verdict on a loop to the last one
/// on it. A host that nudges at once, and whose model heeds it, saves this, and nothing before or after.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopCost {
    /// Tool calls.
    pub calls: u64,
    /// Requests to the model.
    pub requests: u64,
    /// Of these requests, as recorded, else estimated.
    pub tokens: u64,
    /// In US dollars; left out where nothing is recorded and no prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// The part of a history that newer messages say better: `turnkeeper repair --economy resume` removes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Outdated {
    /// In the history, in estimated tokens.
    pub tokens: u64,
    /// The same, times the requests that sent them.
    pub tokens_sent: u64,
    /// The cost of these, in US dollars; left out where no prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// By what it is.
    pub kinds: OutdatedKinds,
}

/// The outdated items, by their kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OutdatedKinds {
    /// Blocks of environment that their message has twice.
    pub duplicate: OutdatedItems,
    /// Blocks of environment that a newer message replaces.
    pub environment: OutdatedItems,
    /// Older copies of files.
    pub file: OutdatedItems,
}

/// Things of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OutdatedItems {
    /// Their number.
    pub items: u64,
    /// Their estimated tokens.
    pub tokens: u64,
}

/// Reads and commands after a compaction whose result had been there before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rereads {
    /// Compactions of the history.
    pub compactions: u64,
    /// The reads and commands.
    pub calls: u64,
    /// Of their results, estimated.
    pub tokens: u64,
    /// The same, times the requests that sent them.
    pub tokens_sent: u64,
    /// The cost of these, in US dollars; left out where no prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// Requests that came after the prompt cache's lifetime, and paid for the whole context again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pauses {
    /// Their number.
    pub requests: u64,
    /// Tokens that were paid for again.
    pub tokens: u64,
    /// Their cost beyond that of reading them from the cache; left out where no prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// Something that the events of a session may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lack {
    /// Calls, of which there are results.
    Calls,
    /// The arguments of calls.
    Arguments,
    /// The results of calls.
    Results,
    /// Where prompts begin.
    Prompts,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it; in Wasm it is larger than a reference"
)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl OutdatedKinds {
    /// All items.
    pub fn items(&self) -> u64 {
        self.duplicate.items + self.environment.items + self.file.items
    }
}
