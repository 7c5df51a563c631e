//! The end of a command, where an agent says so in words or beside its output.

use turnkeeper_base::json::{Json, parse};
use turnkeeper_messages::{Event, exit_code, is_of_word};

/// The UTF-16 units of an output that are looked at.
const HEAD: usize = 400;

/// The exit code in the first lines of a command's output, as Codex and mini-swe-agent write it.
pub(crate) fn exit_code_in(output: &str) -> Option<i64> {
    let mut units = 0;
    let end = output.char_indices().find_map(|(at, letter)| {
        units += letter.len_utf16();
        (units > HEAD).then_some(at)
    });
    let head = &output[..end.unwrap_or(output.len())];
    let mut lines = head.split(['\n', '\r', '\u{2028}', '\u{2029}']);
    lines.find_map(code_of_line).or_else(|| {
        let (code, rest) = number_in(head.strip_prefix("<returncode>")?)?;
        rest.starts_with("</returncode>").then_some(code)
    })
}

fn code_of_line(line: &str) -> Option<i64> {
    let mut beginnings = ["Exit code", "Process exited with code"].iter();
    let rest = beginnings.find_map(|it| line.strip_prefix(it))?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let (code, rest) = number_in(rest.strip_prefix(' ')?)?;
    (!rest.starts_with(is_of_word)).then_some(code)
}

/// A number of at most ten digits, and what follows.
fn number_in(text: &str) -> Option<(i64, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let rest = digits.trim_start_matches(|it: char| it.is_ascii_digit());
    let number = &text[..text.len() - rest.len()];
    let is_short = digits.len() - rest.len() <= 10;
    Some((number.parse().ok().filter(|_| is_short)?, rest))
}

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
    fn the_words_of_a_command_say_how_it_ended() {
        for (output, code) in [
            ("Exit code: 1\nWall time: 2", Some(1)),
            ("Chunk\nProcess exited with code 130\nOutput", Some(130)),
            ("<returncode>-1</returncode>", Some(-1)),
            ("Exit code: 1x", None),
            ("Exit code: 12345678901", None),
            (" Exit code: 1", None),
            ("x\n<returncode>1</returncode>", None),
            ("", None),
        ] {
            assert_eq!(exit_code_in(output), code, "{output}");
        }
        let far = format!("{}\nExit code: 1", "é".repeat(400));
        assert_eq!(exit_code_in(&far), None);
    }

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
