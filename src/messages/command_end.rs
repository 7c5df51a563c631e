//! How a command ended, where an agent says so in the text of its result.

use std::borrow::Cow;

use turnkeeper_base::text::{first_units, last_units};

use crate::pattern::is_of_word;

/// An agent tells how a command ended within this many of the first or last UTF-16 code units.
const TOLD_WITHIN: usize = 400;

/// The beginnings of a line that ends with the exit code: those of gemini-cli, Claude Code and Codex.
const BEFORE_CODE: [&str; 4] = [
    "Exit Code: ",
    "Exit code: ",
    "Exit code ",
    "Process exited with code ",
];

/// The exit code that a line tells in which an agent says how a command ended; `None` if no line near the ends of the
/// result does. Agents tell it before the output or after it, so one within the output is none of theirs.
pub fn exit_code_in(result: &str) -> Option<i64> {
    let is_long = result.len() > 2 * TOLD_WITHIN;
    let ends = match is_long {
        true => [
            first_units(result, TOLD_WITHIN),
            last_units(result, TOLD_WITHIN),
        ],
        false => [result, ""],
    };
    let mut lines = ends.into_iter().flat_map(|end| end.split(is_line_end));
    lines
        .find_map(code_of_line)
        .or_else(|| ends.into_iter().find_map(|end| Some(shell_line(end)?.code)))
        .or_else(|| {
            // mini-swe-agent.
            let rest = result.strip_prefix("<returncode>")?;
            let (code, rest) = rest.split_at(digits(rest));
            rest.starts_with("</returncode>")
                .then(|| code.parse().ok())?
        })
}

fn code_of_line(line: &str) -> Option<i64> {
    let line = line.strip_prefix("Error: ").unwrap_or(line);
    let rest = BEFORE_CODE.iter().find_map(|it| line.strip_prefix(it))?;
    // OpenClaw's sentence has a full stop.
    let rest = rest.strip_suffix('.').unwrap_or(rest);
    (digits(rest) == rest.len()).then(|| rest.parse().ok())?
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
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
        let after = id.trim_start_matches(is_of_word);
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
pub fn without_frame(text: Cow<'_, str>) -> Cow<'_, str> {
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

    #[test]
    fn how_a_command_ended_is_read_and_left_out_where_it_changes_by_itself() {
        for (result, output, exit_code) in [
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
            ("Exit Code: 12345678901", "1", None),
        ] {
            assert_eq!(without_frame(result.into()), output, "{result}");
            assert_eq!(exit_code_in(result), exit_code, "{result}");
        }
    }

    #[test]
    fn the_line_that_tells_an_exit_code_is_an_agents() {
        for (result, exit_code) in [
            ("Exit code 2\nmake: no rule", Some(2)),
            ("Error: Exit code -1", Some(-1)),
            ("Exit code: 1\nWall time: 2", Some(1)),
            ("Chunk\r\nProcess exited with code 130\r\nOutput", Some(130)),
            ("unknown option\n\nProcess exited with code 1.", Some(1)),
            ("<returncode>-1</returncode>", Some(-1)),
            ("Exit code: 1x", None),
            ("Exit code: 12345678901", None),
            (" Exit code: 1", None),
            ("x\n<returncode>1</returncode>", None),
            ("it says Exit Code: 1", None),
            ("Exit Code: x", None),
            ("<shellId: é completed>", None),
            ("", None),
        ] {
            assert_eq!(exit_code_in(result), exit_code, "{result}");
        }
    }

    #[test]
    fn an_exit_code_is_told_at_an_end_of_the_result() {
        let much = "é\n".repeat(1_000);
        for (result, exit_code) in [
            (format!("{much}Exit Code: 3\n"), Some(3)),
            (format!("Exit code: 3\n{much}"), Some(3)),
            (format!("{much}Exit Code: 3\n{much}"), None),
        ] {
            assert_eq!(exit_code_in(&result), exit_code);
        }
    }
}
