//! Lenient reading of payloads whose fields change with the agents' releases.

use std::borrow::Cow;

use serde::Deserialize;
use turnkeeper_base::json::{Json, parse, written};
use turnkeeper_messages::{exit_code_in, without_frame};

use super::event::FinishedCall;

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
        let exit_code = self.exit_code.or_else(|| exit_code_in(&output));
        Some(FinishedCall {
            id: text(self.id),
            name,
            args: self.args.map_or(Json::object([]), arguments),
            is_error: self.is_error,
            exit_code,
            output: without_frame(output),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
