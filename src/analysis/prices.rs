//! The prices of tokens.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use turnkeeper_base::json::parse_as;

use super::model_name::{is_free, plain_name, shorter};
use super::report::PriceList;
use super::requests::Estimate;

/// The prices of a million tokens, in US dollars. A price that is not known is none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct TokenPrices {
    /// Read by the model for the first time, and not kept.
    pub(crate) input: f64,
    /// Written by the model.
    pub(crate) output: f64,
    /// Read from the prompt cache.
    pub(crate) cache_read: Option<f64>,
    /// Read by the model and kept in the prompt cache.
    cache_write: Option<f64>,
    /// The same, kept for an hour.
    cache_write_hour: Option<f64>,
}

/// The tokens of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) input: u64,
    pub(crate) cache_read: u64,
    pub(crate) cache_write: u64,
    /// Of those that are kept, those that are kept for an hour.
    pub(crate) cache_write_hour: u64,
    pub(crate) output: u64,
}

impl Tokens {
    /// Those that were sent.
    pub(crate) fn sent(&self) -> u64 {
        let kept = self.cache_read.saturating_add(self.cache_write);
        self.input.saturating_add(kept)
    }

    /// All of them.
    pub(crate) fn all(&self) -> u64 {
        self.sent().saturating_add(self.output)
    }
}

/// The cost of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Cost {
    /// In US dollars; none if nothing of it has a known price.
    pub(crate) dollars: Option<f64>,
    /// The tokens without a known price.
    pub(crate) unpriced: u64,
}

impl Cost {
    /// That of tokens whose price is not known at all.
    pub(crate) fn unknown(tokens: &Tokens) -> Self {
        Self {
            dollars: None,
            unpriced: tokens.all(),
        }
    }
}

impl TokenPrices {
    /// The price of what is kept in the cache. Makers that list a price for reading from it and none for keeping ask
    /// nothing for that.
    pub(crate) fn cache_write(&self) -> Option<f64> {
        let for_nothing = self.cache_read.map(|_| self.input);
        self.cache_write.or(for_nothing)
    }

    /// Makers that ask for keeping ask twice the input for an hour, where the list does not say it.
    fn cache_write_hour(&self) -> Option<f64> {
        let kept = self.cache_write()?;
        Some(match self.cache_write_hour {
            Some(price) => price,
            None if kept > self.input => 2.0 * self.input,
            None => kept,
        })
    }

    /// The cost of a request.
    pub(crate) fn cost(&self, tokens: &Tokens) -> Cost {
        let for_hour = tokens.cache_write_hour.min(tokens.cache_write);
        let mut sum = 0.0;
        let mut cost = Cost::default();
        for (count, price) in [
            (tokens.input, Some(self.input)),
            (tokens.cache_read, self.cache_read),
            (tokens.cache_write - for_hour, self.cache_write()),
            (for_hour, self.cache_write_hour()),
            (tokens.output, Some(self.output)),
        ] {
            match price {
                _ if count == 0 => {}
                Some(price) => {
                    sum += count as f64 * price;
                    cost.dollars = Some(sum / 1e6);
                }
                None => cost.unpriced = cost.unpriced.saturating_add(count),
            }
        }
        cost
    }

    /// The cost of what is estimated from texts: each of them is kept in the cache once, and read from it from then on.
    pub(crate) fn cost_of_estimate(&self, estimate: &Estimate) -> Cost {
        let prices = Self {
            cache_write: self.cache_write().or(Some(self.input)),
            ..*self
        };
        prices.cost(&Tokens {
            cache_write: estimate.sent,
            cache_read: estimate.again,
            output: estimate.written,
            ..Tokens::default()
        })
    }

    fn times(self, factor: f64) -> Self {
        let times = |price: Option<f64>| price.map(|price| price * factor);
        Self {
            input: self.input * factor,
            output: self.output * factor,
            cache_read: times(self.cache_read),
            cache_write: times(self.cache_write),
            cache_write_hour: times(self.cache_write_hour),
        }
    }
}

/// The way in which a request was served, where that changes its price.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Service<'a> {
    /// "fast", "priority", "flex", "batch" …; none for the usual one.
    pub(crate) tier: Option<&'a str>,
    /// The part of the world to which it was kept, if it was.
    pub(crate) region: Option<&'a str>,
    /// Who gave the answer.
    pub(crate) provider: Option<&'a str>,
}

