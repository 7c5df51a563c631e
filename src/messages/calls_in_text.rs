//! Tool calls that a model writes into its text, as Cline, Roo Code and Kilo Code have it do:
//!
//! ```text
//! <read_file>
//! <path>src/a.ts</path>
//! </read_file>
//! ```

use std::ops::Range;

use crate::pattern::{is_of_word, trimmed};

/// A call, and its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallInText<'a> {
    /// The place, in bytes.
    pub range: Range<usize>,
    /// The name of the tool.
    pub name: &'a str,
    /// The parameters in their order, each name once.
    pub parameters: Vec<(&'a str, &'a str)>,
}

/// The tools that Cline, Roo Code and Kilo Code have had in this form; any other name in angle brackets
/// is text.
pub const TOOLS_IN_TEXT: [&str; 44] = [
    "access_mcp_resource",
    "act_mode_respond",
    "apply_diff",
    "apply_patch",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "codebase_search",
    "condense",
    "delete_file",
    "edit",
    "edit_file",
    "execute_command",
    "fast_edit_file",
    "fetch_instructions",
    "focus_chain",
    "generate_explanation",
    "generate_image",
    "insert_content",
    "list_code_definition_names",
    "list_files",
    "list_skills",
    "load_mcp_documentation",
    "new_rule",
    "new_task",
    "plan_mode_respond",
    "plan_mode_response",
    "read_file",
    "replace_in_file",
    "report_bug",
    "run_slash_command",
    "search_and_replace",
    "search_files",
    "search_replace",
    "search_subagent",
    "summarize_task",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
    "use_skill",
    "use_subagents",
    "web_fetch",
    "web_search",
    "write_to_file",
];

/// The tools whose `content` is a file, which may quote any tag: there the last closing tag counts.
const WRITERS: [&str; 2] = ["write_to_file", "new_rule"];

/// The place of a conversation's first call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstCall {
    InText,
    APart,
}

/// Finds the calls in the text of one conversation. A model whose first call is a part of its message, as
/// its provider has it, means all its text as text; and whatever came before, so does a message that has
/// a call as a part.
#[derive(Debug, Clone, Default)]
pub struct CallsInText {
    first_call: Option<FirstCall>,
    /// Whether all text of the message is text.
    is_text: bool,
}

impl CallsInText {
    /// Of a conversation whose model calls no tools in its text.
    pub fn none() -> Self {
        Self {
            first_call: Some(FirstCall::APart),
            is_text: true,
        }
    }

    /// Starts a message of the model's; before its text is looked at.
    pub fn start_message(&mut self, has_call_as_part: bool) {
        if has_call_as_part {
            self.first_call.get_or_insert(FirstCall::APart);
        }
        self.is_text = has_call_as_part || self.first_call == Some(FirstCall::APart);
    }

    /// Whether the text of that message may hold calls.
    pub fn reads_text(&self) -> bool {
        !self.is_text
    }

    /// The calls in a text of that message, in their order.
    pub fn find<'a>(&mut self, text: &'a str) -> Vec<CallInText<'a>> {
        if self.is_text {
            return Vec::new();
        }
        let calls = calls_in_text(text);
        if !calls.is_empty() {
            self.first_call.get_or_insert(FirstCall::InText);
        }
        calls
    }
}

/// The calls of a text, in order, as these agents find them: a tool's tag opens a call wherever it
/// stands, in a line or in Markdown code. Inside, a parameter goes from its tag to the first tag that
/// closes it, whatever lies between; other text there counts for nothing, and neither does a tool's
/// opening tag. What breaks off is a call, too, since the agent runs it: its last parameter has the
/// text that came. Only a tag with neither a parameter nor its closing tag after it is text, a mention.
///
/// Linear in the text.
fn calls_in_text(text: &str) -> Vec<CallInText<'_>> {
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(tag) = next_tag(text, at) {
        at = tag.end;
        if tag.closes || !is_tool(tag.name) {
            continue;
        }
        // If nothing after it opens a parameter or closes it, the agent would look no further, either.
        let Some(call) = read_call(text, &tag) else {
            break;
        };
        at = call.range.end;
        calls.push(call);
    }
    calls
}

fn is_tool(name: &str) -> bool {
    TOOLS_IN_TEXT.contains(&name)
}

/// A tag without attributes.
struct Tag<'a> {
    closes: bool,
    name: &'a str,
    start: usize,
    end: usize,
}

