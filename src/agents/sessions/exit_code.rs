//! The end of a command, where an agent says so in words or beside its output.

use turnkeeper_base::json::{Json, parse};
use turnkeeper_messages::{Event, exit_code, exit_code_in};

/// The result that an item of OpenAI's Responses is, read as Codex has written it: as text, as JSON in
/// text, or as an object, `{ output, metadata: { exit_code } }` or `{ content, success }`.
pub(crate) fn command_result<'a>(event: Event<'a>, item: &'a Json<'a>) -> Event<'a> {
    let Event::ToolResult {
        id,
        output,
        is_error,
        ..
    } = event
    else {
        return event;
    };
    let mut result = Told {
        output: None,
        code: None,
        has_failed: false,
    };
    match item.get("output") {
        Some(Json::Text(text)) if text.starts_with('{') => {
            let mut room = Vec::new();
            if let Ok(object) = parse(text.as_bytes(), &mut room) {
                result = told_by(&object);
            }
        }
        Some(object) => result = told_by(object),
        None => {}
    }
    let output = result.output.map_or(output, Into::into);
    Event::ToolResult {
        id,
        is_error: is_error.or(result.has_failed.then_some(true)),
        exit_code: result.code.or_else(|| exit_code_in(&output)),
        output,
    }
}

/// An object's record of a command.
struct Told {
    output: Option<String>,
    code: Option<i64>,
    has_failed: bool,
}

fn told_by(object: &Json) -> Told {
    let mut names = ["output", "content"].iter();
    let output = names.find_map(|name| object.get(name)?.as_text());
    Told {
        output: output.map(str::to_owned),
        code: exit_code(object.get("metadata").and_then(|it| it.get("exit_code"))),
        has_failed: matches!(object.get("success"), Some(Json::Bool(false))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_in_json_is_read() {
        let item = r#"{"type":"function_call_output","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}"}"#;
        let mut room = Vec::new();
        let item = parse(item.as_bytes(), &mut room).expect("JSON");
        let event = turnkeeper_messages::openai::result_of_item(&item).expect("a result");
        let Event::ToolResult {
            output, exit_code, ..
        } = command_result(event, &item)
        else {
            panic!("a result");
        };
        assert_eq!((output.as_ref(), exit_code), ("no", Some(2)));
    }
}
