//! A session that was looked at, and its report.

use jiff::Timestamp;
use turnkeeper_agents::sessions::Format;

use super::facts::SessionFacts;
use super::loops::{LoopList, cost_of};
use super::marks::{Mark, Marks};
use super::pauses::pauses_in;
use super::prices::{Service, TokenPrices, in_millionths};
use super::report::{
    Counts, Outdated, Saveable, SessionInfo, SessionReport, TokenKinds, Unpriced, Usage,
};
use super::requests::{Estimate, Request};
use super::rereads::RereadList;
use super::saveable::{PerToken, Wastes};
use super::session::{AuditSettings, SessionAudit};
use super::timeline::Stretch;
use super::usage::{Answer, Models, UsageCount, note_model, usage_of};

/// A session that was looked at.
#[derive(Debug, Clone)]
pub struct AuditedSession {
    /// Its report. [`sum`](super::sum::sum) leaves in it what the session did itself.
    pub report: SessionReport,
    /// Its calls, for a picture.
    pub timeline: Vec<Stretch>,
    /// When its file was written last, in milliseconds since 1970, for a session without times.
    pub written: Option<f64>,
    /// When its first record was written, and its last one.
    pub(crate) began: Option<f64>,
    pub(crate) span: Option<(f64, f64)>,
    pub(crate) answers: Vec<Answer>,
    /// Whether each of the answers counts.
    pub(crate) is_counted: Vec<bool>,
    pub(crate) models: Models,
    pub(crate) marks: Marks,
    loops: LoopList,
    rereads: RereadList,
    outdated: Outdated,
    requests: Vec<Request>,
    /// The prices of its model, where nothing is said of a request.
    prices: Option<TokenPrices>,
    unread: u64,
}

impl AuditedSession {
    pub(crate) fn of(audit: SessionAudit, format: Format) -> Self {
        let SessionAudit {
            settings,
            file,
            facts,
            usage,
            player,
            ..
        } = audit;
        let mut session = Self {
            marks: audit.marks,
            loops: audit.loops,
            rereads: audit.rereads.end(),
            outdated: audit.outdated.end().unwrap_or_default(),
            requests: audit.requests.list,
            unread: audit.unread,
            ..Self::of_usage(file, facts, usage, &settings, format)
        };
        session.report.blind = player.end().blind;
        session.count(&|_| true, &|_| true);
        session.timeline = audit.timeline.stretches(&session.report.loops);
        session
    }

    /// A session of which the usage alone is known; nothing has been counted.
    pub(crate) fn of_usage(
        file: String,
        facts: SessionFacts,
        usage: UsageCount,
        settings: &AuditSettings,
        format: Format,
    ) -> Self {
        let model = facts.model.as_deref().or(settings.model.as_deref());
        let prices = settings.prices.of(model, Service::default());
        Self {
            report: SessionReport {
                session: SessionInfo {
                    file,
                    id: None,
                    format,
                    agent: format.agent().map(|agent| agent.name().to_owned()),
                    title: facts.title.or(facts.first_words),
                    project: facts.working_directory,
                    model: facts.model,
                    started: facts.span.map(|(first, _)| iso_time(first)),
                    ended: facts.span.map(|(_, last)| iso_time(last)),
                },
                profile: settings.rules.profile(),
                counts: Counts::default(),
                loops: Vec::new(),
                usage: Usage::default(),
                saveable: Saveable::default(),
                tokens: TokenKinds::default(),
                blind: Vec::new(),
            },
            timeline: Vec::new(),
            written: None,
            began: facts.began,
            span: facts.span,
            is_counted: vec![true; usage.answers.len()],
            answers: usage.answers,
            models: usage.models,
            marks: Marks::default(),
            loops: LoopList::default(),
            rereads: RereadList::default(),
            outdated: Outdated::default(),
            requests: Vec::new(),
            prices: prices.as_ref().and_then(|prices| prices.at(0)).copied(),
            unread: 0,
        }
    }

    /// When it began, as far as that is known, in milliseconds since 1970; and when it ended.
    pub fn times(&self) -> (Option<f64>, Option<f64>) {
        match self.span {
            Some((first, last)) => (Some(first), Some(last)),
            None => (self.written, self.written),
        }
    }

    /// Writes into the report the session's own work: the records that are its own, and answers that
    /// count.
    pub(crate) fn count(
        &mut self,
        is_own: &dyn Fn(Mark) -> bool,
        counts: &dyn Fn(&Answer) -> bool,
    ) {
        self.is_counted = self.answers.iter().map(counts).collect();
        let (mut sums, sizes) = self.marks.own(is_own);
        sums.unread = self.unread;
        let (loops, late) = self.loops.own(is_own);
        let usage = self.usage(is_own);
        let prices = self.prices.as_ref();
        let own = self.counted().map(|(_, answer)| answer);
        let recorded = usage_of(own, &self.models);
        let has_tokens = recorded
            .as_ref()
            .is_some_and(|recorded| recorded.tokens > 0);
        let of_session = self
            .counted()
            .any(|(_, answer)| answer.is_sum && answer.recorded_dollars.is_some());
        let per_token = usage.dollars.filter(|_| of_session && usage.tokens > 0);
        let per_token = per_token.map(|dollars| dollars / usage.tokens as f64);
        let wastes = Wastes {
            loops: cost_of(
                late,
                has_tokens || recorded.is_some() && per_token.is_none(),
                per_token,
                prices,
            ),
            outdated: self.outdated(is_own),
            rereads: self.rereads.own(is_own),
            pauses: pauses_in(&self.answers, &self.models, prices.is_some(), |at| {
                self.is_counted[at]
            }),
        };
        let price = match !usage.is_estimated && usage.tokens > usage.output {
            true => PerToken::mean(self.counted().map(|(_, answer)| answer), &self.models),
            false => self.prices.map(PerToken::Cached),
        };
        let report = &mut self.report;
        report.counts = sums;
        report.tokens = sizes.tokens();
        report.loops = loops;
        report.saveable = wastes.saveable(&usage, price);
        report.usage = usage;
    }