/// The next tag from `at` on.
fn next_tag(text: &str, mut at: usize) -> Option<Tag<'_>> {
    loop {
        let start = at + text[at..].find('<')?;
        at = start + 1;
        let inner = &text[at..];
        let closes = inner.starts_with('/');
        let inner = &inner[usize::from(closes)..];
        let name = &inner[..inner.len() - inner.trim_start_matches(is_of_word).len()];
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if is_name && inner[name.len()..].starts_with('>') {
            let end = at + usize::from(closes) + name.len() + 1;
            return Some(Tag {
                closes,
                name,
                start,
                end,
            });
        }
    }
}

fn read_call<'a>(text: &'a str, opening: &Tag<'a>) -> Option<CallInText<'a>> {
    let Tag { name, start, .. } = *opening;
    let close = format!("</{name}>");
    let mut parameters: Vec<(&str, &str)> = Vec::new();
    let mut add = |parameter: &'a str, value: &'a str| {
        let value = match parameter {
            "content" => without_line_breaks(value),
            _ => trimmed(value),
        };
        match parameters.iter_mut().find(|(known, _)| *known == parameter) {
            Some((_, known)) => *known = value,
            None => parameters.push((parameter, value)),
        }
    };
    let mut at = opening.end;
    let end = loop {
        let Some(tag) = next_tag(text, at) else {
            break None;
        };
        at = tag.end;
        if tag.closes {
            if tag.name == name {
                break Some(tag.end);
            }
            continue;
        }
        if is_tool(tag.name) {
            continue;
        }
        let closing = format!("</{}>", tag.name);
        let Some(first) = text[at..].find(&closing).map(|found| at + found) else {
            add(tag.name, without_note(&text[at..]));
            break Some(text.len());
        };
        let mut to = first;
        if tag.name == "content" && WRITERS.contains(&name) {
            // Without the call's end the file is still being written, and all that came is the file.
            let end = text[to..].find(&close).map_or(text.len(), |end| to + end);
            to = text[..end].rfind(&closing).unwrap_or(to);
        }
        add(tag.name, &text[at..to]);
        at = to + closing.len();
    };
    let end = end.or_else(|| (!parameters.is_empty()).then_some(text.len()))?;
    Some(CallInText {
        range: start..end,
        name,
        parameters,
    })
}

/// Without the note that the agent adds to a text that it has cut off.
fn without_note(value: &str) -> &str {
    let note = value.rfind("\n\n[Response interrupted by ");
    note.map_or(value, |note| &value[..note])
}

/// A file keeps its white space, but for the line breaks that set it off from its tags.
fn without_line_breaks(value: &str) -> &str {
    let value = value
        .strip_prefix("\r\n")
        .or_else(|| value.strip_prefix('\n'))
        .unwrap_or(value);
    value
        .strip_suffix("\r\n")
        .or_else(|| value.strip_suffix('\n'))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Found<'a> = (&'a str, &'a str, Vec<(&'a str, &'a str)>);

    fn found(text: &str) -> Vec<Found<'_>> {
        let calls = calls_in_text(text).into_iter();
        calls
            .map(|call| (&text[call.range], call.name, call.parameters))
            .collect()
    }

    #[test]
    fn parameters_go_to_the_tags_that_close_them() {
        let text =
            "I read it.\n<read_file>\n<path> a.ts </path>\n<b>x</b></read_file> <ls><path>a</path>";
        assert_eq!(
            found(text),
            [(
                "<read_file>\n<path> a.ts </path>\n<b>x</b></read_file>",
                "read_file",
                vec![("path", "a.ts"), ("b", "x")]
            )]
        );
    }

    #[test]
    fn a_file_that_is_written_may_quote_any_tag() {
        let text = "<write_to_file><path>a</path><content>\n<content>x</content>\n </content>\n</write_to_file>";
        let [(_, _, parameters)] = &found(text)[..] else {
            panic!("one call");
        };
        assert_eq!(parameters[1], ("content", "<content>x</content>\n "));
    }

    #[test]
    fn what_breaks_off_is_a_call_and_a_mention_is_none() {
        let cut = "<execute_command><command>npm test\n\n[Response interrupted by the user]";
        assert_eq!(
            found(cut),
            [(cut, "execute_command", vec![("command", "npm test")])]
        );
        assert_eq!(found("I will use <read_file> for it."), []);
        assert_eq!(found("<read_file> then </read_file>").len(), 1);
    }

    #[test]
    fn a_model_that_calls_in_parts_writes_text() {
        let call = "<read_file><path>a</path></read_file>";
        let mut calls = CallsInText::default();
        calls.start_message(false);
        assert_eq!(calls.find(call).len(), 1);
        calls.start_message(true);
        assert_eq!(calls.find(call).len(), 0);
        calls.start_message(false);
        assert_eq!(calls.find(call).len(), 1);
        let mut parts = CallsInText::default();
        parts.start_message(true);
        parts.start_message(false);
        assert_eq!(parts.find(call).len(), 0);
    }
}
