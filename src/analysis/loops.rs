//! The loops of a session: findings that belong together, and what went into them.

use super::marks::Mark;
use super::prices::{TokenPrices, in_millionths};
use super::report::{Action, Loop, LoopCost};
use super::requests::{Estimate, Requests};
use super::usage::SpentSoFar;
use super::verdict::Report;

/// Calls between two findings that still are one loop.
const APART: u64 = 3;

/// A part of a session.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) calls: u64,
    pub(crate) requests: u64,
    /// By the texts, estimated.
    pub(crate) estimate: Estimate,
    /// By the record.
    pub(crate) recorded: SpentSoFar,
}

impl Spent {
    /// From the beginning of the session.
    pub(crate) fn so_far(requests: &Requests, recorded: SpentSoFar) -> Self {
        Self {
            calls: requests.calls,
            requests: requests.list.len() as u64,
            estimate: requests.spent,
            recorded,
        }
    }

    fn less(self, other: Self) -> Self {
        Self {
            calls: self.calls - other.calls,
            requests: self.requests - other.requests,
            estimate: self.estimate.less(other.estimate),
            recorded: SpentSoFar {
                tokens: self.recorded.tokens.saturating_sub(other.recorded.tokens),
                dollars: self.recorded.dollars - other.recorded.dollars,
            },
        }
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.calls += more.calls;
        self.requests += more.requests;
        self.estimate.add(more.estimate);
        self.recorded.tokens = self.recorded.tokens.saturating_add(more.recorded.tokens);
        self.recorded.dollars += more.recorded.dollars;
    }
}

/// A verdict on a loop.
#[derive(Debug, Clone)]
pub(crate) struct LoopFinding {
    /// The place of the loop among the session's.
    at: usize,
    action: Action,
    mark: Mark,
    /// The cost of the loop since the verdict before, which was on the same loop.
    late: Spent,
}

/// The place of an event: its line or element, the call that it is or the last before it, from 0 over the session,
/// and the number of calls before the prompt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventPlace {
    pub(crate) line: u32,
    pub(crate) call: Option<u64>,
    pub(crate) before_prompt: u64,
    pub(crate) mark: Mark,
}

/// Puts findings of the same loop together.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoopList {
    pub(crate) loops: Vec<Loop>,
    found: Vec<LoopFinding>,
    /// The place of the loop under way at its last verdict; later calls are not known to be part of it.
    last_verdict: Option<Spent>,
}

impl LoopList {
    pub(crate) fn add(&mut self, action: Action, report: &Report, place: EventPlace, now: Spent) {
        let is_words = report.channel.is_some();
        let (first_call, last_call) = match is_words {
            true => (place.call, place.call),
            false => (
                Some(report.first_index + place.before_prompt),
                Some(report.last_index + place.before_prompt),
            ),
        };
        let begins_near = |last: &Loop| match (first_call, last.last_call) {
            (Some(first), Some(last)) => first <= last + APART,
            (Some(first), None) => first < APART,
            (None, _) => true,
        };
        let last = self.loops.last_mut().filter(|last| {
            last.loop_type == report.loop_type
                && last.tool == report.tool
                && last.channel == report.channel
                && begins_near(last)
        });
        let mut late = Spent::default();
        match last {
            Some(last) => {
                last.action = last.action.max(action);
                last.last_call = last_call;
                last.count = report.count.max(last.count + u64::from(!is_words));
                last.message.clone_from(&report.message);
                late = self
                    .last_verdict
                    .map(|before| now.less(before))
                    .unwrap_or_default();
            }
            None => self.loops.push(Loop {
                action,
                loop_type: report.loop_type,
                rule: report.rule.to_string(),
                tool: report.tool.clone(),
                channel: report.channel,
                first_call,
                last_call,
                place: place.line,
                count: report.count,
                message: report.message.clone(),
                evidence: report.evidence.clone(),
            }),
        }
        self.last_verdict = Some(now);
        self.found.push(LoopFinding {
            at: self.loops.len() - 1,
            action,
            mark: place.mark,
            late,
        });
    }

    /// The loops in records that are the session's own, each with the strongest verdict that it got there, and what
    /// went into them.
    pub(crate) fn own(&self, is_own: impl Fn(Mark) -> bool) -> (Vec<Loop>, Spent) {
        let mut strongest: Vec<Option<Action>> = vec![None; self.loops.len()];
        let mut late = Spent::default();
        for found in self.found.iter().filter(|found| is_own(found.mark)) {
            let action = &mut strongest[found.at];
            *action = (*action).max(Some(found.action));
            late.add(found.late);
        }
        let loops = self
            .loops
            .iter()
            .zip(strongest)
            .filter_map(|(each, action)| {
                let action = action?;
                Some(Loop {
                    action,
                    ..each.clone()
                })
            });
        (loops.collect(), late)
    }
}

/// The cost of what went into loops. `recorded` are the tokens and the dollars of the session's record.
pub(crate) fn cost_of(
    late: Spent,
    has_recorded_tokens: bool,
    dollars_per_token: Option<f64>,
    prices: Option<&TokenPrices>,
) -> LoopCost {
    let tokens = match has_recorded_tokens {
        true => late.recorded.tokens,
        false => late.estimate.all(),
    };
    let recorded = in_millionths(late.recorded.dollars);
    let dollars = match (has_recorded_tokens, dollars_per_token) {
        _ if recorded > 0.0 => Some(recorded),
        // Of a session whose sum alone is recorded each token costs the same.
        (_, Some(per_token)) => {
            Some(in_millionths(tokens as f64 * per_token)).filter(|it| *it > 0.0)
        }
        (true, None) => None,
        (false, None) => {
            let cost = prices.map(|prices| prices.cost_of_estimate(&late.estimate));
            cost.map(|cost| in_millionths(cost.dollars.unwrap_or(0.0)))
        }
    };
    LoopCost {
        calls: late.calls,
        requests: late.requests,
        tokens,
        dollars,
    }
}
