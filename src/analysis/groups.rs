//! The sums of an audit by day, week, month, model, project or agent.

use jiff::Span;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::audited::AuditedSession;
use super::parts::{AddPart, wholes};
use super::prices::Tokens;
use super::report::{By, Group, Grouped, Unpriced, Usage};
use super::usage::{Answer, note_unpriced};

/// The sums of sessions by a group. `day_of` says on which day a time is, in milliseconds since 1970, by the user's
/// clock.
pub fn grouped(sessions: &[AuditedSession], by: By, day_of: &dyn Fn(f64) -> Date) -> Grouped {
    let mut groups: FxHashMap<Option<String>, Sum> = FxHashMap::default();
    for session in sessions {
        for (key, part) in parts_of(session, by, day_of) {
            groups.entry(key).or_default().add(&part);
        }
    }
    let mut rows: Vec<Group> = groups
        .into_iter()
        .map(|(key, sum)| sum.group(key))
        .collect();
    let is_of_time = matches!(by, By::Day | By::Week | By::Month);
    rows.sort_by(|a, b| {
        let by_key = || {
            a.key
                .is_none()
                .cmp(&b.key.is_none())
                .then_with(|| a.key.cmp(&b.key))
        };
        let [dear, cheap] = [b, a].map(|row| row.dollars.unwrap_or(0.0));
        match is_of_time {
            true => by_key(),
            false => dear
                .total_cmp(&cheap)
                .then(b.tokens.cmp(&a.tokens))
                .then_with(by_key),
        }
    });
    Grouped { by, rows }
}

/// A part of a session, in millionths of dollars.
#[derive(Debug, Clone, Default)]
struct Part {
    requests: u64,
    tokens: Tokens,
    dollars: Option<i64>,
    saveable: Option<i64>,
    is_estimated: bool,
    unpriced: Option<Unpriced>,
}

wholes! {
    Part { requests tokens dollars saveable is_estimated unpriced }
    Tokens { input cache_read cache_write output }
}

#[derive(Debug, Default)]
struct Sum {
    sessions: u64,
    part: Part,
}

impl Sum {
    fn add(&mut self, part: &Part) {
        self.sessions += 1;
        self.part.add(part);
    }

    fn group(self, key: Option<String>) -> Group {
        let Part {
            requests,
            tokens,
            dollars,
            saveable,
            is_estimated,
            unpriced,
        } = self.part;
        Group {
            key,
            sessions: self.sessions,
            requests,
            input: tokens.input,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            output: tokens.output,
            tokens: tokens.all(),
            dollars: dollars.map(|it| it as f64 / 1e6),
            saveable: saveable.map(|it| it as f64 / 1e6),
            is_estimated,
            unpriced,
        }
    }
}

/// A session's parts by their groups. Together they are what its report says.
fn parts_of(
    session: &AuditedSession,
    by: By,
    day_of: &dyn Fn(f64) -> Date,
) -> Vec<(Option<String>, Part)> {
    let report = &session.report;
    let of_time = |time: Option<f64>| time.map(|time| name_of(day_of(time), by));
    let began = session.times().0;
    let own_key = match by {
        By::Project => report.session.project.clone(),
        By::Agent => Some(report.session.agent_or_format().to_owned()),
        By::Model => report.session.model.clone(),
        By::Day | By::Week | By::Month => of_time(began),
    };
    let mut parts: Vec<(Option<String>, Part)> = Vec::new();
    let mut places: FxHashMap<Option<String>, usize> = FxHashMap::default();
    let mut part_at = |key: Option<String>, parts: &mut Vec<(Option<String>, Part)>| {
        *places.entry(key).or_insert_with_key(|key| {
            parts.push((key.clone(), Part::default()));
            parts.len() - 1
        })
    };
    for (_, answer) in session.counted() {
        let key = match by {
            By::Project | By::Agent => own_key.clone(),
            By::Model => session
                .models
                .name(answer.model)
                .map(str::to_owned)
                .or_else(|| own_key.clone()),
            By::Day | By::Week | By::Month => of_time(answer.time.or(began)),
        };
        let at = part_at(key, &mut parts);
        take_answer(&mut parts[at].1, session, answer);
    }
    let own = part_at(own_key, &mut parts);
    take_rest(&mut parts, own, &report.usage);
    let counted: i64 = parts.iter().filter_map(|(_, part)| part.dollars).sum();
    // Each part is rounded for itself.
    let of_all = report.usage.dollars.map_or(0, millionths);
    let are_all =
        (counted - of_all).unsigned_abs() <= parts.len() as u64 + session.answers.len() as u64;
    let dollars = report.usage.dollars;
    spread(&mut parts, own, dollars, are_all, |part| &mut part.dollars);
    let saveable = report.saveable.dollars;
    spread(&mut parts, own, saveable, true, |part| &mut part.saveable);
    parts.retain(|(_, part)| parts_worth(part) || report.usage.tokens == 0);
    parts
}

