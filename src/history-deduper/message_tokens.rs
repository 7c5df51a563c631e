//! The size of a message in tokens, by which a target is reached and a rewriting pays.

use turnkeeper_base::json::{Json, written};
use turnkeeper_base::text::Size;

/// The estimated tokens of what a message says, calls and answers, in the shape of Anthropic's API.
pub(super) fn tokens_of(content: &Json) -> u32 {
    match content {
        Json::Text(text) => tokens(text),
        parts => parts.items().iter().map(tokens_of_part).sum(),
    }
}

fn tokens_of_part(part: &Json) -> u32 {
    let of = |name| part.get(name).and_then(Json::as_text).map_or(0, tokens);
    let of_value = |name| part.get(name).map_or(0, tokens_of_value);
    of("text")
        + of("thinking")
        + of("name")
        + of_value("input")
        + part.get("content").map_or(0, tokens_of)
}

/// Arguments are sent as JSON.
fn tokens_of_value(value: &Json) -> u32 {
    match value {
        Json::Null => 0,
        Json::Text(text) => tokens(text),
        other => tokens(&written(other)),
    }
}

fn tokens(text: &str) -> u32 {
    Size::of_text(text).tokens()
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn texts_thoughts_calls_and_results_count_and_pictures_do_not() {
        let table = [
            (r#""four""#, 1),
            (
                r#"[{"type":"text","text":"eight is"},{"type":"thinking","thinking":"four"}]"#,
                3,
            ),
            (
                r#"[{"type":"tool_use","id":"1234567890","name":"list","input":{"a":1}}]"#,
                3,
            ),
            (
                r#"[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"four"},null]}]"#,
                1,
            ),
            (
                r#"[{"type":"tool_result","content":"four"},{"type":"image","source":"12345678"}]"#,
                1,
            ),
            ("null", 0),
        ];
        for (text, expected) in table {
            let mut room = Vec::new();
            let content = parse(text.as_bytes(), &mut room).expect("JSON");
            assert_eq!(tokens_of(&content), expected, "{text}");
        }
    }
}