    /// The answers that count, each with its place.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (usize, &Answer)> {
        let answers = self.answers.iter().enumerate();
        answers.filter(|(at, _)| self.is_counted[*at])
    }

    fn usage(&self, is_own: &dyn Fn(Mark) -> bool) -> Usage {
        let recorded = usage_of(self.counted().map(|(_, answer)| answer), &self.models);
        let own = self.requests.iter().filter(|request| is_own(request.mark));
        match recorded {
            Some(recorded) if recorded.tokens > 0 => {
                // Sums do not say how many requests they are of.
                let are_sums = self.counted().all(|(_, answer)| answer.is_sum);
                let requests = match are_sums {
                    true => own.count() as u64,
                    false => recorded.requests,
                };
                Usage {
                    requests,
                    ..recorded
                }
            }
            // Some files record the money alone.
            Some(recorded) => Usage {
                dollars: recorded.dollars,
                is_cost_estimated: false,
                unpriced: None,
                ..self.estimated(own)
            },
            // Its answers are another session's, or of another time; nothing is to be estimated.
            None if usage_of(self.answers.iter(), &self.models).is_some() => Usage {
                dollars: Some(0.0),
                ..Usage::default()
            },
            None => self.estimated(own),
        }
    }

    /// The usage of these requests, as far as the texts tell. What is sent is written into the prompt cache once, and read
    /// from it with each later request.
    fn estimated<'a>(&self, requests: impl Iterator<Item = &'a Request>) -> Usage {
        let mut sum = Estimate::default();
        let mut count = 0;
        for request in requests {
            sum.add(request.estimate);
            count += 1;
        }
        let cost = self.prices.map(|prices| prices.cost_of_estimate(&sum));
        let dollars = cost.map(|cost| in_millionths(cost.dollars.unwrap_or(0.0)));
        let tokens = cost.map_or(sum.all(), |cost| cost.unpriced);
        let unpriced = (tokens > 0).then(|| {
            let mut models = Vec::new();
            let name = self.report.session.model.as_deref();
            let name = name.map(|name| match cost {
                Some(_) => format!("{name}: cache"),
                None => name.to_owned(),
            });
            note_model(&mut models, name.as_deref());
            Unpriced {
                requests: count,
                tokens,
                models,
            }
        });
        Usage {
            requests: count,
            input: 0,
            cache_read: sum.again,
            cache_write: sum.sent,
            output: sum.written,
            tokens: sum.all(),
            dollars,
            is_estimated: true,
            is_cost_estimated: dollars.is_some(),
            unpriced,
        }
    }

    /// The outdated part of the history, as far as the session's own requests sent it. Of a history that is longer than a
    /// request can be a part of it was sent, the same of everything.
    fn outdated(&self, is_own: &dyn Fn(Mark) -> bool) -> Outdated {
        let own = self.requests.iter().filter(|request| is_own(request.mark));
        let (mut count, mut sent, mut history) = (0_u64, 0_u64, 0_u64);
        for Request {
            estimate,
            history: before,
            ..
        } in own
        {
            count += 1;
            sent = sent.saturating_add(estimate.sent.saturating_add(estimate.again));
            history = history.saturating_add(*before);
        }
        let all = self.requests.len() as u64;
        let mut own_sent = self.outdated.tokens_sent;
        for (part, whole) in [(count, all), (sent, history)] {
            if part < whole {
                own_sent = (own_sent as f64 * part as f64 / whole as f64).round() as u64;
            }
        }
        Outdated {
            tokens_sent: own_sent,
            ..self.outdated.clone()
        }
    }
}

/// A time in milliseconds since 1970 as JavaScript writes it; one of another age is that of the last day that has a name,
/// or the first.
pub fn iso_time(milliseconds: f64) -> String {
    // A cast of a number that is too large gives the largest.
    let time = Timestamp::from_millisecond(milliseconds as i64);
    let time = time.unwrap_or(match milliseconds > 0.0 {
        true => Timestamp::MAX,
        false => Timestamp::MIN,
    });
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_javascript_writes_them() {
        for (time, expected) in [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999.9, "2000-02-29T23:59:59.999Z"),
            (1_795_766_399_123.0, "2026-11-27T07:59:59.123Z"),
            (4_107_542_400_000.0, "2100-03-01T00:00:00.000Z"),
            (1_709_251_199_000.0, "2024-02-29T23:59:59.000Z"),
        ] {
            assert_eq!(iso_time(time), expected);
        }
    }
}
