//! The words of reports and pictures, in each language that they have.

use serde::Serialize;
use turnkeeper_base::names;

use crate::audit_words::{
    Advice, Today, cost_in_words, day_of, facts_of, finding_advice, finding_place, finding_title,
    headline, in_dollars, left_out_note, rounded, saved_in_words, unpriced_note, where_of,
};
use crate::findings::Finding;
use crate::quoting::Shell;
use crate::report::{
    Action, Loop, PriceList, Saveable, SessionReport, TOKENS_ESTIMATED, TokenKind, Total, Usage,
};
use crate::tools::CallKind;
use crate::wording::{call_number, grouped, plural};

/// The words of one language.
#[derive(Debug)]
pub struct Words {
    /// Its name in HTML.
    pub language: &'static str,
    /// A number.
    pub count: fn(u64) -> String,
    /// An amount of US dollars, and whether it is estimated.
    pub dollars: fn(f64, bool) -> String,
    /// A cost, or else the tokens.
    pub cost: fn(&Usage) -> String,
    /// An estimated number in its first two digits.
    pub about: fn(u64) -> String,
    /// What could have been saved, and of what.
    pub saved: fn(&Usage, &Saveable) -> Option<String>,
    /// The day of a time in ISO 8601.
    pub day: fn(&str, &Today) -> String,
    /// The title of a report, by the number of its sessions.
    pub title: fn(u64) -> String,
    /// All that was spent in a period, and how much of it could have been saved.
    pub headline: fn(&Total, &str) -> String,
    /// Sentences on what is not in the sums.
    pub notes: fn(&Total) -> Vec<String>,
    /// The table of prices.
    pub prices: fn(&PriceList) -> String,
    /// Facts of a session that its figures do not show.
    pub facts: fn(&SessionReport) -> Vec<String>,
    /// The heading of findings.
    pub findings: &'static str,
    /// A finding in a few words.
    pub finding_title: fn(&Finding) -> String,
    /// The place that most of it came from.
    pub finding_place: fn(&Finding) -> String,
    /// Something to do about it.
    pub finding_advice: fn(&Finding, Shell) -> Advice,
    /// The heading of the table of sessions.
    pub sessions: &'static str,
    /// The heading of a column.
    pub column: fn(Column) -> &'static str,
    /// A call by its kind.
    pub call: fn(CallKind) -> &'static str,
    /// A kind of tokens.
    pub tokens: fn(TokenKind) -> &'static str,
    /// The title of the picture of tokens.
    pub tokens_by_kind: &'static str,
    /// The origin of estimated tokens.
    pub estimated: &'static str,
    /// The rules that judged.
    pub profile: &'static str,
    /// The meaning of the stripes of a timeline, and of what is below them.
    pub stripes: &'static str,
    /// See `stripes`.
    pub loops_below: &'static str,
    /// A verdict.
    pub action: fn(Action) -> &'static str,
    /// A timeline in words.
    pub timeline_of: fn(&SessionReport) -> String,
    /// Calls that do the same.
    pub stretch: fn(u64, u64, &str) -> String,
    /// A loop's place.
    pub where_of: fn(&Loop) -> String,
    /// The name of a figure.
    pub figure: fn(Figure) -> &'static str,
    /// The heading of files that could not be read.
    pub unread: &'static str,
    /// The heading of files that are no sessions.
    pub skipped: &'static str,
    /// The beginning of the place of a problem, before a line's number.
    pub line: &'static str,
}

names! {
    /// A column of the table of sessions, as they stand on a terminal.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[expect(missing_docs, reason = "their headings say what they are")]
    Column {
        Session,
        Agent,
        Project,
        When,
        Calls,
        Cost,
        ToSave,
        Outdated,
        Loops,
    }
}

/// A number of a session, or of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say what they are")]
pub enum Figure {
    Cost,
    ToSave,
    Loops,
    Calls,
    Sent,
    Cached,
    Written,
    Outdated,
    Rereads,
    Pauses,
    Terminals,
}

/// The words in English.
pub static ENGLISH: Words = Words {
    language: "en",
    count: grouped,
    dollars: in_dollars,
    cost: cost_in_words,
    about: |count| format!("about {}", rounded(count)),
    saved: saved_in_words,
    day: day_of,
    title: |sessions| format!("What {} cost", plural(sessions, "saved session")),
    headline,
    notes: |total| {
        let notes = [unpriced_note(&total.usage), left_out_note(total)];
        notes.into_iter().flatten().collect()
    },
    prices: |prices| format!("Prices of {} from {}", prices.date, prices.source),
    facts: facts_of,
    findings: "What it went on",
    finding_title,
    finding_place,
    finding_advice,
    sessions: "Sessions, the most wasteful first",
    column: |column| match column {
        Column::Session => "session",
        Column::Agent => "agent",
        Column::Project => "project",
        Column::When => "when",
        Column::Calls => "calls",
        Column::Cost => "cost",
        Column::ToSave => "to save",
        Column::Outdated => "outdated tokens",
        Column::Loops => "loops",
    },
    call: |kind| match kind {
        CallKind::Read => "reads",
        CallKind::Search => "searches",
        CallKind::Edit => "edits",
        CallKind::Run => "runs a command",
        CallKind::Browse => "browses",
        CallKind::Ask => "asks or tells the user",
        CallKind::Other => "other",
    },
    tokens: |kind| match kind {
        TokenKind::System => "system and host",
        TokenKind::Environment => "environment",
        TokenKind::User => "user",
        TokenKind::Text => "assistant text",
        TokenKind::Reasoning => "reasoning",
        TokenKind::Calls => "tool calls",
        TokenKind::Results => "tool results",
    },
    tokens_by_kind: "Tokens by kind",
    estimated: TOKENS_ESTIMATED,
    profile: "Loops by the profile",
    stripes: "Each call is a stripe",
    loops_below: "loops below",
    action: |action| match action {
        Action::Nudge => "nudge",
        Action::Stop => "stop",
    },
    timeline_of: |session| {
        let loops = match session.loops.len() {
            0 => "no loop".to_owned(),
            loops => plural(loops as u64, "loop"),
        };
        format!(
            "Timeline of {}; {loops}",
            plural(session.counts.calls, "call")
        )
    },
    stretch: |first, last, what| match first == last {
        true => format!("call {}: {what}", call_number(first)),
        false => {
            let [first, last] = [first, last].map(call_number);
            format!("calls {first} to {last}: {what}")
        }
    },
    where_of,
    figure: |figure| match figure {
        Figure::Cost => "cost",
        Figure::ToSave => "could be saved",
        Figure::Loops => "loops",
        Figure::Calls => "tool calls",
        Figure::Sent => "tokens sent",
        Figure::Cached => "of them from the cache",
        Figure::Written => "tokens written",
        Figure::Outdated => "outdated tokens",
        Figure::Rereads => "calls repeated after a compaction",
        Figure::Pauses => "requests after the cache's lifetime",
        Figure::Terminals => "commands that could run in an open terminal",
    },
    unread: "Not read",
    skipped: "Skipped: no sessions",
    line: "line",
};
