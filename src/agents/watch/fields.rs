//! Lenient reading of payloads whose fields change with the agents' releases.

use std::borrow::Cow;

use serde::Deserialize;
use turnkeeper_base::json::{Json, parse, written};

use super::event::FinishedCall;
use super::prompts::{first_units, last_units};

/// The fields of an object, which are taken out of it as they are read.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

impl<'a> Fields<'a> {
    /// The fields of an object; none of anything else.
    pub(crate) fn of(value: Option<Json<'a>>) -> Self {
        match value {
            Some(Json::Object(fields)) => Self(fields),
            _ => Self::default(),
        }
    }

    /// A field that is there and not null.
    pub(crate) fn get(&self, name: &str) -> Option<&Json<'a>> {
        let found = self.0.iter().rev().find(|(it, _)| it == name);
        found
            .map(|(_, value)| value)
            .filter(|it| **it != Json::Null)
    }

    /// Takes out a field that is there and not null.
    pub(crate) fn take(&mut self, name: &str) -> Option<Json<'a>> {
        let (_, value) = self.0.iter_mut().rfind(|(it, _)| it == name)?;
        let value = std::mem::take(value);
        (value != Json::Null).then_some(value)
    }

    /// Takes out the first of these that is a string with something in it.
    pub(crate) fn take_text<const N: usize>(&mut self, names: [&str; N]) -> Option<Cow<'a, str>> {
        names.into_iter().find_map(|name| text(self.take(name)))
    }

    /// Takes out the text of a command's streams, if they are there.
    pub(crate) fn take_streams(&mut self) -> Option<Cow<'a, str>> {
        if !matches!(self.get("stdout"), Some(Json::Text(_))) {
            return None;
        }
        let streams = ["stdout", "stderr"].map(|name| text(self.take(name)));
        Some(lines(streams.into_iter().flatten().collect()))
    }

    /// Sets a field.
    pub(crate) fn put(&mut self, name: &'static str, value: Option<Json<'a>>) {
        self.0.push((name.into(), value.unwrap_or_default()));
    }

    /// Gives a field the name that others have, unless one of that name is there.
    pub(crate) fn rename(&mut self, from: &str, to: &'static str) {
        if self.get(to).is_none() {
            let value = self.take(from);
            self.put(to, value);
        }
    }

    /// The object of these fields.
    pub(crate) fn into_json(self) -> Json<'a> {
        Json::Object(self.0)
    }
}

