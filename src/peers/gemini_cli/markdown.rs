//! The look of a delta of prose, as a few regular expressions of gemini-cli see it.

use turnkeeper_base::text::white_space::is_white;
use turnkeeper_base::text::{find_code_mark, find_newline};

/// The Markdown of a delta.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Markdown {
    /// Fences of three backticks.
    pub(super) fences: usize,
    /// A row of a table, a list item, a heading or a quotation begins in it.
    pub(super) has_element: bool,
    /// Nothing but what dividers are drawn with, which digits, capitals and most punctuation are
    /// taken for, too.
    pub(super) is_divider: bool,
}

impl Markdown {
    /// Reads a delta by itself: what came before it is not known to the expressions either. In
    /// theirs, `\s` is white space:
    ///
    /// - ```` /```/g ````
    /// - `/(^|\n)\s*(\|.*\||[|+-]{3,})/`
    /// - `/(^|\n)\s*[*-+]\s/` (from `*` to `+`, so no dash) and `/(^|\n)\s*\d+\.\s/`
    /// - `/(^|\n)#+\s/` and `/(^|\n)>\s/`
    /// - `/^[+-_=*\u2500-\u257F]+$/` (from `+` to `_`)
    pub(super) fn of(delta: &[u16]) -> Self {
        let mut found = Self::default();
        let mut drawn = 0;
        while drawn < delta.len() && draws_dividers(delta[drawn]) {
            drawn += 1;
        }
        found.is_divider = drawn > 0 && drawn == delta.len();

        let mut at = 0;
        while at < delta.len() {
            let is_fence = delta[at..].starts_with(&[0x60; 3]);
            found.fences += usize::from(is_fence);
            at = find_code_mark(delta, if is_fence { at + 3 } else { at + 1 });
        }

        let mut line = 0;
        while line < delta.len() {
            // After white space, which may hold empty lines.
            let mut text = line;
            while text < delta.len() && is_white(delta[text]) {
                text += 1;
            }
            if text == 0 || delta[text - 1] == NEWLINE {
                found.has_element |= begins_line(&delta[text..]);
            }
            found.has_element |= begins_text(&delta[text..]);
            line = find_newline(delta, text) + 1;
        }
        found
    }
}

const NEWLINE: u16 = 0x0a;

fn draws_dividers(unit: u16) -> bool {
    matches!(unit, 0x2a..=0x5f | 0x2500..=0x257f)
}

/// Whether an element begins with no white space before it.
fn begins_line(text: &[u16]) -> bool {
    let hashes = count(text, |unit| unit == 0x23);
    let marks = match text.first() {
        Some(0x3e) => 1,
        _ => hashes,
    };
    marks > 0 && has_space(text, marks)
}

/// Whether any other element begins.
fn begins_text(text: &[u16]) -> bool {
    match text.first() {
        Some(0x2a | 0x2b) if has_space(text, 1) => return true,
        Some(0x30..=0x39) => {
            let digits = count(text, |unit| matches!(unit, 0x30..=0x39));
            return text.get(digits) == Some(&0x2e) && has_space(text, digits + 1);
        }
        Some(0x7c) => {
            // `.` is neither of the line ends.
            let rest = &text[1..];
            let cell = count(rest, |unit| {
                !matches!(unit, 0x7c | 0x0a | 0x0d | 0x2028 | 0x2029)
            });
            if rest.get(cell) == Some(&0x7c) {
                return true;
            }
        }
        _ => {}
    }
    count(text, |unit| matches!(unit, 0x7c | 0x2b | 0x2d)) >= 3
}

/// The number of units at the beginning that are like this.
fn count(text: &[u16], is_one: fn(u16) -> bool) -> usize {
    let mut count = 0;
    while count < text.len() && is_one(text[count]) {
        count += 1;
    }
    count
}

fn has_space(text: &[u16], place: usize) -> bool {
    text.get(place).is_some_and(|unit| is_white(*unit))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    fn of(delta: &str) -> Markdown {
        Markdown::of(&delta.encode_utf16().collect::<Vec<_>>())
    }

    /// The expressions themselves. Rust's `\s` has U+0085 and lacks U+FEFF; `.` stops at `\n` only.
    struct Naive([Regex; 7]);

    impl Naive {
        fn new() -> Self {
            let space = r"[\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}]";
            Self(
                [
                    "```",
                    r"(^|\n)S*(\|[^\n\r\u{2028}\u{2029}]*\||[|+\-]{3,})",
                    r"(^|\n)S*[*-+]S",
                    r"(^|\n)S*[0-9]+\.S",
                    r"(^|\n)#+S",
                    r"(^|\n)>S",
                    r"^[+-_=*\u{2500}-\u{257F}]+$",
                ]
                .map(|pattern| Regex::new(&pattern.replace('S', space)).expect("a pattern")),
            )
        }

        fn of(&self, delta: &str) -> Markdown {
            let [fence, elements @ .., divider] = &self.0;
            Markdown {
                fences: fence.find_iter(delta).count(),
                has_element: elements.iter().any(|element| element.is_match(delta)),
                is_divider: divider.is_match(delta),
            }
        }
    }

    #[test]
    fn each_element_is_seen_where_it_may_stand() {
        let elements = [
            "| a |", "x\n  |a|b", "+--", "\n\n \t|-|", "* x", "+ x", " 12. x", "# x", "x\n### x",
            "> x", "\n* ",
        ];
        for delta in elements {
            assert!(of(delta).has_element, "{delta:?}");
        }
        let others = [
            "- dash", "|a", "| a\n|", "a | b |", "*x", "1.x", " # x", " > x", "#x", ">x", "+-",
            "1 . x", "x * y",
        ];
        for delta in others {
            assert!(!of(delta).has_element, "{delta:?}");
        }
        for divider in ["2026", "A", ".", ", ", "---", "===", "╭─╮", "NOT,SO:SURE"] {
            assert_eq!(of(divider).is_divider, divider != ", ", "{divider:?}");
        }
        assert!(!of("").is_divider);
        assert_eq!(of("```` ``` ``````").fences, 4);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

        #[test]
        fn as_the_expressions_see_it(
            delta in "[`|+*#>0-9.A-Za \t\n\r\u{2028}\u{85}\u{feff}\u{3000}─=_-]{0,14}|[`|+*>\n #-]{0,8}",
        ) {
            // Making the expressions takes longer than a thousand matches.
            static NAIVE: LazyLock<Naive> = LazyLock::new(Naive::new);
            prop_assert_eq!(of(&delta), NAIVE.of(&delta));
        }
    }
}
