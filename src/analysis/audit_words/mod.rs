//! The words for what an audit found, in English: the same on the screen, in the report and on the page.

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use turnkeeper_agents::Agent;
use turnkeeper_loop_detector::Channel;

use crate::agents::agent_title;
use crate::findings::{Finding, Waste};
use crate::quoting::Shell;
use crate::report::{Loop, Saveable, SessionReport, Total, Usage};
use crate::wording::{call_number, fixed, grouped, lacks, plural, plural_of};

/// An amount of US dollars as people read it; `~` before one that is estimated.
pub fn in_dollars(amount: f64, is_estimated: bool) -> String {
    let mark = mark(is_estimated);
    if amount > 0.0 && amount < 0.01 {
        format!("{mark}under $0.01")
    } else {
        format!("{mark}${}", fixed(amount, 2))
    }
}

/// The sign of what is estimated.
pub fn mark(is_estimated: bool) -> &'static str {
    if is_estimated { "~" } else { "" }
}

/// The cost of a usage with the tokens that have no price, or else all of its tokens.
pub fn cost_in_words(usage: &Usage) -> String {
    let tokens = |count| format!("{}{} tokens", mark(usage.is_estimated), in_thousands(count));
    let Some(dollars) = usage.dollars else {
        return tokens(usage.tokens);
    };
    let cost = in_dollars(dollars, usage.is_cost_estimated);
    match usage.unpriced.as_ref().filter(|it| it.tokens > 0) {
        Some(unpriced) => format!("{cost} + {}", tokens(unpriced.tokens)),
        None => cost,
    }
}

/// A count in a few characters: 1,234, 12.3k, 4.5M.
pub fn in_thousands(count: u64) -> String {
    let value = count as f64;
    match count {
        0..10_000 => grouped(count),
        10_000..100_000 => format!("{}k", fixed(value / 1e3, 1)),
        100_000..1_000_000 => format!("{}k", fixed(value / 1e3, 0)),
        1_000_000..100_000_000 => format!("{}M", fixed(value / 1e6, 1)),
        100_000_000..1_000_000_000 => format!("{}M", fixed(value / 1e6, 0)),
        _ => format!("{}G", fixed(value / 1e9, 1)),
    }
}

/// What could have been saved of what was used: calls, money and its share, as in "9 calls, $0.04 of $0.07 (57 %)". Where
/// there is no price, or hardly any money, tokens stand for it. None if it is nothing.
pub fn saved_in_words(usage: &Usage, saveable: &Saveable) -> Option<String> {
    let saved = Saved::of(usage, saveable)?;
    let calls = match saveable.calls() {
        0 => String::new(),
        calls => format!("{}, ", plural(calls, "call")),
    };
    let amounts = match saved {
        Saved::Money { part, whole } => {
            let whole = in_dollars(whole, usage.is_cost_estimated);
            format!("{} of {whole}", in_dollars(part, false))
        }
        Saved::Tokens { part, whole } => {
            format!("about {} of {} tokens", rounded(part), rounded(whole))
        }
    };
    let share = saved.share().map(|share| format!(" ({share} %)"));
    Some(format!("{calls}{amounts}{}", share.unwrap_or_default()))
}

/// The part of a whole that could have been saved.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Saved {
    Money { part: f64, whole: f64 },
    Tokens { part: u64, whole: u64 },
}

impl Saved {
    /// None if nothing could have been saved.
    pub(crate) fn of(usage: &Usage, saveable: &Saveable) -> Option<Self> {
        let part = saveable.dollars.filter(|&part| part > 0.0);
        let whole = usage.dollars.filter(|&whole| whole >= 0.01);
        if let Some((part, whole)) = part.zip(whole) {
            return Some(Self::Money { part, whole });
        }
        let part = saveable.tokens_used(usage);
        let whole = usage.tokens;
        (part > 0).then_some(Self::Tokens { part, whole })
    }

    /// In percent; none if it is under one.
    pub(crate) fn share(self) -> Option<u64> {
        let (part, whole) = match self {
            Self::Money { part, whole } => (part, whole),
            Self::Tokens { part, whole } => (part as f64, whole as f64),
        };
        let share = (100.0 * part / whole).round();
        (share.is_finite() && share >= 1.0).then_some(share as u64)
    }
}

/// The first two digits of a number that is estimated: 1,200 and 52 million.
pub(crate) fn rounded(count: u64) -> String {
    let count = in_two_digits(count);
    let large = |value: f64, name| {
        format!(
            "{} {name}",
            fixed(value, usize::from(value < 10.0)).replace(".0", "")
        )
    };
    match count {
        0..1_000_000 => grouped(count),
        1_000_000..1_000_000_000 => large(count as f64 / 1e6, "million"),
        _ => large(count as f64 / 1e9, "billion"),
    }
}

