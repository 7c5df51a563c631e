//! The tokens and the money that values of the formats record. Nothing is estimated here, and no gap is filled.

use turnkeeper_base::json::Json;

use super::given::{at, known, list_at, text_at};
use super::record::Usage;

/// The usage, if it says anything. A number that is not above 0 is none.
pub(crate) fn recorded(usage: Usage) -> Vec<Usage> {
    let tokens = [
        usage.input, usage.cache_read, usage.cache_write, usage.output,
    ];
    if usage.dollars.is_none() && tokens.iter().all(|tokens| *tokens <= 0.0) {
        return Vec::new();
    }
    let id = usage.id.filter(|id| !id.is_empty());
    let comes_again = id.as_deref().is_some_and(is_drawn_from_few);
    let id = id.map(|id| match comes_again {
        // What was sent stays while an answer grows, and is another in the next request.
        true => {
            let [input, read, kept, _] = tokens;
            format!("{} {input} {read} {kept}", id.trim())
        }
        false => id,
    });
    vec![Usage {
        id,
        is_local: usage.is_local || comes_again,
        ..usage
    }]
}

/// What a session used as a whole, where its agent tells that alone.
pub(crate) fn whole(usage: Usage) -> Vec<Usage> {
    recorded(Usage {
        id: Some("sum".into()),
        is_sum: true,
        ..usage
    })
}

