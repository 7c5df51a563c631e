//! Commands that print one file and do nothing else: `cat a.ts`, `sed -n '1,200p' a.ts`, as Codex and
//! others read.

use turnkeeper_base::json::Json;
use turnkeeper_base::text::first_units;
use turnkeeper_messages::{is_white, trimmed};

use super::extents::lines_between;
use super::pieces::ends_line;
use crate::files::Extent;
use turnkeeper_messages::pieces::{
    after_one_of, after_words, digits, number, perhaps_after, places,
};

/// The file that a command line reads, and which part of it, if it reads one file and does nothing else.
pub(super) fn shell_read(command: &str) -> Option<(&str, Extent)> {
    let line = trimmed(command);
    let (path, extent) = match whole_file(line) {
        Some(path) => (path, Extent::Complete),
        None => some_lines(line)?,
    };
    (!path.starts_with('-')).then_some((path, extent))
}

fn whole_file(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("cat ") {
        let file = after_first(rest, &["-n ", "-A "]).and_then(operand);
        return file.or_else(|| operand(rest));
    }
    if let Some(rest) = after_first(line, &["nl -ba ", "bat -p ", "bat --plain "]) {
        return word(rest);
    }
    let rest = after_one_of(line, &["type ", "get-content ", "gc "])?;
    let file = after_one_of(rest, &["-raw ", "-path "]).and_then(word);
    file.or_else(|| word(rest))
}

/// A word, or one after the sign that no more options come.
fn operand(text: &str) -> Option<&str> {
    word(text.strip_prefix("-- ").unwrap_or(text))
}

fn after_first<'a>(text: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    beginnings.iter().find_map(|it| text.strip_prefix(it))
}

/// `sed -n '1,200p' a.ts`
fn some_lines(line: &str) -> Option<(&str, Extent)> {
    const QUOTES: [char; 2] = ['\'', '"'];
    let rest = line.strip_prefix("sed -n ")?;
    let (first, rest) = digits(rest.strip_prefix(QUOTES).unwrap_or(rest))?;
    let rest = rest.strip_prefix(',')?.trim_start_matches(is_white);
    let (last, rest) = digits(rest)?;
    let rest = rest.strip_prefix('p')?;
    let rest = rest.strip_prefix(QUOTES).unwrap_or(rest);
    let path = word(rest.strip_prefix(' ')?)?;
    Some((path, lines_between(number(first), number(last))))
}

/// One word: bare, or in quotes without anything that a shell would look at.
fn word(text: &str) -> Option<&str> {
    let (word, special) = if let Some(rest) = text.strip_prefix('\'') {
        (rest.strip_suffix('\'')?, "'\n")
    } else if let Some(rest) = text.strip_prefix('"') {
        (rest.strip_suffix('"')?, "\"\n$`\\")
    } else {
        (text, "'\"|&;<>()$`*?[]{}~#!\\")
    };
    let is_bare = word.len() == text.len();
    let is_special = |it: char| special.contains(it) || is_bare && is_white(it);
    (!word.is_empty() && !word.contains(is_special)).then_some(word)
}

/// The path of a file that a command names, from the directory in which it ran.
pub(super) fn path_from(directory: Option<&Json>, path: &str) -> String {
    let has_drive = path.as_bytes().get(1) == Some(&b':')
        && path.starts_with(|it: char| it.is_ascii_alphabetic());
    let is_absolute = path.starts_with(['/', '\\']) || has_drive;
    match directory.and_then(Json::as_text) {
        None | Some("" | ".") => path.to_owned(),
        Some(_) if is_absolute => path.to_owned(),
        Some(directory) => format!("{directory}/{path}"),
    }
}

/// The output of a command says what became of it in this many units.
const HEAD: usize = 600;

/// The place where a command's output begins in a result; `None` if it is unreadable or that of a failure.
pub(super) fn output_start(result: &str) -> Option<usize> {
    let head = first_units(result, HEAD);
    let runs_on = "Process running with session ID ";
    let still_runs = head.split(ends_line).any(|line| line.starts_with(runs_on));
    if still_runs || is_in_json(head) || exit_code(head).is_some_and(|code| code != 0) {
        return None;
    }
    let mut openings = head.match_indices("Output:");
    let start = openings.find_map(|(at, found)| {
        let after = &head[at + found.len()..];
        let after = after.strip_prefix('\r').unwrap_or(after);
        let begins_line = at == 0 || head[..at].ends_with('\n');
        let rest = after.strip_prefix('\n').filter(|_| begins_line)?;
        Some(head.len() - rest.len())
    });
    Some(start.unwrap_or(0))
}

