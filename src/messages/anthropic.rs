//! The blocks of Anthropic's messages. Cline, Roo Code and Kilo Code save theirs in this form, and so does Claude
//! Code.

use turnkeeper_base::json::Json;

use crate::event::Event;
use crate::events::{Read, answered, called, exit_code, kind_of, reasoning, text_at};
use crate::part::Part;
use crate::tool_output::text_of;

/// The parts of a block. A call may be the model's, or of a tool that the provider runs, which has its result in the
/// same message.
pub(crate) fn parts_of_block<'a>(block: &'a Json<'a>) -> Read<'a> {
    Some(match kind_of(block) {
        // Mistral's is a list of texts.
        "thinking" => reasoning(block.get("thinking").map(text_of).unwrap_or_default()),
        "redacted_thinking" | "container_upload" | "search_result" => vec![],
        "compaction" => vec![Part::Event(Event::Condensation)],
        kind if ends_with_word(kind, "tool_use") => {
            let name = text_at(block, "name");
            vec![called(block.get("id"), name, block.get("input"))]
        }
        kind if ends_with_word(kind, "tool_result") => vec![Part::Event(result_of(block))],
        _ => return None,
    })
}

fn result_of<'a>(block: &'a Json<'a>) -> Event<'a> {
    let content = block.get("content");
    let is_error = matches!(block.get("is_error"), Some(Json::Bool(true)))
        || content.is_some_and(|it| kind_of(it).ends_with("_error"));
    let mut result = answered(block.get("tool_use_id"), content, is_error);
    if let Event::ToolResult {
        exit_code: code, ..
    } = &mut result
    {
        *code = exit_code(content.and_then(|it| it.get("return_code")));
    }
    result
}

/// Whether a type is this one, or one that ends with `_` and this, as `server_tool_use` does.
fn ends_with_word(kind: &str, word: &str) -> bool {
    let before = kind.strip_suffix(word);
    before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
}
