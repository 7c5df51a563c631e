//! The tools of the thinking phase.

use serde::Serialize;
use serde_json::Value;

/// A tool that a model can call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThinkingTool {
    /// The name by which it is called.
    pub name: &'static str,
    /// Its use, for the model.
    pub description: &'static str,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// `continue_thinking` and `recall_context`. The arguments of the second are those of
/// [`Recall`](super::Recall).
#[must_use]
pub fn thinking_tools() -> Vec<ThinkingTool> {
    let tool = |name, description, parameters| ThinkingTool {
        name,
        description,
        parameters: schema(parameters),
    };
    vec![
        tool(
            "continue_thinking",
            "Say whether you think for another round before you act.",
            r#"{
                "type": "object",
                "properties": {
                    "continueThinking": {
                        "type": "boolean",
                        "description": "Whether another round is needed; false to act now."
                    },
                    "summary": {
                        "type": "string",
                        "description": "What the thinking so far has come to."
                    },
                    "focus": { "type": "string", "description": "What to work out next." }
                },
                "required": ["continueThinking"]
            }"#,
        ),
        tool(
            "recall_context",
            "Bring messages of earlier turns back for the next action.",
            r#"{
                "type": "object",
                "properties": {
                    "turns": { INTEGERS, "description": "Turn numbers." },
                    "turnNumbers": { INTEGERS, "description": "The same as turns." },
                    "ids": { STRINGS, "description": "Message ids." },
                    "keywords": { STRINGS, "description": "Words from a turn." }
                },
                "additionalProperties": false
            }"#,
        ),
    ]
}

/// A JSON schema, in which `STRINGS` and `INTEGERS` stand for the type of a list.
pub(super) fn schema(text: &str) -> Value {
    let list = |items| format!(r#""type": "array", "items": {{ "type": "{items}" }}"#);
    let text = text.replace("STRINGS", &list("string"));
    let text = text.replace("INTEGERS", &list("integer"));
    serde_json::from_str(&text).expect("the schema is JSON")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Recall;

    #[test]
    fn the_tools_are_json_schemas() {
        let tools = thinking_tools();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["continue_thinking", "recall_context"]);
        for tool in &tools {
            assert_eq!(tool.parameters["type"], "object");
        }
    }

    #[test]
    fn what_recall_context_is_called_with_is_read() {
        let properties = &thinking_tools()[1].parameters["properties"];
        let fields: Vec<&String> = properties.as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["turns", "turnNumbers", "ids", "keywords"]);
        let arguments =
            json!({ "turns": [1], "turnNumbers": [2], "ids": ["a"], "keywords": ["b"] });
        let recall: Recall = serde_json::from_value(arguments).expect("as the schema says");
        assert_eq!(recall.turns, [1]);
        assert_eq!(recall.turn_numbers, [2]);
        assert_eq!(recall.ids, ["a"]);
        assert_eq!(recall.keywords, ["b"]);
    }
}
