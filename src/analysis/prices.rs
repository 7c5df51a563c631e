//! The prices of tokens.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use turnkeeper_base::json::parse_as;

use super::model_name::{plain_name, shorter};
use super::report::PriceList;

/// The price of a million tokens of a model, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelPrices {
    /// Read by the model for the first time, and not kept.
    pub input: f64,
    /// Written by the model.
    pub output: f64,
    /// Read from the prompt cache.
    pub cache_read: f64,
    /// Read by the model and kept in the prompt cache.
    pub cache_write: f64,
    /// The same, kept for an hour; twice the input if it is not said, where keeping costs at all.
    #[serde(default)]
    pub cache_write_hour: Option<f64>,
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

impl ModelPrices {
    const FREE: Self = Self {
        input: 0.0,
        output: 0.0,
        cache_read: 0.0,
        cache_write: 0.0,
        cache_write_hour: None,
    };

    /// The price of a request, in US dollars.
    pub(crate) fn dollars(&self, tokens: &Tokens) -> f64 {
        let hour = match self.cache_write_hour {
            Some(price) => price,
            None if self.cache_write > self.input => 2.0 * self.input,
            None => self.cache_write,
        };
        let for_hour = tokens.cache_write_hour.min(tokens.cache_write);
        let sum = tokens.input as f64 * self.input
            + tokens.cache_read as f64 * self.cache_read
            + (tokens.cache_write - for_hour) as f64 * self.cache_write
            + for_hour as f64 * hour
            + tokens.output as f64 * self.output;
        sum / 1e6
    }
}

/// Prices by model.
#[derive(Debug, Clone)]
pub struct Prices {
    models: FxHashMap<String, ModelPrices>,
    /// Those of models that have none.
    others: Option<ModelPrices>,
    list: PriceList,
}

/// The name of prices for models that have none.
pub const OTHER_MODELS: &str = "*";

/// The published table; `cargo xtask prices` renews it.
static LISTED: &str = include_str!("prices.json");

#[derive(Deserialize)]
struct Table {
    date: String,
    source: String,
    models: std::collections::BTreeMap<String, ModelPrices>,
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
            let table: Table =
                serde_json::from_str(LISTED).expect("the table is the program's own");
            let mut prices = Self {
                models: FxHashMap::default(),
                others: None,
                list: PriceList {
                    date: table.date,
                    source: table.source,
                },
            };
            for (model, of_model) in &table.models {
                prices.models.insert(plain_name(model), *of_model);
            }
            // A model that is listed with dates alone costs what the newest of them costs.
            for (model, of_model) in table.models.iter().rev() {
                let name = plain_name(model);
                let mut less = shorter(&name);
                while let Some(name) = less {
                    prices.models.entry(name.to_owned()).or_insert(*of_model);
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
        let given: serde_json::Value =
            parse_as(text.as_bytes(), &mut room).map_err(|_| "Not valid JSON.".to_owned())?;
        let Some(models) = given.as_object() else {
            return Err("It holds no object of models.".to_owned());
        };
        for (model, prices) in models {
            for field in ["input", "output", "cacheRead", "cacheWrite"] {
                let price = prices.get(field).and_then(serde_json::Value::as_f64);
                if !price.is_some_and(|price| price >= 0.0 && price.is_finite()) {
                    return Err(format!(
                        "{field} of \"{model}\" must be a number, 0 or more."
                    ));
                }
            }
            let of_model = serde_json::from_value(prices.clone())
                .map_err(|error| format!("\"{model}\": {error}."))?;
            match model.as_str() {
                OTHER_MODELS => self.others = Some(of_model),
                model => {
                    self.models.insert(plain_name(model), of_model);
                }
            }
        }
        Ok(self)
    }

    /// The prices of a model; none if the table has none of exactly this one.
    pub fn of(&self, model: Option<&str>) -> Option<ModelPrices> {
        let Some(model) = model else {
            return self.others;
        };
        // OpenRouter asks nothing for these.
        if model.ends_with(":free") {
            return Some(ModelPrices::FREE);
        }
        let name = plain_name(model);
        let mut tried = Some(name.as_str());
        while let Some(name) = tried {
            if let Some(prices) = self.models.get(name) {
                return Some(*prices);
            }
            tried = shorter(name);
        }
        self.others
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

    fn dollars(model: &str) -> Option<f64> {
        let prices = Prices::listed().of(Some(model))?;
        let prices = ModelPrices { ..prices };
        Some(in_millionths(prices.dollars(&MILLION)))
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
    fn each_kind_of_token_has_its_price() {
        let prices = Prices::listed()
            .of(Some("claude-opus-4-5"))
            .expect("is listed");
        let tokens = Tokens {
            input: 1_000,
            cache_read: 2_000,
            cache_write: 3_000,
            cache_write_hour: 1_000,
            output: 400,
        };
        let millionths = 5_000.0 + 1_000.0 + 12_500.0 + 10_000.0 + 10_000.0;
        assert_eq!(in_millionths(prices.dollars(&tokens) * 1e6), millionths);
    }

    #[test]
    fn the_users_own_prices_go_before_the_list() {
        let own = r#"{"claude-opus-4-5": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0},
            "*": {"input": 0.5, "output": 0, "cacheRead": 0, "cacheWrite": 0}}"#;
        let prices = Prices::listed().with(own).expect("prices");
        assert_eq!(
            prices
                .of(Some("anthropic/claude-opus-4.5"))
                .map(|it| it.input),
            Some(1.0)
        );
        assert_eq!(prices.of(Some("of-my-own")).map(|it| it.input), Some(0.5));
        assert_eq!(prices.of(None).map(|it| it.input), Some(0.5));
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
