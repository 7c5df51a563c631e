//! Errors that say that there is no tool of a name, as OpenClaw reads them.

use crate::call::Units;
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_base::text::white_space::is_white;

const UNKNOWN: &str = "unknown tool";
const TOOL: &str = "tool";

/// The name of the tool that, as an error says, does not exist, by its hash, case ignored. The two forms are
/// "unknown tool: NAME" and "tool NAME not found" or "is not available"; the name may be quoted.
pub(super) fn unknown_tool(error: Units) -> Option<u64> {
    let text = String::from_utf16_lossy(&error.first(error.len())).to_ascii_lowercase();
    let name = named_after(&text).or_else(|| named_between(&text))?;
    Some(fingerprint(name.as_bytes()))
}

fn named_after(text: &str) -> Option<&str> {
    text.match_indices(UNKNOWN).find_map(|(at, _)| {
        let rest = &text[at + UNKNOWN.len()..];
        let after = rest.trim_start_matches(|c| c == ':' || is_space(c));
        (after.len() < rest.len()).then(|| name(after).0).flatten()
    })
}

fn named_between(text: &str) -> Option<&str> {
    text.match_indices(TOOL).find_map(|(at, _)| {
        let rest = &text[at + TOOL.len()..];
        let after = rest.trim_start_matches(is_space);
        let (name, after_name) = (after.len() < rest.len()).then(|| name(after))?;
        let says = after_name.trim_start_matches(is_space);
        let is_missing = says.len() < after_name.len()
            && (says.starts_with("not found") || says.starts_with("is not available"));
        name.filter(|_| is_missing)
    })
}

/// A name, perhaps quoted, and what comes after it.
fn name(text: &str) -> (Option<&str>, &str) {
    let quotes = ['"', '\''];
    let text = text.strip_prefix(quotes).unwrap_or(text);
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.strip_prefix(quotes).unwrap_or(rest);
    ((!name.is_empty()).then_some(name), rest)
}

fn is_space(c: char) -> bool {
    u16::try_from(u32::from(c)).is_ok_and(is_white)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::call::{Encoded, encode_str};
    use proptest::prelude::*;
    use regex::Regex;

    fn of(error: &str) -> Option<u64> {
        let mut encoded = Vec::new();
        encode_str(error, &mut encoded);
        unknown_tool(Encoded(&encoded).units())
    }

    /// OpenClaw's expressions.
    fn naive(error: &str) -> Option<String> {
        // Made once: making them takes longer than a thousand matches.
        static FORMS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
            [
                r#"(?i)unknown tool[:\s]+["']?([a-z0-9_.-]+)["']?"#,
                r#"(?i)tool\s+["']?([a-z0-9_.-]+)["']?\s+(?:not found|is not available)"#,
            ]
            .map(|form| Regex::new(form).expect("a pattern"))
        });
        let found = FORMS.iter().find_map(|form| form.captures(error))?;
        Some(found[1].to_lowercase())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

        #[test]
        fn as_the_expressions_see_it(
            parts in proptest::collection::vec(proptest::sample::select(&[
                "unknown tool", "Unknown Tool", "tool", "TOOL", ":", " ", "  ", "\"", "'", "web_search",
                "Web.Search-2", "not found", "is not available", "x", "é", "\n", "tools",
            ][..]), 0..9),
            spaced in any::<bool>(),
        ) {
            let error = parts.join(if spaced { " " } else { "" });
            let expected = naive(&error).map(|name| fingerprint(name.as_bytes()));
            prop_assert_eq!(of(&error), expected, "{:?}", error);
        }
    }
}