/// A string with something in it.
pub(crate) fn text(value: Option<Json<'_>>) -> Option<Cow<'_, str>> {
    match value {
        Some(Json::Text(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// A value that may be JSON in a string.
pub(crate) fn arguments(value: Json<'_>) -> Json<'_> {
    let Json::Text(text) = &value else {
        return value;
    };
    let parsed = parse(text.as_bytes(), &mut Vec::new()).map(Json::into_owned);
    parsed.unwrap_or(value)
}

const MOST_PARTS: usize = 1_000;

/// The text of a result in any of the shapes that agents use: a string, parts, streams of a command, or an
/// object with the text for the model. Anything else counts as its JSON.
pub(crate) fn result_text(value: Json<'_>) -> Cow<'_, str> {
    match value {
        Json::Text(text) => text,
        Json::Null => "".into(),
        Json::List(parts) => {
            let parts = parts.into_iter().take(MOST_PARTS);
            lines(parts.map(result_text).collect())
        }
        Json::Object(fields) => result_text_in(Fields(fields)),
        value => written(&value).into(),
    }
}

fn result_text_in(mut fields: Fields<'_>) -> Cow<'_, str> {
    if let Some(text) = fields.take_streams() {
        return text;
    }
    for name in [
        "llmContent",
        "textResultForLlm",
        "text_result_for_llm",
        "response_parts",
    ] {
        if let Some(said) = fields.take(name) {
            return result_text(said);
        }
    }
    match fields.get("text") {
        Some(Json::Text(_)) => result_text(fields.take("text").unwrap_or_default()),
        _ => written(&fields.into_json()).into(),
    }
}

fn lines(mut texts: Vec<Cow<'_, str>>) -> Cow<'_, str> {
    match texts.len() {
        1 => texts.remove(0),
        _ => texts.join("\n").into(),
    }
}

/// A finished call as an agent tells of it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ToldCall<'a> {
    #[serde(borrow)]
    pub(crate) id: Option<Json<'a>>,
    #[serde(borrow)]
    pub(crate) name: Option<Json<'a>>,
    #[serde(borrow)]
    pub(crate) args: Option<Json<'a>>,
    #[serde(borrow)]
    pub(crate) output: Option<Json<'a>>,
    pub(crate) is_error: Option<bool>,
    pub(crate) exit_code: Option<i64>,
}

impl<'a> ToldCall<'a> {
    /// The call, with the exit code that its text tells; `None` without a name.
    pub(crate) fn finished(self) -> Option<FinishedCall<'a>> {
        let name = text(self.name)?;
        let output = result_text(self.output.unwrap_or_default());
        let exit_code = self.exit_code.or_else(|| exit_code(&output));
        let failed = exit_code.and_then(failed);
        Some(FinishedCall {
            id: text(self.id),
            name,
            args: self.args.map_or(Json::object([]), arguments),
            is_error: self.is_error.or(failed),
            exit_code,
            output: without_frame(output),
        })
    }
}

/// True for an exit code that says so.
pub(crate) fn failed(exit_code: i64) -> Option<bool> {
    (exit_code != 0).then_some(true)
}

/// An agent tells how a command ended within this many of the first or last UTF-16 code units.
const REPORTED_WITHIN: usize = 2_000;

/// The exit code in a line in which an agent tells how a command ended.
pub(crate) fn exit_code(text: &str) -> Option<i64> {
    let (first, last) = match text.len() > 2 * REPORTED_WITHIN {
        true => (
            first_units(text, REPORTED_WITHIN),
            last_units(text, REPORTED_WITHIN),
        ),
        false => (text, ""),
    };
    let ends = || {
        [first, last]
            .into_iter()
            .flat_map(|end| end.split(is_line_end))
    };
    let line = |read: fn(&str) -> Option<i64>| ends().find_map(read);
    line(|line| number(line.strip_prefix("Exit Code: ")?))
        .or_else(|| {
            line(|line| {
                let line = line.strip_prefix("Error: ").unwrap_or(line);
                number(line.strip_prefix("Exit code ")?)
            })
        })
        .or_else(|| {
            [first, last]
                .into_iter()
                .find_map(|end| Some(shell_line(end)?.code))
        })
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// The number that a text is; its length is limited.
fn number(text: &str) -> Option<i64> {
    (digits(text) == text.len()).then(|| text.parse().ok())?
}

/// The length of the number with which a text begins; 0 if it begins with none.
fn digits(text: &str) -> usize {
    const MOST: usize = 10;
    let sign = usize::from(text.starts_with('-'));
    let digits = text.as_bytes()[sign..].iter().take(MOST);
    match digits.take_while(|it| it.is_ascii_digit()).count() {
        0 => 0,
        count => sign + count,
    }
}

/// `<shellId: 3 completed with exit code 0>`, whose numbers say nothing about the command but the last.
struct ShellLine {
    start: usize,
    end: usize,
    code: i64,
}

const SHELL: &str = "<shellId: ";

/// The first of these within a text.
fn shell_line(text: &str) -> Option<ShellLine> {
    text.match_indices(SHELL).find_map(|(start, _)| {
        let id = &text[start + SHELL.len()..];
        let is_of_id = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let after = id.trim_start_matches(is_of_id);
        if !(1..=20).contains(&(id.len() - after.len())) {
            return None;
        }
        let code = after.strip_prefix(" completed with exit code ")?;
        let length = digits(code);
        let end = code[length..].strip_prefix('>')?;
        Some(ShellLine {
            start,
            end: text.len() - end.len(),
            code: code[..length].parse().ok()?,
        })
    })
}

/// The text without the lines in which agents tell how a command ended: their numbers grow from call to call, or
/// they say nothing.
fn without_frame(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_framed = [
        SHELL,
        "Exit Code: ",
        " (none)",
        "Process Group PGID: ",
        "Background PIDs: ",
    ];
    if !is_framed.iter().any(|it| text.contains(it)) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest: &str = &text;
    let mut begins_line = true;
    while !rest.is_empty() {
        if begins_line && let Some(after) = after_frame(rest) {
            begins_line = text[..text.len() - after.len()].ends_with(is_line_end);
            rest = after;
            continue;
        }
        let length = rest.find(is_line_end).map_or(rest.len(), |at| {
            at + rest[at..].chars().next().map_or(0, char::len_utf8)
        });
        let (line, after) = rest.split_at(length);
        match shell_line(line) {
            Some(ShellLine { start, end, .. }) => {
                kept.push_str(&line[..start]);
                let after = &rest[end..];
                rest = after.strip_prefix('\n').unwrap_or(after);
                begins_line = rest.len() < after.len();
            }
            None => {
                kept.push_str(line);
                rest = after;
                begins_line = true;
            }
        }
    }
    kept.into()
}

/// The rest of a text after a line that an agent has put around an output, if it begins with one.
fn after_frame(text: &str) -> Option<&str> {
    let whole = ["Process Group PGID: ", "Background PIDs: "];
    let after = if whole.iter().any(|it| text.starts_with(it)) {
        &text[text.find('\n').unwrap_or(text.len())..]
    } else if let Some(code) = text.strip_prefix("Exit Code: ") {
        let length = digits(code);
        if length == 0 {
            return None;
        }
        &code[length..]
    } else {
        let none = ["Error: (none)", "Signal: (none)"];
        none.iter().find_map(|it| text.strip_prefix(it))?
    };
    Some(after.strip_prefix('\n').unwrap_or(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(output: &str) -> FinishedCall<'_> {
        let told = ToldCall {
            name: Some("shell".into()),
            output: Some(output.into()),
            ..ToldCall::default()
        };
        told.finished().expect("it has a name")
    }

    #[test]
    fn how_a_command_ended_is_read_and_left_out_where_it_changes_by_itself() {
        let table = [
            (
                "Output: a\nExit Code: 1\nProcess Group PGID: 4001\n",
                "Output: a\n",
                Some(1),
            ),
            (
                "Error: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: 1, 2",
                "",
                Some(0),
            ),
            (
                "Exit code 2\nmake: no rule",
                "Exit code 2\nmake: no rule",
                Some(2),
            ),
            ("Error: Exit code -1", "Error: Exit code -1", Some(-1)),
            (
                "a\n<shellId: 3 completed with exit code 0>\nb",
                "a\nb",
                Some(0),
            ),
            ("a <shellId: x7 completed with exit code 9>", "a ", Some(9)),
            (
                "<shellId: 1 completed with exit code 0>Exit Code: 5",
                "Exit Code: 5",
                Some(0),
            ),
            ("it says Exit Code: 1", "it says Exit Code: 1", None),
            ("Exit Code: 12345678901", "1", None),
            ("Exit Code: x", "Exit Code: x", None),
            ("<shellId: é completed>", "<shellId: é completed>", None),
        ];
        for (text, output, exit_code) in table {
            let call = finished(text);
            assert_eq!(
                (&*call.output, call.exit_code),
                (output, exit_code),
                "{text}"
            );
            assert_eq!(call.is_error, exit_code.filter(|it| *it != 0).map(|_| true));
        }
        let long = format!("{}\nExit Code: 3\n", "é\n".repeat(5_000));
        assert_eq!(finished(&long).exit_code, Some(3));
        let within = format!("{long}{}", "é\n".repeat(5_000));
        assert_eq!(finished(&within).exit_code, None);
    }

    #[test]
    fn a_result_is_read_in_every_shape() {
        let table = [
            (r#""a""#, "a"),
            ("null", ""),
            ("7", "7"),
            (
                r#"["a",{"text":"b"},{"type":"x"}]"#,
                "a\nb\n{\"type\":\"x\"}",
            ),
            (r#"{"stdout":"a","stderr":"b"}"#, "a\nb"),
            (r#"{"stdout":"a","stderr":""}"#, "a"),
            (r#"{"llmContent":[{"text":"a"}],"returnDisplay":"b"}"#, "a"),
            (r#"{"textResultForLlm":"a"}"#, "a"),
            (r#"{"matrix":[1.0]}"#, "{\"matrix\":[1]}"),
        ];
        for (json, expected) in table {
            let mut room = Vec::new();
            let value = parse(json.as_bytes(), &mut room).expect("JSON");
            assert_eq!(result_text(value), expected, "{json}");
        }
    }

    #[test]
    fn arguments_may_be_json_in_a_string() {
        assert_eq!(
            arguments("{\"a\":1}".into()),
            Json::object([("a", Json::Number(1.0))])
        );
        assert_eq!(arguments("{".into()), "{".into());
    }
}