/// The prices of one model and service by the length of the request: each with the number of sent tokens above which it
/// is asked, the shortest first. Without prices where none are known for that length.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PricesByLength(Vec<(u64, Option<TokenPrices>)>);

impl PricesByLength {
    /// The prices of a request that sends this many tokens.
    pub(crate) fn at(&self, sent: u64) -> Option<&TokenPrices> {
        let asked = self
            .0
            .iter()
            .rfind(|(above, _)| *above == 0 || sent > *above);
        asked?.1.as_ref()
    }

    fn of(prices: TokenPrices) -> Self {
        Self(vec![(0, Some(prices))])
    }

    fn times(mut self, factor: f64) -> Self {
        for (_, prices) in &mut self.0 {
            *prices = prices.map(|it| it.times(factor));
        }
        self
    }
}

/// All that is listed of a model.
#[derive(Debug, Clone, Default, PartialEq)]
struct ListedModel {
    /// The tokens of the longest request that it takes.
    window: Option<u64>,
    /// By the name of the tier.
    tiers: FxHashMap<String, PricesByLength>,
    /// Factors to the usual prices, and for regions.
    factors: FxHashMap<String, f64>,
    /// Whether the prices are asked for each service and length.
    is_flat: bool,
}

/// The tier of requests of which nothing else is said.
const USUAL: &str = "usual";

impl ListedModel {
    fn flat(prices: TokenPrices) -> Self {
        let usual = (USUAL.to_owned(), PricesByLength::of(prices));
        Self {
            tiers: [usual].into_iter().collect(),
            is_flat: true,
            ..Self::default()
        }
    }

    fn prices(&self, service: Service) -> Option<PricesByLength> {
        let usual = self.tiers.get(USUAL)?;
        if self.is_flat {
            return Some(usual.clone());
        }
        let tier = service.tier.unwrap_or(USUAL);
        // OpenAI's fast mode is its priority tier.
        let names = [tier, if tier == "fast" { "priority" } else { tier }];
        let prices = names.into_iter().find_map(|name| {
            let by_factor = || Some(usual.clone().times(*self.factors.get(name)?));
            self.tiers.get(name).cloned().or_else(by_factor)
        })?;
        let of_region = service.region.and_then(|region| self.factors.get(region));
        Some(prices.times(of_region.copied().unwrap_or(1.0)))
    }
}

/// Prices by model.
#[derive(Debug, Clone)]
pub struct Prices {
    models: FxHashMap<String, Arc<ListedModel>>,
    /// Those of models that have none.
    others: Option<Arc<ListedModel>>,
    list: PriceList,
}

/// The name of prices for models that have none.
pub const OTHER_MODELS: &str = "*";

/// The tokens that a model takes in a request, where that is not known.
pub(crate) const USUAL_WINDOW: u64 = 200_000;

/// The published table; `cargo xtask prices` renews it.
static LISTED: &str = include_str!("prices.json");

/// A model's line of the table. Its prices are under the name of the tier, with a ">" and a number those of longer
/// requests: input, output, read from the cache, kept in it, and kept for an hour. A number is a factor to the usual
/// prices.
fn listed_model(line: &Value) -> ListedModel {
    let mut model = ListedModel {
        window: line["window"].as_u64(),
        ..ListedModel::default()
    };
    let prices = line.as_object().into_iter().flatten();
    for (name, listed) in prices.filter(|(name, _)| *name != "window") {
        let (tier, above) = name.split_once('>').unwrap_or((name, "0"));
        if let Some(factor) = listed.as_f64() {
            model.factors.insert(tier.to_owned(), factor);
            continue;
        }
        let price = |at: usize| listed[at].as_f64();
        let prices = TokenPrices {
            input: price(0).expect("each line has it"),
            output: price(1).expect("each line has it"),
            cache_read: price(2),
            cache_write: price(3),
            cache_write_hour: price(4),
        };
        let above = above.parse().expect("the table's own number");
        let tier = model.tiers.entry(tier.to_owned()).or_default();
        tier.0.push((above, Some(prices)));
    }
    // A tier has no known price for a length that costs more elsewhere.
    let lengths = model.tiers.get(USUAL).map(|usual| usual.0.clone());
    for tier in model.tiers.values_mut() {
        for (above, _) in lengths.iter().flatten() {
            if tier.0.iter().all(|(known, _)| known != above) {
                tier.0.push((*above, None));
            }
        }
        tier.0.sort_by_key(|(above, _)| *above);
    }
    model
}