/// A number with zeros after its first two digits.
pub(crate) fn in_two_digits(count: u64) -> u64 {
    let rest = 10_u64.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(1));
    count.saturating_add(rest / 2) / rest * rest
}

/// All that was spent, and how much of it could have been saved.
pub fn headline(total: &Total, period: &str) -> String {
    let Total {
        usage, saveable, ..
    } = total;
    let sessions = plural(total.sessions, "session");
    let unpriced = usage.unpriced.as_ref().filter(|it| it.tokens > 0);
    let unpriced = unpriced.filter(|_| usage.dollars.is_some());
    let saved =
        saved_in_words(usage, saveable).map(|saved| format!("{saved} could have been saved"));
    match (saved, Saved::of(usage, saveable), unpriced) {
        // The cost is in it.
        (Some(saved), Some(Saved::Money { .. }), None) => format!("{period}: {sessions}; {saved}"),
        (Some(saved), Some(Saved::Money { .. }), Some(unpriced)) => {
            let tokens = in_thousands(unpriced.tokens);
            format!("{period}: {sessions}; {saved}; {tokens} tokens have no price")
        }
        (saved, _, unpriced) => {
            let without = unpriced.map_or("", |_| " without a price");
            let saved = saved.map(|saved| format!("; {saved}")).unwrap_or_default();
            format!(
                "{period}: {sessions}, {}{without}{saved}",
                cost_in_words(usage)
            )
        }
    }
}

/// The part that a sum of dollars lacks, in a sentence that names the models; none if all is in it.
pub(crate) fn unpriced_note(usage: &Usage) -> Option<String> {
    let unpriced = usage.unpriced.as_ref().filter(|it| !it.models.is_empty())?;
    let models = &unpriced.models;
    let named = models.iter().take(NAMED_MODELS);
    let named: Vec<&str> = named.map(String::as_str).collect();
    let more = match models.len().saturating_sub(NAMED_MODELS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "Without a price: {}{more} ({}, {} tokens); --prices FILE gives them one.",
        named.join(", "),
        plural(unpriced.requests, "request"),
        in_thousands(unpriced.tokens)
    ))
}

const NAMED_MODELS: usize = 5;

/// The files that are not in the sums, or is in them once though it is there twice, in a sentence.
pub(crate) fn left_out_note(total: &Total) -> Option<String> {
    let counts = &total.counts;
    let said = [
        (
            counts.unread,
            "could not be read and is left out",
            "could not be read and are left out",
        ),
        (
            counts.copied,
            "is a copy of another session's and counts there",
            "are copies of another session's and count there",
        ),
    ];
    let parts = said.iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<String> = parts
        .map(|&(count, one, several)| {
            let what = if count == 1 { one } else { several };
            format!("{} {what}", plural(count, "record"))
        })
        .collect();
    (!parts.is_empty()).then(|| format!("{}.", parts.join("; ")))
}

/// A finding in a few words.
pub fn finding_title(finding: &Finding) -> String {
    let &Finding { count, tokens, .. } = finding;
    match finding.waste {
        Waste::Loops => format!(
            "loops: {}, {} tokens after the first nudges",
            plural(count, "loop"),
            in_thousands(tokens)
        ),
        Waste::Outdated => format!(
            "outdated context: {} that newer messages say better, {} in the histories",
            plural_of(count, "block or file", "blocks and files"),
            plural(tokens, "token")
        ),
        Waste::Rereads => format!(
            "read again after compactions: {} with the same result, {}",
            plural(count, "call"),
            plural(tokens, "token")
        ),
        Waste::Pauses => format!(
            "pauses longer than the cache lasts: {} paid for the whole context again",
            plural(count, "request")
        ),
    }
}

/// The place that most of it came from.
pub fn finding_place(finding: &Finding) -> String {
    let place = finding.project.map(project_name);
    let place = place.map(|project| format!(" in {project}"));
    format!(
        "most by {}{}",
        agent_title(finding.agent),
        place.unwrap_or_default()
    )
}

/// Something to do about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// In words.
    pub does: &'static str,
    /// A command that can be pasted; it begins with `turnkeeper`.
    pub command: Option<String>,
}