/// Whether there is anything in a part.
fn parts_worth(part: &Part) -> bool {
    let dollars = part.dollars.unwrap_or(0) != 0 || part.saveable.unwrap_or(0) != 0;
    part.requests > 0 || part.tokens.all() > 0 || dollars
}

fn take_answer(part: &mut Part, session: &AuditedSession, answer: &Answer) {
    let tokens = answer.all_tokens();
    let requests = u64::from(!answer.is_sum);
    part.requests += requests;
    part.tokens.add(&tokens);
    part.is_estimated |= answer.sent.is_some();
    let cost = answer.cost(&session.models);
    if cost.unpriced > 0 && session.report.usage.unpriced.is_some() {
        let unpriced = part.unpriced.get_or_insert_default();
        note_unpriced(unpriced, answer, cost.unpriced, &session.models);
    }
    // A record of the whole session is spread over all of it.
    if !(answer.is_sum && answer.recorded_dollars.is_some()) {
        part.dollars.add(&cost.dollars.map(millionths));
    }
}

/// Adds what the report has and no answer says to the part of the session as a whole.
fn take_rest(parts: &mut [(Option<String>, Part)], own: usize, usage: &Usage) {
    let requests: u64 = parts.iter().map(|(_, part)| part.requests).sum();
    let mut tokens = Tokens::default();
    parts.iter().for_each(|(_, part)| tokens.add(&part.tokens));
    let part = &mut parts[own].1;
    part.requests += usage.requests.saturating_sub(requests);
    let is_estimated = usage.is_estimated && usage.tokens > tokens.all();
    let rest = Tokens {
        input: usage.input.saturating_sub(tokens.input),
        cache_read: usage.cache_read.saturating_sub(tokens.cache_read),
        cache_write: usage.cache_write.saturating_sub(tokens.cache_write),
        cache_write_hour: 0,
        output: usage.output.saturating_sub(tokens.output),
    };
    part.tokens.add(&rest);
    part.is_estimated |= is_estimated;
    if let Some(unpriced) = usage.unpriced.as_ref().filter(|_| is_estimated) {
        part.unpriced = Some(unpriced.clone());
    }
}

/// Spreads a sum of dollars over parts as their own dollars are, if these are all of it, or else their tokens.
fn spread(
    parts: &mut [(Option<String>, Part)],
    own: usize,
    sum: Option<f64>,
    are_all: bool,
    field: fn(&mut Part) -> &mut Option<i64>,
) {
    let Some(sum) = sum.map(millionths) else {
        parts.iter_mut().for_each(|(_, part)| *field(part) = None);
        return;
    };
    let dollars = parts
        .iter()
        .map(|(_, part)| part.dollars.unwrap_or(0) as f64);
    let dollars: Vec<f64> = dollars.collect();
    let tokens = parts.iter().map(|(_, part)| part.tokens.all() as f64);
    let weights = match are_all && dollars.iter().any(|it| *it > 0.0) {
        true => dollars,
        false => tokens.collect(),
    };
    let all: f64 = weights.iter().sum();
    let mut rest = sum;
    for ((_, part), weight) in parts.iter_mut().zip(&weights) {
        let share = (sum as f64 * weight / all.max(1.0)).floor() as i64;
        *field(part) = (*weight > 0.0).then_some(share);
        rest -= share;
    }
    // The rest that rounding leaves goes where most is.
    let most = (0..parts.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b]));
    let most = most.filter(|_| all > 0.0).unwrap_or(own);
    field(&mut parts[most].1).add(&Some(rest));
}

fn millionths(dollars: f64) -> i64 {
    (dollars * 1e6).round() as i64
}

/// The name of the group that a day is in.
fn name_of(day: Date, by: By) -> String {
    let since_monday = i64::from(day.weekday().to_monday_zero_offset());
    match by {
        By::Week => day
            .saturating_sub(Span::new().days(since_monday))
            .to_string(),
        By::Month => day.strftime("%Y-%m").to_string(),
        _ => day.to_string(),
    }
}
