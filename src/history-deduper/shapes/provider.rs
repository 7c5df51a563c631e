//! Whose shape a message has.

use turnkeeper_base::json::Json;
use turnkeeper_messages::openai::is_item;

/// Whose shape a message has. Agents save Anthropic's most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Anthropic's, in which Cline and Claude Code save theirs; also Bedrock's, whose parts have no type.
    Anthropic,
    /// OpenAI's chat messages, and the items of its Responses.
    OpenAi,
    /// Gemini's contents.
    Gemini,
    /// The AI SDK's.
    AiSdk,
    /// VS Code's.
    Vscode,
}

impl Shape {
    /// The shape of a message; `None` if it is none that is known.
    pub fn of(message: &Json) -> Option<Self> {
        let content = message.get("content");
        let is_list = matches!(content, Some(Json::List(_)));
        if content.is_none() && matches!(message.get("parts"), Some(Json::List(_))) {
            return Some(Self::Gemini);
        }
        let Some(role) = message.get("role").and_then(Json::as_text) else {
            if is_list && role_of_vscode(message).is_some() {
                return Some(Self::Vscode);
            }
            if is_item(message) {
                return Some(Self::OpenAi);
            }
            // Without a role it is not the user's, and stays as it is.
            let has_content = is_list || matches!(content, Some(Json::Text(_)));
            return has_content.then_some(Self::Anthropic);
        };
        let has = |name: &str| !matches!(message.get(name), None | Some(Json::Null));
        if role == "function"
            || ["tool_calls", "function_call", "tool_call_id"]
                .iter()
                .any(|it| has(it))
        {
            return Some(Self::OpenAi);
        }
        let parts = content.map_or(&[][..], Json::items);
        Some(parts.iter().find_map(of_part).unwrap_or(Self::Anthropic))
    }
}

/// Of a part that is not the same for several.
fn of_part(part: &Json) -> Option<Shape> {
    match part.get("type")?.as_text()? {
        "tool_use" | "tool_result" | "thinking" => Some(Shape::Anthropic),
        "tool-call" | "tool-result" | "reasoning" => Some(Shape::AiSdk),
        "input_text" | "output_text" => Some(Shape::OpenAi),
        _ => None,
    }
}

/// The name of the role of a message of VS Code's.
pub(super) fn role_of_vscode(message: &Json) -> Option<&'static str> {
    let Some(Json::Number(role)) = message.get("role") else {
        return None;
    };
    let names = [(1.0, "user"), (2.0, "assistant"), (3.0, "system")];
    names
        .iter()
        .find(|(it, _)| it == role)
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn a_message_shows_whose_shape_it_has() {
        let table = [
            (r#"{"role":"user","content":"a"}"#, Some(Shape::Anthropic)),
            (r#"{"role":"user","parts":[]}"#, Some(Shape::Gemini)),
            (r#"{"parts":[{"text":"a"}]}"#, Some(Shape::Gemini)),
            (
                r#"{"role":1,"content":[{"value":"a"}]}"#,
                Some(Shape::Vscode),
            ),
            (
                r#"{"role":4,"content":[{"value":"a"}]}"#,
                Some(Shape::Anthropic),
            ),
            (
                r#"{"role":"tool","tool_call_id":"1","content":"a"}"#,
                Some(Shape::OpenAi),
            ),
            (
                r#"{"role":"function","name":"a","content":"a"}"#,
                Some(Shape::OpenAi),
            ),
            (
                r#"{"role":"assistant","content":null,"tool_calls":[]}"#,
                Some(Shape::OpenAi),
            ),
            (
                r#"{"role":"user","tool_calls":null,"content":"a"}"#,
                Some(Shape::Anthropic),
            ),
            (
                r#"{"type":"function_call_output","output":"a"}"#,
                Some(Shape::OpenAi),
            ),
            (r#"{"type":"web_search_call"}"#, Some(Shape::OpenAi)),
            (r#"{"type":"reasoning"}"#, Some(Shape::OpenAi)),
            (
                r#"{"role":"user","content":[{"type":"input_text"}]}"#,
                Some(Shape::OpenAi),
            ),
            (
                r#"{"role":"tool","content":[{"type":"tool-result"}]}"#,
                Some(Shape::AiSdk),
            ),
            (r#"{"type":"message_call"}"#, None),
            (r#"{"type":"x"}"#, None),
            ("[]", None),
        ];
        for (text, expected) in table {
            let mut room = Vec::new();
            let message = parse(text.as_bytes(), &mut room).expect("JSON");
            assert_eq!(Shape::of(&message), expected, "{text}");
        }
    }
}