/// Something to do, as a command that can be pasted where there is one.
pub fn finding_advice(finding: &Finding, shell: Shell) -> Advice {
    let worst = finding.worst;
    let is_file = worst.session.file != "-";
    let file = shell.quoted(&worst.session.file);
    let installed = Agent::named(finding.agent).and_then(Agent::installed_as);
    if let (Waste::Loops | Waste::Rereads, Some(name)) = (finding.waste, installed) {
        return Advice {
            does: match finding.waste {
                Waste::Loops => "stop them",
                _ => "remind it of its work",
            },
            command: Some(format!("turnkeeper install {name}")),
        };
    }
    match finding.waste {
        Waste::Loops | Waste::Rereads => Advice {
            does: "look at it",
            command: is_file.then(|| format!("turnkeeper replay {file}")),
        },
        Waste::Outdated if is_file && is_worth_a_repair(worst) => Advice {
            does: "shorten the worst",
            command: Some(format!(
                "turnkeeper repair --economy resume --in-place {file}"
            )),
        },
        Waste::Outdated => Advice {
            does: "begin a new session where a task ends",
            command: None,
        },
        Waste::Pauses => Advice {
            does: "compact before a break, or begin a new session after it",
            command: None,
        },
    }
}

/// Estimated tokens that a repair has to save, and the share of the history that they have to be: the next request pays
/// the full price for all that stays.
const LEAST_SAVED: u64 = 1_000;
const LEAST_SHARE: f64 = 0.05;

/// Whether a session can be shortened, and gains by it.
fn is_worth_a_repair(session: &SessionReport) -> bool {
    let (saved, whole) = (session.saveable.tokens, session.tokens.total);
    let is_enough = saved >= LEAST_SAVED && saved as f64 >= LEAST_SHARE * whole as f64;
    is_enough && session.session.format.is_history() && session.session.id.is_none()
}

/// The name of a session: its title, else the end of its path, which says more than the beginning: the name of its file
/// and of the folder.
pub fn session_title(session: &SessionReport) -> &str {
    let file = &session.session.file;
    match &session.session.title {
        Some(title) => title,
        None if file == "-" => "standard input",
        None => {
            let mut slashes = file.rmatch_indices(['/', '\\']);
            slashes.nth(1).map_or(file, |(at, _)| &file[at + 1..])
        }
    }
}

/// The last name of a folder.
pub fn project_name(project: &str) -> &str {
    let mut names = project.split(['/', '\\']).filter(|it| !it.is_empty());
    names.next_back().unwrap_or(project)
}

/// A loop's place.
pub fn where_of(found: &Loop) -> String {
    let (first, last) = (found.first_call, found.last_call);
    let Some(channel) = found.channel else {
        let [first, last] = [first, last].map(|call| call_number(call.unwrap_or(0)));
        return format!("calls {first} to {last}");
    };
    let channel = match channel {
        Channel::Text => "text",
        Channel::Reasoning => "reasoning",
    };
    let after = match first {
        None => "before any call".to_owned(),
        Some(call) => format!("after call {}", call_number(call)),
    };
    format!(
        "{channel} {after} ({} of the file)",
        grouped(found.place.into())
    )
}

/// Facts of a session that its figures do not show.
pub fn facts_of(session: &SessionReport) -> Vec<String> {
    let counts = &session.counts;
    let said = [
        (counts.left_out, "line", "of subagents left out"),
        (counts.unread, "record", "could not be read"),
        (counts.copied, "record", "counted in another session"),
    ];
    let said = said.iter().filter(|(count, ..)| *count > 0);
    let mut facts: Vec<String> = said
        .map(|(count, one, what)| format!("{} {what}", plural(*count, one)))
        .collect();
    if !session.blind.is_empty() {
        facts.push(format!("without {}", lacks(&session.blind, " and ")));
    }
    facts
}

/// The user's clock.
#[derive(Debug, Clone)]
pub struct Today {
    zone: TimeZone,
    year: i16,
}

impl Today {
    /// The clock of a zone, at a time in milliseconds since 1970.
    pub fn new(now: f64, zone: TimeZone) -> Self {
        let now = Timestamp::from_millisecond(now as i64).unwrap_or_default();
        let year = zone.to_datetime(now).year();
        Self { zone, year }
    }

    /// The month, day and, if it is another one than this, year of a time in ISO 8601; none if it is no time.
    pub(crate) fn parts(&self, time: &str) -> Option<(usize, i8, Option<i16>)> {
        let time: Timestamp = time.parse().ok()?;
        let day = self.zone.to_datetime(time).date();
        let year = (day.year() != self.year).then_some(day.year());
        Some((day.month() as usize, day.day(), year))
    }
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A day as people write it, with the year if it is another one.
pub fn day_of(time: &str, today: &Today) -> String {
    let Some((month, day, year)) = today.parts(time) else {
        return "-".to_owned();
    };
    let month = MONTHS[month.clamp(1, 12) - 1];
    match year {
        Some(year) => format!("{month} {day}, {year}"),
        None => format!("{month} {day}"),
    }
}
