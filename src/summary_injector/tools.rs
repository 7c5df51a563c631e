//! The tools of the thinking phase.

/// `continue_thinking` and `recall_context`, as a JSON array of `{name, description, parameters}`.
/// The parameters of the second are those of [`Recall`](super::Recall).
pub const THINKING_TOOLS: &str = r#"[{"name":"continue_thinking","description":"Think for another round before you act.","parameters":{"type":"object","properties":{"focus":{"type":"string","description":"What to work out next."}}}},{"name":"recall_context","description":"Bring messages of earlier turns back for the next action.","parameters":{"type":"object","properties":{"turns":{"type":"array","items":{"type":"integer"},"description":"Turn numbers."},"ids":{"type":"array","items":{"type":"string"},"description":"Message ids."},"keywords":{"type":"array","items":{"type":"string"},"description":"Words from a turn."}}}}]"#;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_tools_are_json_schemas() {
        let tools: Vec<Value> = serde_json::from_str(THINKING_TOOLS).expect("JSON");
        let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["continue_thinking", "recall_context"]);
        for tool in &tools {
            assert_eq!(tool["parameters"]["type"], "object");
        }
        let fields = tools[1]["parameters"]["properties"].as_object();
        let mut fields: Vec<&String> = fields.expect("an object").keys().collect();
        fields.sort();
        assert_eq!(fields, ["ids", "keywords", "turns"]);
    }
}
