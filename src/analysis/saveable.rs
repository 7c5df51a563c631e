//! The part of a session's cost that could have been saved.

use super::prices::{TokenPrices, Tokens, in_millionths};
use super::report::{LoopCost, Outdated, Pauses, Rereads, Saveable, Usage};
use super::requests::Estimate;
use super::usage::{Answer, Models};

/// The findings in a session, but for what sending outdated things cost.
pub(crate) struct Wastes {
    pub(crate) loops: LoopCost,
    pub(crate) outdated: Outdated,
    pub(crate) rereads: Rereads,
    pub(crate) pauses: Pauses,
}

impl Wastes {
    /// The cost of all of it, by what the session used and the price of a token that is sent again.
    pub(crate) fn saveable(self, usage: &Usage, price: Option<PerToken>) -> Saveable {
        let dollars = |tokens, sent| {
            price.and_then(|price| Some(in_millionths(price.dollars(tokens, sent)?)))
        };
        let outdated = Outdated {
            dollars: dollars(self.outdated.tokens, self.outdated.tokens_sent),
            ..self.outdated
        };
        let rereads = Rereads {
            dollars: dollars(self.rereads.tokens, self.rereads.tokens_sent),
            ..self.rereads
        };
        let known = [
            self.loops.dollars, outdated.dollars, rereads.dollars, self.pauses.dollars,
        ];
        let is_known = known.iter().any(Option::is_some);
        let sum: f64 = known.iter().flatten().sum();
        Saveable {
            tokens: outdated.tokens,
            dollars: is_known.then(|| in_millionths(sum.min(usage.dollars.unwrap_or(sum)))),
            loops: self.loops,
            outdated,
            rereads,
            pauses: self.pauses,
        }
    }
}

impl Saveable {
    /// The calls of loops, and those that only repeated what a compaction took.
    pub fn calls(&self) -> u64 {
        self.loops.calls + self.rereads.calls
    }

    /// The tokens of requests that need not have been sent: at most all of them.
    pub fn tokens_used(&self, usage: &Usage) -> u64 {
        let parts = [
            self.loops.tokens,
            self.outdated.tokens_sent,
            self.rereads.tokens_sent,
        ];
        let sum = parts
            .iter()
            .fold(0, |sum: u64, part| sum.saturating_add(*part));
        sum.min(usage.tokens)
    }
}

/// The price of tokens that were sent again and again. Where requests are recorded, what a warm cache made cheaper is in
/// their mean price; else each token is written into the cache once.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PerToken {
    Mean(f64),
    Cached(TokenPrices),
}

impl PerToken {
    /// The mean of what answers sent; none if no price of theirs is known.
    pub(crate) fn mean<'a>(
        answers: impl Iterator<Item = &'a Answer>,
        models: &Models,
    ) -> Option<Self> {
        let (mut dollars, mut count) = (0.0, 0.0);
        for answer in answers {
            let sent = Tokens {
                output: 0,
                ..answer.tokens
            };
            let cost = answer.prices(models).map(|prices| prices.cost(&sent));
            let cost = cost.filter(|cost| cost.unpriced == 0);
            if let Some(cost) = cost.and_then(|cost| cost.dollars) {
                dollars += cost;
                count += sent.sent() as f64;
            }
        }
        (count > 0.0).then(|| Self::Mean(dollars / count))
    }

    fn dollars(self, tokens: u64, sent: u64) -> Option<f64> {
        match self {
            Self::Mean(price) => Some(sent as f64 * price),
            Self::Cached(prices) => {
                let written = tokens.min(sent);
                let estimate = Estimate {
                    sent: written,
                    again: sent - written,
                    written: 0,
                };
                let cost = prices.cost_of_estimate(&estimate);
                let dollars = cost.dollars.unwrap_or(0.0);
                (cost.unpriced == 0).then_some(dollars)
            }
        }
    }
}