/// The prices that a user names for a model, whatever the service and the length.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OwnPrices {
    input: f64,
    output: f64,
    cache_read: f64,
    cache_write: f64,
    cache_write_hour: Option<f64>,
}

impl Default for Prices {
    fn default() -> Self {
        Self::listed()
    }
}

impl Prices {
    /// The prices that providers ask in their lists.
    pub fn listed() -> Self {
        static TABLE: OnceLock<Prices> = OnceLock::new();
        let read = || {
            let table: Value =
                serde_json::from_str(LISTED).expect("the table is the program's own");
            let text = |name: &str| table[name].as_str().unwrap_or_default().to_owned();
            let mut prices = Self {
                models: FxHashMap::default(),
                others: None,
                list: PriceList {
                    date: text("date"),
                    source: text("source"),
                },
            };
            let lines = table["models"].as_object().into_iter().flatten();
            let models = lines.map(|(name, line)| (plain_name(name), Arc::new(listed_model(line))));
            let models: Vec<_> = models.collect();
            prices.models.extend(models.iter().cloned());
            // A model that is listed with dates alone costs what the newest of them costs.
            for (name, of_model) in models.iter().rev() {
                let mut less = shorter(name);
                while let Some(name) = less {
                    let known = prices.models.entry(name.to_owned());
                    known.or_insert_with(|| of_model.clone());
                    less = shorter(name);
                }
            }
            prices
        };
        TABLE.get_or_init(read).clone()
    }

    /// The same, with others before them: a JSON object of models, each with `input`, `output`, `cacheRead` and
    /// `cacheWrite` in dollars for a million tokens; [`OTHER_MODELS`] stands for all that have none.
    ///
    /// # Errors
    /// In words, for a text that is none.
    pub fn with(mut self, json: &str) -> Result<Self, String> {
        let mut room = Vec::new();
        let text = json.strip_prefix('\u{feff}').unwrap_or(json);
        let given: Value =
            parse_as(text.as_bytes(), &mut room).map_err(|_| "Not valid JSON.".to_owned())?;
        let Some(models) = given.as_object() else {
            return Err("It holds no object of models.".to_owned());
        };
        for (model, prices) in models {
            for field in ["input", "output", "cacheRead", "cacheWrite"] {
                let price = prices.get(field).and_then(Value::as_f64);
                if !price.is_some_and(|price| price >= 0.0 && price.is_finite()) {
                    return Err(format!(
                        "{field} of \"{model}\" must be a number, 0 or more."
                    ));
                }
            }
            let own: OwnPrices = serde_json::from_value(prices.clone())
                .map_err(|error| format!("\"{model}\": {error}."))?;
            let window = self.model(Some(model)).and_then(|listed| listed.window);
            let of_model = Arc::new(ListedModel {
                window,
                ..ListedModel::flat(TokenPrices {
                    input: own.input,
                    output: own.output,
                    cache_read: Some(own.cache_read),
                    cache_write: Some(own.cache_write),
                    cache_write_hour: own.cache_write_hour,
                })
            });
            match model.as_str() {
                OTHER_MODELS => self.others = Some(of_model),
                model => {
                    self.models.insert(plain_name(model), of_model);
                }
            }
        }
        Ok(self)
    }

    /// The prices of a model and a service; none if the table has none of exactly this one.
    pub(crate) fn of(&self, model: Option<&str>, service: Service) -> Option<PricesByLength> {
        if model.is_some_and(|model| is_free(model, service.provider)) {
            let nothing = TokenPrices {
                cache_read: Some(0.0),
                ..TokenPrices::default()
            };
            return Some(PricesByLength::of(nothing));
        }
        let listed = self.model(model).or(self.others.as_deref());
        listed?.prices(service)
    }

    /// Whether the table has the model.
    pub(crate) fn knows(&self, model: Option<&str>) -> bool {
        self.model(model).is_some()
    }

    /// The tokens of the longest request that a model takes.
    pub(crate) fn window(&self, model: Option<&str>) -> u64 {
        let listed = self.model(model).and_then(|listed| listed.window);
        listed.unwrap_or(USUAL_WINDOW)
    }