/// Whether an answer's id is one of a few, so that other answers have the same: programs that run models at home give
/// OpenAI's protocol three digits where OpenAI has dozens of letters, or a number.
pub(crate) fn is_drawn_from_few(id: &str) -> bool {
    const KINDS: [&str; 3] = ["chatcmpl-", "cmpl-", "resp_"];
    const FEW: usize = 8;
    let id = id.trim();
    match KINDS.iter().find_map(|kind| id.strip_prefix(kind)) {
        Some(rest) => rest.len() <= FEW,
        None => id.len() <= FEW && id.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// The name of the way in which a request was served; none for the usual one. Agents write what was asked for or what
/// was given, and each provider in its own words.
pub(crate) fn tier(value: Option<&Json>) -> Option<String> {
    let name = value?
        .as_text()?
        .trim()
        .to_ascii_lowercase()
        .replace('-', "_");
    let name = name.strip_prefix("traffic_type_").unwrap_or(&name);
    let name = name.strip_prefix("on_demand_").unwrap_or(name);
    match name {
        "" | "standard" | "standard_only" | "default" | "auto" | "normal" | "on_demand" => None,
        "not_available" | "unspecified" | "none" => None,
        "batches" => Some("batch".into()),
        name => Some(name.to_owned()),
    }
}

/// The first of some fields that names a way that is not the usual one.
pub(crate) fn tier_of(value: &Json, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| tier(value.get(name)))
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

/// An amount of money of which 0 says nothing: it may be a subscription, or a model without a price.
pub(crate) fn paid(value: Option<&Json>) -> Option<f64> {
    dollars(value).filter(|cost| *cost > 0.0)
}

/// A name that is not empty.
pub(crate) fn named(value: Option<&Json>) -> Option<String> {
    let name = value.and_then(Json::as_text);
    name.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The names of no field, where an agent does not record a part.
pub(crate) const NO_FIELD: &str = "";

/// The tokens in the fields of these names: the input, those that were read from the cache and kept there, and the
/// output.
pub(crate) fn tokens(told: &Json, names: [&str; 4]) -> Usage {
    let [input, cache_read, cache_write, output] = names.map(|name| amount(told.get(name)));
    Usage {
        input,
        cache_read,
        cache_write,
        output,
        ..Usage::default()
    }
}

/// A usage whose input has what came from the cache or went into it, as most protocols but Anthropic's have it.
pub(crate) fn inclusive(usage: Usage) -> Usage {
    Usage {
        input: (usage.input - usage.cache_read - usage.cache_write).max(0.0),
        ..usage
    }
}

/// An answer in the protocol of OpenAI's chat completions, as programs tell it that ask any provider in it.
pub(crate) fn completion(response: &Json) -> Usage {
    let usage = response.get("usage").unwrap_or(&Json::Null);
    let parts = tokens(
        usage,
        [
            "prompt_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "completion_tokens",
        ],
    );
    let cached = known(at(usage, &["prompt_tokens_details", "cached_tokens"]));
    inclusive(Usage {
        id: named(response.get("id")),
        model: named(response.get("model")),
        tier: tier(response.get("service_tier")),
        cache_read: cached.map_or(parts.cache_read, |cached| amount(Some(cached))),
        ..parts
    })
}

/// The tokens that a model wrote, of which some makers count the thinking beside the rest and others within it. What the
/// total has beside the input tells which.
pub(crate) fn written_by_model(written: f64, thinking: f64, by_total: f64) -> f64 {
    let all = written + thinking;
    match by_total > 0.0 && by_total < all {
        true => by_total.max(written),
        false => all,
    }
}

/// An answer of Anthropic's, with its usage, whose three parts of the input are added; then the requests that it needed
/// beside, such as an advisor's. None for a message without usage, and for an error of the API, which is written as an
/// answer of the model "<synthetic>".
pub(crate) fn anthropic(message: &Json) -> Vec<Usage> {
    let model = named(message.get("model"));
    let Some(usage @ (Json::Object(_) | Json::Null)) = message.get("usage") else {
        return Vec::new();
    };
    if model.as_deref() == Some("<synthetic>") {
        return Vec::new();
    }
    let answer = Usage {
        id: named(message.get("id")),
        model,
        tier: tier_of(usage, &["speed", "service_tier"]),
        region: tier(usage.get("inference_geo")).filter(|region| region != "global"),
        ..anthropic_tokens(usage)
    };
    let besides = besides_of(usage, &answer);
    std::iter::once(answer).chain(besides).collect()
}

fn anthropic_tokens(usage: &Json) -> Usage {
    Usage {
        cache_write_long: amount(at(usage, &["cache_creation", "ephemeral_1h_input_tokens"])),
        ..tokens(
            usage,
            [
                "input_tokens",
                "cache_read_input_tokens",
                "cache_creation_input_tokens",
                "output_tokens",
            ],
        )
    }
}

/// The requests that an answer needed and that are not in its sum. It lists all of them, those of its own model, of its
/// advisor, of a summary and of a model that took over, and the sum is that of one kind. A model that declined without
/// a word costs nothing.
fn besides_of<'a>(usage: &'a Json<'a>, answer: &Usage) -> Vec<Usage> {
    let all = list_at(usage, &["iterations"]);
    let kind_of = |it: &'a Json<'a>| text_at(it, &["type"]).unwrap_or("message");
    // While an answer grows its output is not that of the list, but what was sent is.
    let sent_by = |fits: &dyn Fn(&'a Json<'a>) -> bool| {
        let sums = all.iter().filter(|it| fits(it)).map(anthropic_tokens);
        sums.fold([0.0; 3], |[input, read, kept], more| {
            [
                input + more.input,
                read + more.cache_read,
                kept + more.cache_write,
            ]
        })
    };
    let sent = [answer.input, answer.cache_read, answer.cache_write];
    if sent_by(&|_| true) == sent {
        return Vec::new();
    }
    let kinds = [
        "message", "fallback_message", "compaction", "advisor_message",
    ];
    let mut kinds = kinds.into_iter();
    let in_sum = kinds.find(|kind| sent_by(&|it| kind_of(it) == *kind) == sent);
    let in_sum = in_sum.unwrap_or("message");
    let besides = all
        .iter()
        .enumerate()
        .filter(|(_, it)| kind_of(it) != in_sum);
    let besides = besides.map(|(place, it)| {
        let id = answer.id.as_deref();
        let model = named(it.get("model")).or_else(|| answer.model.clone());
        let is_same = model == answer.model;
        Usage {
            id: id.map(|id| format!("{id} {}", place + 1)),
            model,
            tier: tier_of(it, &["speed", "service_tier"])
                .or_else(|| answer.tier.clone().filter(|_| is_same)),
            region: answer.region.clone(),
            ..anthropic_tokens(it)
        }
    });
    let besides = besides.filter(|it| it.output > 0.0);
    besides.collect()
}

/// A message of Cline's newer store, or of Anthropic's API with the usage that it came with.
pub(crate) fn of_message(message: &Json) -> Vec<Usage> {
    if text_at(message, &["role"]) != Some("assistant") {
        return Vec::new();
    }
    let Some(metrics @ (Json::Object(_) | Json::List(_))) = message.get("metrics") else {
        return anthropic(message).into_iter().flat_map(recorded).collect();
    };
    let names = [
        "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens",
    ];
    recorded(Usage {
        id: named(message.get("id")),
        model: named(at(message, &["modelInfo", "id"])),
        provider: named(at(message, &["modelInfo", "provider"])),
        dollars: dollars(metrics.get("cost")),
        ..inclusive(tokens(metrics, names))
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
    fn an_id_of_three_digits_is_no_proof_of_a_copy() {
        let answer = |id: &str, input: u32, output: u32| {
            usage_of(&format!(
                r#"{{"role":"assistant","id":"{id}","usage":{{"input_tokens":{input},"output_tokens":{output}}}}}"#
            ))
            .remove(0)
        };
        for id in ["chatcmpl-532", "chatcmpl-A1", "resp_123456", "7"] {
            let [first, grown, other] =
                [(10, 1), (10, 5), (90, 5)].map(|(input, output)| answer(id, input, output));
            assert!(
                first.is_local && first.id == grown.id && first.id != other.id,
                "{id}"
            );
        }
        for id in [
            "chatcmpl-CQFDJ2zpbVfTuwl6Zx0kqyzmHeOyF",
            "msg_1",
            "gen-1",
            "chatcmpl-532 req_1",
            "a",
        ] {
            let answer = answer(id, 10, 1);
            assert_eq!((answer.id.as_deref(), answer.is_local), (Some(id), false));
        }
    }

    #[test]
    fn how_an_answer_was_served_is_told_where_it_is_not_usual() {
        for (usage, tier, region) in [
            (
                r#""speed":"standard","service_tier":"standard","inference_geo":"not_available""#,
                None,
                None,
            ),
            (
                r#""speed":"fast","service_tier":"standard","inference_geo":"us""#,
                Some("fast"),
                Some("us"),
            ),
            (
                r#""speed":null,"service_tier":"batch","inference_geo":"global""#,
                Some("batch"),
                None,
            ),
        ] {
            let message = format!(r#"{{"role":"assistant","usage":{{"input_tokens":1,{usage}}}}}"#);
            let found = usage_of(&message).remove(0);
            assert_eq!(
                (found.tier.as_deref(), found.region.as_deref()),
                (tier, region)
            );
        }
        let tier_of = |word: &str| tier(Some(&Json::Text(word.into())));
        assert_eq!(tier_of("ON_DEMAND_PRIORITY").as_deref(), Some("priority"));
        assert_eq!(tier_of("ON_DEMAND"), None);
        assert_eq!(tier_of("auto"), None);
    }

    #[test]
    fn what_an_answer_needed_beside_has_its_own_model() {
        let step = |kind: &str, more: &str, input: u32, output: u32| {
            format!(r#"{{"type":"{kind}",{more}"input_tokens":{input},"output_tokens":{output}}}"#)
        };
        let advisor = step("advisor_message", r#""model":"n","#, 70, 7);
        let of = |sent: u32, wrote: u32, steps: &[String]| {
            let found = usage_of(&format!(
                r#"{{"role":"assistant","id":"a","model":"m","usage":{{"speed":"fast","input_tokens":{sent},"output_tokens":{wrote},
                "iterations":[{}]}}}}"#,
                steps.join(",")
            ));
            let found = found
                .into_iter()
                .map(|it| (it.model.unwrap_or_default(), it.tier, it.input));
            found.skip(1).collect::<Vec<_>>()
        };
        let own = |input| step("message", "", input, 1);
        let fast = || Some("fast".to_owned());
        let expected = [("n".to_owned(), None, 70.0)];
        assert_eq!(of(10, 2, &[own(5), advisor.clone(), own(5)]), expected);
        // While the answer grows.
        assert_eq!(of(10, 1, &[own(5), advisor, own(5)]), expected);
        assert_eq!(of(10, 2, &[own(5), own(5)]), []);
        assert_eq!(of(10, 2, &[]), []);
        // A summary, which the same model made.
        let summary = step("compaction", "", 180, 3);
        let expected = [("m".to_owned(), fast(), 180.0)];
        assert_eq!(of(23, 1, &[summary, own(23)]), expected);
        // A model that declined without a word costs nothing.
        let other = step("fallback_message", r#""model":"m","#, 12, 9);
        let declined = |output| step("message", r#""model":"f","#, 11, output);
        assert_eq!(of(12, 9, &[declined(0), other.clone()]), []);
        let expected = [("f".to_owned(), None, 11.0)];
        assert_eq!(of(12, 9, &[declined(4), other]), expected);
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