/// Within JSON the output has escapes, and what takes its place would have to have them, too.
fn is_in_json(head: &str) -> bool {
    let inner = head.trim_start_matches(is_white).strip_prefix('{');
    let output = inner.and_then(|it| it.trim_start_matches(is_white).strip_prefix("\"output\""));
    output.is_some_and(|it| it.trim_start_matches(is_white).starts_with(':'))
}

/// The exit code that a result begins with: `Exit code: 1`, `exited with code 1`, `"exit_code": 1`.
fn exit_code(head: &str) -> Option<u64> {
    places(head, "exit").find_map(|at| {
        let rest = perhaps_after(&head[at + "exit".len()..], "ed");
        let rest = perhaps_after(rest.strip_prefix([' ', '_']).unwrap_or(rest), "with ");
        let rest = after_words(rest, "code")?;
        let rest = rest
            .strip_prefix(['\'', '"'])
            .unwrap_or(rest)
            .trim_start_matches(is_white);
        let rest = rest
            .strip_prefix([':', '='])
            .unwrap_or(rest)
            .trim_start_matches(is_white);
        digits(rest.strip_prefix('-').unwrap_or(rest)).map(|(code, _)| number(code))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_print_one_file_are_told_from_others() {
        let lines = |first, last| Extent::Lines { first, last };
        for (command, expected) in [
            ("cat a.ts", Some(("a.ts", Extent::Complete))),
            (" cat -n 'a b.ts' ", Some(("a b.ts", Extent::Complete))),
            ("cat -A -- \"a b\"", Some(("a b", Extent::Complete))),
            ("nl -ba src/a.ts", Some(("src/a.ts", Extent::Complete))),
            ("bat --plain a", Some(("a", Extent::Complete))),
            ("Get-Content -Raw a", Some(("a", Extent::Complete))),
            ("TYPE a", Some(("a", Extent::Complete))),
            ("sed -n '1,200p' a.ts", Some(("a.ts", lines(1, 200)))),
            ("sed -n 5, 9p a", Some(("a", lines(5, 9)))),
            ("cat -n", None),
            ("cat -- -a", None),
            ("cat a b", None),
            ("cat *.ts", None),
            ("cat $A", None),
            ("cat \"$A\"", None),
            ("cat 'a", None),
            ("cat a | head", None),
            ("sed -n 1p a", None),
            ("head a", None),
        ] {
            assert_eq!(shell_read(command), expected, "{command}");
        }
    }

    #[test]
    fn output_begins_after_what_is_said_of_the_command() {
        for (result, expected) in [
            ("x", Some("x")),
            ("Exit code: 0\nWall time: 1\nOutput:\r\nx", Some("x")),
            (
                "Command executed.\nOutput:\nx\nOutput:\ny",
                Some("x\nOutput:\ny"),
            ),
            ("The Output:\nx", Some("The Output:\nx")),
            ("Exit code: 1\nx", None),
            ("exited with code -1", None),
            ("\"exit_code\" = 2", None),
            ("exited with code 0", Some("exited with code 0")),
            (" { \"output\" : \"x\" }", None),
            ("\nProcess running with session ID 7\n", None),
        ] {
            let found = output_start(result).map(|at| &result[at..]);
            assert_eq!(found, expected, "{result}");
        }
    }

    #[test]
    fn a_path_starts_from_the_directory_of_its_command() {
        for (directory, path, expected) in [
            (Json::from("src"), "a.ts", "src/a.ts"),
            (Json::from("."), "a.ts", "a.ts"),
            (Json::from("src"), "/a.ts", "/a.ts"),
            (Json::from("src"), "C:a.ts", "C:a.ts"),
            (Json::Null, "a.ts", "a.ts"),
        ] {
            assert_eq!(path_from(Some(&directory), path), expected);
        }
    }
}
