//! Requests that came after the prompt cache's lifetime.

use super::prices::in_millionths;
use super::report::Pauses;
use super::usage::{Answer, Models};

/// The time that a provider keeps a prompt that nobody asks for, in milliseconds.
const LIFETIME: f64 = 5.0 * 60_000.0;

/// Finds such requests among the answers of a session, of which those count that `is_counted` says. `has_prices` says
/// whether those of its model are known.
pub(crate) fn pauses_in(
    answers: &[Answer],
    models: &Models,
    has_prices: bool,
    is_counted: impl Fn(usize) -> bool,
) -> Pauses {
    let mut pauses = Pauses::default();
    let mut dollars = has_prices.then_some(0.0);
    let mut before: Option<(f64, u64)> = None;
    for (at, answer) in answers.iter().enumerate() {
        let Some(time) = answer.time.filter(|_| !answer.is_sum) else {
            continue;
        };
        let tokens = answer.tokens;
        if is_counted(at) {
            let more = answer.prices(models);
            let more = more.and_then(|it| Some((it.cache_write()? - it.cache_read?).max(0.0)));
            let again = match before {
                Some((last, held)) if time - last > LIFETIME && held > 0 => {
                    // Tokens that the cache had and does not read are sent anew. A compaction makes the context smaller.
                    let sent = held.min(tokens.cache_write.saturating_add(tokens.input));
                    let again = sent.saturating_sub(tokens.cache_read);
                    again.min(again * u64::from(again > held / 2))
                }
                _ => 0,
            };
            pauses.requests += u64::from(again > 0);
            pauses.tokens += again;
            if let Some(more) = more {
                dollars = Some(dollars.unwrap_or(0.0) + again as f64 * more / 1e6);
            }
        }
        before = Some((time, tokens.cache_read.saturating_add(tokens.cache_write)));
    }
    pauses.dollars = dollars.map(in_millionths);
    pauses
}
