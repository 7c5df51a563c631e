//! The parts of a message, whichever provider's it is.

use turnkeeper_base::json::Json;

use crate::events::{answered, called, kind_of, of, text, text_at};
use crate::part::{Part, is_result};
use crate::providers::{Provider, Providers};
use crate::tool_output::is_media;
use crate::{ai_sdk, anthropic, gemini, openai, vscode};

/// The parts that a message or an item holds, in their order, with the thinking and the calls that some have beside
/// the content. Of a tool's message it is the results.
pub fn parts_of<'a>(message: &'a Json<'a>) -> Vec<Part<'a>> {
    parts_and_providers(message, &mut Providers::default())
}

/// The same; adds whose the message is, as far as it shows.
pub fn parts_and_providers<'a>(message: &'a Json<'a>, seen: &mut Providers) -> Vec<Part<'a>> {
    let is_item = of(message, "role").is_none() && openai::is_item(message);
    if is_item {
        seen.add(Provider::OpenAi);
        return openai::parts_of_item(message);
    }
    let pieces = pieces(message).iter();
    let mut spoken: Vec<Part> = pieces.flat_map(|part| read(part, seen)).collect();
    if openai::is_tool_message(message) {
        if spoken.iter().any(is_result) {
            spoken.retain(is_result);
            return spoken;
        }
        seen.add(Provider::OpenAi);
        return vec![Part::Event(openai::result_of(message))];
    }
    if text_at(message, "role") == Some("toolResult") {
        let is_error = matches!(message.get("isError"), Some(Json::Bool(true)));
        let id = message.get("toolCallId");
        return vec![Part::Event(answered(id, message.get("content"), is_error))];
    }
    let calls = openai::calls_of(message);
    if !calls.is_empty() {
        seen.add(Provider::OpenAi);
    }
    let mut parts = openai::thinking_of(message);
    parts.append(&mut spoken);
    parts.extend(calls);
    parts
}

/// The parts that a part of a content holds; none if nobody knows the part.
pub fn parts_of_part<'a>(part: &'a Json<'a>) -> Vec<Part<'a>> {
    read(part, &mut Providers::default())
}

fn read<'a>(part: &'a Json<'a>, seen: &mut Providers) -> Vec<Part<'a>> {
    if let Json::Text(words) = part {
        return text(Some(words));
    }
    let parts = match of(part, "type") {
        None => untyped(part, seen),
        Some(_) => typed(part, seen),
    };
    match parts {
        parts if parts.is_empty() && is_media(part) => vec![Part::Image],
        parts => parts,
    }
}

fn typed<'a>(part: &'a Json<'a>, seen: &mut Providers) -> Vec<Part<'a>> {
    match kind_of(part) {
        // A part of text looks the same wherever it comes from.
        "text" => return text(text_at(part, "text")),
        // pi's are like Anthropic's, but for calls.
        "toolCall" => {
            let name = text_at(part, "name");
            return vec![called(part.get("id"), name, part.get("arguments"))];
        }
        _ => {}
    }
    let (provider, parts) = if let Some(parts) = anthropic::parts_of_block(part) {
        (Provider::Anthropic, parts)
    } else if let Some(parts) = openai::parts_of_part(part) {
        (Provider::OpenAi, parts)
    } else if let Some(parts) = ai_sdk::parts_of_part(part) {
        (Provider::AiSdk, parts)
    } else {
        return Vec::new();
    };
    seen.add(provider);
    parts
}

fn untyped<'a>(part: &'a Json<'a>, seen: &mut Providers) -> Vec<Part<'a>> {
    match gemini::parts_of_part(part) {
        Some(parts) => {
            seen.add(Provider::Gemini);
            parts
        }
        None => vscode::parts_of_part(part).unwrap_or_default(),
    }
}

