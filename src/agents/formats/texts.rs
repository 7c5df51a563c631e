//! Things beside words in the texts of messages: commands in fences, and blocks of environment.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::trimmed;

/// Whether the answer to a call in the text holds words of a person.
pub(super) fn holds_persons_words(output: &str) -> bool {
    let tags = ["<feedback>", "<user_message>", "<answer>"];
    output.starts_with("[TASK RESUMPTION]") || tags.iter().any(|tag| output.contains(tag))
}

/// Whether a text in the user's name begins as hosts begin the result of a call.
pub(super) fn answers_call(output: &str) -> bool {
    let beginnings = [
        "<tool_result",
        "<tool_response",
        "<function_results",
        "[Function Response: ",
    ];
    let output = trimmed(output);
    beginnings.iter().any(|it| output.starts_with(it))
}

/// Texts as one, a line each.
pub(super) fn joined<'a>(texts: &[&'a str]) -> Cow<'a, str> {
    match texts {
        [text] => Cow::Borrowed(text),
        texts => texts.join("\n").into(),
    }
}

/// The texts in blocks that are fenced as commands.
pub(super) fn fenced_commands(text: &str) -> Vec<Json<'static>> {
    let mut commands = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(FENCE) {
        let opening = at + found;
        let Some(block) = command_block(&text[opening + FENCE.len()..]) else {
            // A fence of more ticks ends with one of three.
            at = opening + 1;
            continue;
        };
        // An unclosed fence runs to the end.
        let Some((command, after)) = block.split_once("\n```") else {
            break;
        };
        commands.push(Json::from(trimmed(command).to_owned()));
        at = text.len() - after.len();
    }
    commands
}

const FENCE: &str = "```";

/// The text after the line that opens a fence, if it opens one of commands.
fn command_block(after: &str) -> Option<&str> {
    let mut names = ["bash", "sh", "mswea_bash_command"].iter();
    let line = names.find_map(|name| after.strip_prefix(name))?;
    let line = line.trim_start_matches([' ', '\t']);
    line.strip_prefix("\r\n")
        .or_else(|| line.strip_prefix('\n'))
}

/// The tag that begins a block of environment.
pub(super) const ENVIRONMENT: &str = "<environment_details>";

/// A text, and the block of environment that it is or ends with.
pub(super) fn cut_environment(part: &str) -> (&str, &str) {
    let ends = trimmed(part).ends_with("</environment_details>");
    let at = ends.then(|| part.rfind(ENVIRONMENT)).flatten();
    part.split_at(at.unwrap_or(part.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stand_in_fences_that_say_so() {
        for (text, expected) in [
            (
                "I look.\n```bash\nls\n```\nand\n```sh \r\n cat a \n```",
                &["ls", "cat a"][..],
            ),
            ("````mswea_bash_command\nls\n```", &["ls"]),
            ("```\nls\n```\n```js\n1\n```", &[]),
            ("```bash\nls", &[]),
            ("```bash ls\n```", &[]),
        ] {
            let expected: Vec<Json> = expected.iter().map(|it| Json::from(*it)).collect();
            assert_eq!(fenced_commands(text), expected, "{text}");
        }
    }

    #[test]
    fn a_block_of_environment_ends_a_text() {
        let block = "<environment_details>\n# Time\n</environment_details>";
        let text = format!("Go on. {block}\n");
        let (words, found) = cut_environment(&text);
        assert_eq!((words, found.trim_end()), ("Go on. ", block));
        assert_eq!(cut_environment(block), ("", block));
        let quoted = format!("{block} is a block");
        assert_eq!(cut_environment(&quoted), (&quoted[..], ""));
        assert_eq!(
            cut_environment("</environment_details>"),
            ("</environment_details>", "")
        );
    }
}
