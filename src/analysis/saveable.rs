//! The part of a session's cost that could have been saved.

use super::prices::{ModelPrices, Tokens, in_millionths};
use super::report::{LoopCost, Outdated, Pauses, Rereads, Saveable, Usage};

/// The findings in a session, but for what sending outdated things cost.
pub(crate) struct Wastes {
    pub(crate) loops: LoopCost,
    pub(crate) outdated: Outdated,
    pub(crate) rereads: Rereads,
    pub(crate) pauses: Pauses,
}

impl Wastes {
    /// The cost of all of it, by what the session used and the prices of its model.
    pub(crate) fn saveable(self, usage: &Usage, prices: Option<&ModelPrices>) -> Saveable {
        let price = prices.map(|prices| PerToken::of(usage, prices));
        let dollars = |tokens, sent| {
            price
                .as_ref()
                .map(|price| in_millionths(price.dollars(tokens, sent)))
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

/// The price of tokens that were sent again and again. Where requests are recorded, what a warm cache made cheaper is in
/// their mean price; else each token is written into the cache once.
enum PerToken {
    Mean(f64),
    Cached(ModelPrices),
}

impl PerToken {
    fn of(usage: &Usage, prices: &ModelPrices) -> Self {
        let sent = Tokens {
            input: usage.input,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            ..Tokens::default()
        };
        match !usage.is_estimated && sent.sent() > 0 {
            true => Self::Mean(prices.dollars(&sent) / sent.sent() as f64),
            false => Self::Cached(*prices),
        }
    }

    fn dollars(&self, tokens: u64, sent: u64) -> f64 {
        match self {
            Self::Mean(price) => sent as f64 * price,
            Self::Cached(prices) => {
                let written = tokens.min(sent);
                let read = sent - written;
                (written as f64 * prices.cache_write + read as f64 * prices.cache_read) / 1e6
            }
        }
    }
}