/// The pieces of a message's content, which the agents and Gemini call `parts`: one, if it is a text.
pub(crate) fn pieces<'a>(message: &'a Json<'a>) -> &'a [Json<'a>] {
    match of(message, "content").or_else(|| of(message, "parts")) {
        Some(text @ Json::Text(_)) => std::slice::from_ref(text),
        content => content.map_or(&[], Json::items),
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::{parse, written};

    use super::*;

    /// The parts of a message or of a part, as JSON.
    fn shown(parts: Vec<Part>) -> String {
        let parts = parts.into_iter().map(|part| match part {
            Part::Event(event) => written(&event),
            Part::NamelessCall => "nameless".to_owned(),
            Part::Image => "image".to_owned(),
        });
        parts.collect::<Vec<_>>().join(" ").replace('"', "'")
    }

    #[test]
    fn the_parts_of_every_provider_are_known() {
        for (text, expected) in [
            (r#""hello""#, "{'type':'text','text':'hello'}"),
            (r#""""#, ""),
            (
                r#"{"type":"text","text":"a"}"#,
                "{'type':'text','text':'a'}",
            ),
            (
                r#"{"type":"input_text","text":"a"}"#,
                "{'type':'text','text':'a'}",
            ),
            (
                r#"{"type":"refusal","refusal":"no"}"#,
                "{'type':'text','text':'no'}",
            ),
            (
                r#"{"type":"thinking","thinking":"hm"}"#,
                "{'type':'reasoning','text':'hm'}",
            ),
            (
                r#"{"type":"server_tool_use","id":"1","name":"a"}"#,
                "{'type':'tool_call','id':'1','name':'a'}",
            ),
            (
                r#"{"type":"tool_result","tool_use_id":"1","content":{"type":"bash_error","return_code":2}}"#,
                "{'type':'tool_result','id':'1','output':'{\\'type\\':\\'bash_error\\',\\'return_code\\':2}','isError':true,'exitCode':2}",
            ),
            (r#"{"type":"tool_use","id":"1"}"#, "nameless"),
            (
                r#"{"type":"tool-result","toolCallId":"1","output":{"type":"error-text","value":"no"}}"#,
                "{'type':'tool_result','id':'1','output':'no','isError':true}",
            ),
            (
                r#"{"type":"tool-read","toolCallId":"1","state":"output-available","input":{},"output":"o"}"#,
                "{'type':'tool_call','id':'1','name':'read','args':{}} {'type':'tool_result','id':'1','output':'o'}",
            ),
            (
                r#"{"type":"tool-invocation","toolInvocation":{"state":"call","toolName":"a","args":7}}"#,
                "{'type':'tool_call','name':'a','args':7}",
            ),
            (
                r#"{"type":"toolCall","name":"a","arguments":{}}"#,
                "{'type':'tool_call','name':'a','args':{}}",
            ),
            (r#"{"type":"compaction"}"#, "{'type':'condensation'}"),
            (r#"{"type":"image","source":{}}"#, "image"),
            (r#"{"type":"input_image","image_url":"x"}"#, "image"),
            (r#"{"type":"image"}"#, ""),
            (
                r#"{"text":"a","thought":true}"#,
                "{'type':'reasoning','text':'a'}",
            ),
            (
                r#"{"functionResponse":{"response":{"error":"e"}}}"#,
                "{'type':'tool_result','output':'e','isError':true}",
            ),
            (
                r#"{"executableCode":{"code":"1","x":2}}"#,
                "{'type':'tool_call','name':'code_execution','args':{'code':'1'}}",
            ),
            (r#"{"inlineData":{"data":"x"}}"#, "image"),
            (r#"{"value":"a"}"#, "{'type':'text','text':'a'}"),
            (
                r#"{"value":["a","b"],"id":"1"}"#,
                "{'type':'reasoning','text':'ab'}",
            ),
            (
                r#"{"callId":"1","name":"a","input":{}}"#,
                "{'type':'tool_call','id':'1','name':'a','args':{}}",
            ),
            (
                r#"{"callId":"1","content":[{"value":"a"}]}"#,
                "{'type':'tool_result','id':'1','output':'a'}",
            ),
            (r#"{"type":"strange"}"#, ""),
            ("7", ""),
            ("null", ""),
        ] {
            let mut room = Vec::new();
            let part = parse(text.as_bytes(), &mut room).expect("JSON");
            assert_eq!(shown(parts_of_part(&part)), expected, "{text}");
        }
    }

    #[test]
    fn messages_have_parts_beside_their_content() {
        for (text, expected, is_openai) in [
            (
                r#"{"role":"assistant","content":"a","reasoning_content":"r","tool_calls":[{"id":"1","function":{"name":"f","arguments":""}}]}"#,
                "{'type':'reasoning','text':'r'} {'type':'text','text':'a'} {'type':'tool_call','id':'1','name':'f','args':{}}",
                true,
            ),
            (
                r#"{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"a"}]}"#,
                "{'type':'tool_result','id':'1','output':'a'}",
                true,
            ),
            (
                r#"{"role":"toolResult","toolCallId":"1","isError":true,"content":[{"type":"text","text":"a"}]}"#,
                "{'type':'tool_result','id':'1','output':'a','isError':true}",
                false,
            ),
            (
                r#"{"type":"web_search_call","id":"1","action":{"query":"q"},"error":"no"}"#,
                "{'type':'tool_call','id':'1','name':'web_search','args':{'query':'q'}} {'type':'tool_result','id':'1','output':'no','isError':true}",
                true,
            ),
            (
                r#"{"type":"reasoning","summary":[{"text":"a"},{"text":"b"}]}"#,
                "{'type':'reasoning','text':'a\\nb'}",
                true,
            ),
        ] {
            let mut room = Vec::new();
            let message = parse(text.as_bytes(), &mut room).expect("JSON");
            let mut seen = Providers::default();
            assert_eq!(
                shown(parts_and_providers(&message, &mut seen)),
                expected,
                "{text}"
            );
            assert_eq!(seen.has(Provider::OpenAi), is_openai);
        }
    }
}