    fn model(&self, model: Option<&str>) -> Option<&ListedModel> {
        let name = plain_name(model?);
        let mut tried = Some(name.as_str());
        while let Some(name) = tried {
            if let Some(listed) = self.models.get(name) {
                return Some(listed);
            }
            tried = shorter(name);
        }
        None
    }

    /// The published table that they are from.
    pub fn list(&self) -> &PriceList {
        &self.list
    }
}

/// A sum of dollars without the noise of floating-point additions: millionths are kept.
pub(crate) fn in_millionths(dollars: f64) -> f64 {
    (dollars * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLION: Tokens = Tokens {
        input: 1_000_000,
        cache_read: 0,
        cache_write: 0,
        cache_write_hour: 0,
        output: 1_000_000,
    };

    /// The prices of requests that are short, whatever they are for.
    fn of(prices: &Prices, model: Option<&str>, service: Service) -> Option<TokenPrices> {
        prices.of(model, service)?.at(0).copied()
    }

    fn dollars_of(model: &str, service: Service) -> Option<f64> {
        let prices = of(&Prices::listed(), Some(model), service)?;
        prices.cost(&MILLION).dollars.map(in_millionths)
    }

    fn dollars(model: &str) -> Option<f64> {
        dollars_of(model, Service::default())
    }

    #[test]
    fn a_model_has_its_own_price_and_never_that_of_another_version() {
        for (model, price) in [
            ("claude-sonnet-4-5", Some(18.0)),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", Some(18.0)),
            ("claude-sonnet-4-5@20250929", Some(18.0)),
            ("claude-3-5-sonnet-latest", Some(18.0)),
            ("claude-opus-4-20250514", Some(90.0)),
            ("claude-opus-4-0", Some(90.0)),
            ("claude-opus-4-1", Some(90.0)),
            ("claude-opus-4-5-20251101", Some(30.0)),
            ("claude-opus-4.8", Some(30.0)),
            ("gpt-5-codex", Some(11.25)),
            ("gpt-5.6-luna", Some(1.4)),
            ("o3-pro", Some(100.0)),
            ("gpt-4o-2024-05-13", Some(20.0)),
            ("gpt-4o-2024-08-06", Some(12.5)),
            ("openai/gpt-oss-20b:free", Some(0.0)),
            ("claude-opus-4-99", None),
            ("claude-opus-4-6-fast", None),
            ("gpt-5.99", None),
            ("gpt-5-nonsense", None),
            ("claude", None),
            ("", None),
        ] {
            assert_eq!(dollars(model), price, "{model}");
        }
    }

    #[test]
    fn a_tier_and_a_region_have_prices_of_their_own() {
        for (model, tier, region, price) in [
            ("claude-opus-4-8", "fast", None, Some(60.0)),
            ("claude-opus-4-8", "fast", Some("us"), Some(66.0)),
            ("claude-opus-4-8", "batch", None, Some(15.0)),
            ("claude-opus-4-8", "priority", None, None),
            ("claude-opus-4-7", "fast", None, Some(180.0)),
            ("claude-opus-4-6-20260205", "fast", None, Some(180.0)),
            ("claude-opus-4-5", "fast", None, None),
            ("gpt-5.5", "priority", None, Some(87.5)),
            ("gpt-5.5", "fast", None, Some(87.5)),
            ("gpt-5.5", "flex", None, Some(17.5)),
            ("gpt-5.5", "priority", Some("eu"), Some(87.5)),
            ("gpt-4", "priority", None, None),
            ("gemini-2.5-pro", "priority", None, Some(20.25)),
            ("gpt-6.1-sol", "ultrafast", None, Some(72.0)),
            ("openai/gpt-oss-20b:free", "priority", None, Some(0.0)),
        ] {
            let service = Service {
                tier: Some(tier),
                region,
                provider: None,
            };
            assert_eq!(
                dollars_of(model, service),
                price,
                "{model} {tier} {region:?}"
            );
        }
    }

    #[test]
    fn a_long_request_has_prices_of_its_own() {
        let prices = Prices::listed();
        let input = |model: &str, tier, sent| {
            let service = Service {
                tier,
                ..Service::default()
            };
            Some(prices.of(Some(model), service)?.at(sent)?.input)
        };
        for (model, tier, sent, price) in [
            ("claude-haiku-5-5", None, 100_000, Some(0.1)),
            ("claude-haiku-5-5", None, 100_001, Some(0.5)),
            ("gpt-5.5", None, 272_000, Some(5.0)),
            ("gpt-5.5", None, 272_001, Some(10.0)),
            ("gpt-5.5", Some("flex"), 300_000, Some(5.0)),
            // The list has no price for it.
            ("gpt-5.5", Some("priority"), 300_000, None),
            ("gpt-5.6", Some("priority"), 300_000, Some(16.0)),
            ("gemini-2.5-pro", Some("priority"), 300_000, Some(4.5)),
            ("qwen3-coder-flash", None, 32_000, Some(0.3)),
            ("qwen3-coder-flash", None, 40_000, Some(0.5)),
            ("qwen3-coder-flash", None, 300_000, Some(1.6)),
            ("gpt-5", None, 300_000, Some(1.25)),
        ] {
            assert_eq!(input(model, tier, sent), price, "{model} {tier:?} {sent}");
        }
        assert_eq!(prices.window(Some("claude-opus-4-5")), 200_000);
        assert_eq!(prices.window(Some("anthropic/claude-opus-4.8")), 1_000_000);
        assert_eq!(prices.window(Some("of-my-own")), USUAL_WINDOW);
    }

    #[test]
    fn a_cache_price_that_is_not_listed_is_not_known() {
        let tokens = Tokens {
            input: 1_000_000,
            cache_read: 3_000_000,
            cache_write: 500_000,
            cache_write_hour: 100_000,
            output: 1_000_000,
        };
        let cost = |model| {
            let prices = of(&Prices::listed(), Some(model), Service::default());
            prices.expect("is listed").cost(&tokens)
        };
        let expected = Cost {
            dollars: Some(2.8),
            unpriced: 3_500_000,
        };
        assert_eq!(cost("glm-4.5"), expected);
        // Keeping costs nothing where reading is listed alone.
        let expected = Cost {
            dollars: Some(12.25),
            unpriced: 0,
        };
        assert_eq!(cost("gpt-5"), expected);
        // Of what is estimated the first sending is ordinary input.
        let estimate = Estimate {
            sent: 1_000_000,
            again: 3_000_000,
            written: 0,
        };
        let prices = of(&Prices::listed(), Some("glm-4.5"), Service::default());
        let expected = Cost {
            dollars: Some(0.6),
            unpriced: 3_000_000,
        };
        let cost = prices.map(|prices| prices.cost_of_estimate(&estimate));
        assert_eq!(cost, Some(expected));
    }

    #[test]
    fn each_kind_of_token_has_its_price() {
        let prices = of(
            &Prices::listed(),
            Some("claude-opus-4-5"),
            Service::default(),
        );
        let prices = prices.expect("is listed");
        let tokens = Tokens {
            input: 1_000,
            cache_read: 2_000,
            cache_write: 3_000,
            cache_write_hour: 1_000,
            output: 400,
        };
        let millionths = 5_000.0 + 1_000.0 + 12_500.0 + 10_000.0 + 10_000.0;
        let cost = prices.cost(&tokens);
        let dollars = cost.dollars.map(|dollars| in_millionths(dollars * 1e6));
        assert_eq!((dollars, cost.unpriced), (Some(millionths), 0));
    }

    #[test]
    fn the_users_own_prices_go_before_the_list() {
        let own = r#"{"claude-opus-4-5": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0},
            "*": {"input": 0.5, "output": 0, "cacheRead": 0, "cacheWrite": 0}}"#;
        let prices = Prices::listed().with(own).expect("prices");
        let fast = Service {
            tier: Some("fast"),
            ..Service::default()
        };
        let input = |model, service| of(&prices, model, service).map(|it| it.input);
        // They are asked whatever the service.
        for service in [Service::default(), fast] {
            assert_eq!(input(Some("anthropic/claude-opus-4.5"), service), Some(1.0));
            assert_eq!(input(Some("of-my-own"), service), Some(0.5));
            assert_eq!(input(None, service), Some(0.5));
        }
        for (given, why) in [
            ("{", "Not valid JSON."),
            ("[]", "It holds no object of models."),
            (
                r#"{"a": {"input": 1}}"#,
                "output of \"a\" must be a number, 0 or more.",
            ),
            (
                r#"{"a": {"input": -1}}"#,
                "input of \"a\" must be a number, 0 or more.",
            ),
        ] {
            assert_eq!(Prices::listed().with(given).err().as_deref(), Some(why));
        }
    }
}
