//! Command lines that only look around in a Git repository, as Qwen Code tells them: every command of the
//! line is `git status`, `git ls-files`, or a `git diff` of no file in particular.

use turnkeeper_base::text::white_space::is_white;

/// Whether a command line is one.
pub(super) fn is_overview(line: &[u16]) -> bool {
    let line = String::from_utf16_lossy(line);
    let mut commands = line
        .split([';', '&', '|', '\n'])
        .map(words)
        .filter(|words| !words.is_empty())
        .peekable();
    commands.peek().is_some() && commands.all(|words| is_overview_command(&words))
}

/// The words between white space, as JavaScript knows it.
fn words(command: &str) -> Vec<&str> {
    let is_space = |c: char| u16::try_from(u32::from(c)).is_ok_and(is_white);
    command
        .split(is_space)
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_overview_command(words: &[&str]) -> bool {
    let [git, rest @ ..] = words else {
        return false;
    };
    let mut rest = rest;
    while let [option, after @ ..] = rest {
        rest = match (option.to_ascii_lowercase().as_str(), after) {
            ("--no-pager", _) => after,
            ("-c", [_, after @ ..]) => after,
            _ => break,
        };
    }
    let [command, arguments @ ..] = rest else {
        return false;
    };
    git.eq_ignore_ascii_case("git")
        && ["status", "diff", "ls-files"].iter().any(|name| {
            // The name may go on with anything but a letter, a digit or `_`, as in `diff-index`.
            let Some((start, more)) = command.split_at_checked(name.len()) else {
                return false;
            };
            let goes_on = more.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            start.eq_ignore_ascii_case(name)
                && !goes_on
                && (*name != "diff" || is_of_no_file(more, arguments))
        })
}

/// Whether the arguments of `git diff` are options and revisions alone.
fn is_of_no_file(glued: &str, arguments: &[&str]) -> bool {
    let glued = (!glued.is_empty()).then_some(glued);
    let all: Vec<&str> = glued.into_iter().chain(arguments.iter().copied()).collect();
    let names_files = all
        .iter()
        .position(|word| *word == "--")
        .is_some_and(|place| place + 1 < all.len());
    !names_files
        && all
            .iter()
            .all(|word| word.starts_with('-') || is_revision(word))
}

fn is_revision(word: &str) -> bool {
    let is_hash =
        (7..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let head = word.strip_prefix("HEAD").or_else(|| word.strip_prefix('@'));
    let is_head = head.is_some_and(|steps| {
        steps.is_empty()
            || (steps.starts_with(['~', '^'])
                && steps
                    .chars()
                    .all(|c| "~^".contains(c) || c.is_ascii_digit()))
    });
    // A range: two points with something on both sides.
    let bytes = word.as_bytes();
    let is_range = (1..bytes.len().saturating_sub(2)).any(|at| &bytes[at..at + 2] == b"..");
    is_hash || is_head || is_range
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    fn of(line: &str) -> bool {
        is_overview(&line.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn looking_around_is_told_from_work() {
        for line in [
            "git status",
            "GIT Status --short",
            "git -C /repo --no-pager diff",
            "git diff HEAD~2 --stat && git ls-files | git status",
            "git diff main..topic",
            "git diff 0123abc --",
            " git status ; ",
            "git diff-index",
            "git diff @^",
        ] {
            assert!(of(line), "{line:?}");
        }
        for line in [
            "",
            ";",
            "git",
            "git -C status",
            "git diff src/main.rs",
            "git diff HEAD -- src",
            "git status && make",
            "git statusx",
            "git commit",
            "git diff ..b",
            "sudo git status",
            "echo git status",
        ] {
            assert!(!of(line), "{line:?}");
        }
    }

    /// The expressions of Qwen Code.
    fn naive(line: &str) -> bool {
        // Made once: making them takes longer than a thousand matches.
        static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
            let form = r"(?i)^git(?:\s+(?:-C\s+\S+|--no-pager))*\s+(status|diff|ls-files)(?-u:\b)";
            Regex::new(form).expect("a pattern")
        });
        static REVISIONS: LazyLock<[Regex; 4]> = LazyLock::new(|| {
            [
                r"^(HEAD|@)$",
                r"^(?:HEAD|@)(?:[~^][0-9]*)+$",
                r"(?i)^[0-9a-f]{7,40}$",
                r"^[^\s]+\.{2,3}[^\s]+$",
            ]
            .map(|pattern| Regex::new(pattern).expect("a pattern"))
        });
        static SPLIT: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"&&|\|\||[;&|\n]").expect("a pattern"));
        let commands: Vec<&str> = SPLIT
            .split(line)
            .map(str::trim)
            .filter(|command| !command.is_empty())
            .collect();
        !commands.is_empty()
            && commands.iter().all(|text| {
                let Some(found) = COMMAND.captures(text) else {
                    return false;
                };
                let rest: Vec<&str> = text[found[0].len()..].split_whitespace().collect();
                let files = rest.iter().position(|word| *word == "--");
                !found[1].eq_ignore_ascii_case("diff")
                    || (files.is_none_or(|at| at + 1 == rest.len())
                        && rest.iter().all(|word| {
                            word.starts_with('-') || REVISIONS.iter().any(|it| it.is_match(word))
                        }))
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

        #[test]
        fn as_the_expressions_see_it(
            words in proptest::collection::vec(proptest::sample::select(&[
                "git", "GIT", "status", "diff", "ls-files", "diff-x", "statusé", "-C", "--no-pager",
                "--", "--stat", "HEAD", "@", "HEAD~1^", "@x", "a..b", "..", "...b", "a....b",
                "0123abc", "012", "&&", "||", ";", "\n", "| git", "& git status", "x",
            ][..]), 0..9),
        ) {
            let line = words.join(" ");
            prop_assert_eq!(of(&line), naive(&line), "{:?}", line);
            let line = format!("git {line}");
            prop_assert_eq!(of(&line), naive(&line), "{:?}", line);
        }
    }
}
