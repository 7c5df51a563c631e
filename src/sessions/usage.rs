//! The tokens and the money that values of the formats record. Nothing is estimated here, and no gap is filled.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use super::items::fact;
use super::record::Usage;

/// A usage as it is written. A number that is not above 0 is none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written<'a> {
    /// The same in every copy of the answer.
    pub(crate) id: Option<Cow<'a, str>>,
    /// The model that answered.
    pub(crate) model: Option<Cow<'a, str>>,
    /// The cost in US dollars, as [`dollars`] reads it.
    pub(crate) dollars: Option<f64>,
    /// Tokens that were sent, without those of the cache.
    pub(crate) input: f64,
    /// Tokens that were read from the cache.
    pub(crate) cache_read: f64,
    /// Tokens that were kept in the cache.
    pub(crate) cache_write: f64,
    /// Of these, those that are kept for an hour.
    pub(crate) cache_write_long: f64,
    /// Tokens that the model wrote.
    pub(crate) output: f64,
    /// Whether it is the session's sum so far.
    pub(crate) is_sum: bool,
    /// Whether the id means something in this file alone.
    pub(crate) is_local: bool,
}

/// The usage that is written, if it says anything.
pub(crate) fn recorded(written: Written) -> Vec<Usage> {
    let tokens = [
        written.input, written.cache_read, written.cache_write, written.output,
    ];
    if written.dollars.is_none() && tokens.iter().all(|tokens| *tokens <= 0.0) {
        return Vec::new();
    }
    let name = |name: Option<Cow<str>>| name.map(Cow::into_owned).filter(|name| !name.is_empty());
    vec![Usage {
        id: name(written.id),
        is_local: written.is_local,
        is_sum: written.is_sum,
        is_output_alone: false,
        model: name(written.model),
        time: None,
        input: written.input,
        cache_read: written.cache_read,
        cache_write: written.cache_write,
        cache_write_long: written.cache_write_long,
        output: written.output,
        dollars: written.dollars,
    }]
}

/// A number of tokens: 0 for whatever is no number above 0.
pub(crate) fn amount(value: Option<&Json>) -> f64 {
    match value {
        Some(Json::Number(number)) if number.is_finite() && *number > 0.0 => *number,
        _ => 0.0,
    }
}

/// An amount of money, which may be 0.
pub(crate) fn dollars(value: Option<&Json>) -> Option<f64> {
    match value {
        Some(Json::Number(number)) if number.is_finite() && *number >= 0.0 => Some(*number),
        _ => None,
    }
}

/// The input, of which a part came from the cache or went into it, as most protocols but Anthropic's have it.
pub(crate) fn inclusive<'a>(
    input: Option<&Json>,
    cache_read: Option<&Json>,
    cache_write: Option<&Json>,
) -> Written<'a> {
    let (cache_read, cache_write) = (amount(cache_read), amount(cache_write));
    Written {
        input: (amount(input) - cache_read - cache_write).max(0.0),
        cache_read,
        cache_write,
        ..Written::default()
    }
}

/// An answer of Anthropic's, with its usage, whose three parts of the input are added. None for a message without usage,
/// and for an error of the API, which is written as an answer of the model "<synthetic>".
pub(crate) fn anthropic<'a>(message: &'a Json<'a>) -> Option<Written<'a>> {
    let model = fact(message.get("model"));
    let usage = message.get("usage")?;
    if model.as_deref() == Some("<synthetic>") || !matches!(usage, Json::Object(_) | Json::Null) {
        return None;
    }
    let long = usage.get("cache_creation");
    let long = long.and_then(|kept| kept.get("ephemeral_1h_input_tokens"));
    Some(Written {
        id: fact(message.get("id")),
        model,
        input: amount(usage.get("input_tokens")),
        cache_read: amount(usage.get("cache_read_input_tokens")),
        cache_write: amount(usage.get("cache_creation_input_tokens")),
        cache_write_long: amount(long),
        output: amount(usage.get("output_tokens")),
        ..Written::default()
    })
}

/// A message of Cline's newer store, or of Anthropic's API with the usage that it came with.
pub(crate) fn of_message(message: &Json) -> Vec<Usage> {
    if message.get("role").and_then(Json::as_text) != Some("assistant") {
        return Vec::new();
    }
    let Some(metrics @ (Json::Object(_) | Json::List(_))) = message.get("metrics") else {
        return anthropic(message).map(recorded).unwrap_or_default();
    };
    let parts = inclusive(
        metrics.get("inputTokens"),
        metrics.get("cacheReadTokens"),
        metrics.get("cacheWriteTokens"),
    );
    recorded(Written {
        id: fact(message.get("id")),
        model: fact(message.get("modelInfo").and_then(|info| info.get("id"))),
        output: amount(metrics.get("outputTokens")),
        dollars: dollars(metrics.get("cost")),
        ..parts
    })
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    fn usage_of(message: &str) -> Vec<Usage> {
        let mut room = Vec::new();
        of_message(&parse(message.as_bytes(), &mut room).expect("JSON"))
    }

    #[test]
    fn the_parts_of_anthropics_input_are_added() {
        let told = r#"{"role":"assistant","id":"msg_1","model":"m","usage":{"input_tokens":1,"output_tokens":2,
            "cache_read_input_tokens":3,"cache_creation_input_tokens":4,"cache_creation":{"ephemeral_1h_input_tokens":2}}}"#;
        let expected = Usage {
            id: Some("msg_1".into()),
            model: Some("m".into()),
            input: 1.0,
            cache_read: 3.0,
            cache_write: 4.0,
            cache_write_long: 2.0,
            output: 2.0,
            ..Usage::default()
        };
        assert_eq!(usage_of(told), [expected]);
    }

    #[test]
    fn other_protocols_count_the_cache_as_input() {
        let told = r#"{"role":"assistant","id":"a","modelInfo":{"id":"m"},"metrics":{"inputTokens":10,"outputTokens":2,
            "cacheReadTokens":3,"cacheWriteTokens":4,"cost":0}}"#;
        let expected = Usage {
            id: Some("a".into()),
            model: Some("m".into()),
            input: 3.0,
            cache_read: 3.0,
            cache_write: 4.0,
            output: 2.0,
            dollars: Some(0.0),
            ..Usage::default()
        };
        assert_eq!(usage_of(told), [expected]);
    }

    #[test]
    fn what_is_no_number_above_0_is_none() {
        for message in [
            r#"{"role":"user","usage":{"input_tokens":1}}"#,
            r#"{"role":"assistant","usage":{"input_tokens":-1,"output_tokens":"2"}}"#,
            r#"{"role":"assistant","model":"<synthetic>","usage":{"input_tokens":1}}"#,
            r#"{"role":"assistant","usage":7}"#,
            r#"{"role":"assistant"}"#,
            r#"{"role":"assistant","metrics":{"cost":-1},"usage":{"input_tokens":1}}"#,
        ] {
            assert_eq!(usage_of(message), [], "{message}");
        }
    }
}
