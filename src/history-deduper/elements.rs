//! Elements in a text: `<tag>…</tag>` without a second tag of that name inside.
//!
//! An element is a block if it is where a host puts blocks: in a text part that holds nothing but
//! elements, or in the run of elements at the end of a text. One that begins in Markdown code at the
//! end of other text is a quotation.

use std::ops::Range;

use turnkeeper_base::text::find_last_less;
use turnkeeper_base::text::markdown_code::MarkdownCode;
use turnkeeper_base::text::white_space::{end_of, is_blank};

/// A tag in its opening and its closing form, in UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) open: Vec<u16>,
    pub(super) close: Vec<u16>,
}

impl Tag {
    pub(super) fn new(name: &str) -> Self {
        Self {
            open: format!("<{name}>").encode_utf16().collect(),
            close: format!("</{name}>").encode_utf16().collect(),
        }
    }

    /// The text between the tags, if a text begins and ends with them.
    pub(super) fn inside_of<'a>(&self, text: &'a [u16]) -> Option<&'a [u16]> {
        text.strip_prefix(&self.open[..])?
            .strip_suffix(&self.close[..])
    }
}

/// An element within a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element {
    /// The index of its tag among the tags that are looked for.
    pub(super) tag: usize,
    /// The beginning of the opening tag.
    pub(super) start: usize,
    /// The end of the closing tag.
    pub(super) end: usize,
}

impl Element {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The elements that are all of `text`, apart from white space between them and at both ends; none
/// if there is anything else.
pub(super) fn only_elements(text: &[u16], tags: &[Tag]) -> Vec<Element> {
    let run = run_at_end(text, tags);
    let begins_text = run
        .first()
        .is_some_and(|first| is_blank(&text[..first.start]));
    if begins_text { run } else { Vec::new() }
}

/// The elements at the end of `text` with nothing but white space between them, in their order.
/// The run begins after the last element that begins in Markdown code.
pub(super) fn trailing_elements(text: &[u16], tags: &[Tag]) -> Vec<Element> {
    let mut run = run_at_end(text, tags);
    if !run.is_empty() {
        // Backticks inside a block do not quote the blocks after it. So from the first element that
        // is not quoted on, all of them are blocks.
        let code = MarkdownCode::of(text);
        let quoted = run
            .iter()
            .take_while(|element| code.contains(element.start));
        run.drain(..quoted.count());
    }
    run
}

/// The elements at the end of `text`, quoted or not, in their order.
fn run_at_end(text: &[u16], tags: &[Tag]) -> Vec<Element> {
    let mut run = Vec::new();
    let mut end = end_of(text);
    while let Some(element) = last_element(&text[..end], tags) {
        end = end_of(&text[..element.start]);
        run.push(element);
    }
    run.reverse();
    run
}

/// The element that `text` ends with.
fn last_element(text: &[u16], tags: &[Tag]) -> Option<Element> {
    let (tag, Tag { open, close }) =
        (tags.iter().enumerate()).find(|(_, tag)| text.ends_with(&tag.close))?;
    let before_close = &text[..text.len() - close.len()];
    // The nearest tag before the closing one decides. Another closing tag means that this one has
    // no opening tag of its own.
    let mut searched_to = before_close.len();
    while let Some(start) = find_last_less(&before_close[..searched_to]) {
        if before_close[start..].starts_with(open) {
            let end = text.len();
            return Some(Element { tag, start, end });
        }
        if before_close[start..].starts_with(close) {
            return None;
        }
        searched_to = start;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags() -> Vec<Tag> {
        vec![Tag::new("env"), Tag::new("ctx")]
    }

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn only(text: &str) -> Vec<String> {
        let text = units(text);
        let all = only_elements(&text, &tags()).into_iter();
        all.map(|element| String::from_utf16_lossy(&text[element.range()]))
            .collect()
    }

    fn run(text: &str) -> Vec<String> {
        let text = units(text);
        let run = trailing_elements(&text, &tags()).into_iter();
        run.map(|element| String::from_utf16_lossy(&text[element.range()]))
            .collect()
    }

    #[test]
    fn elements_that_are_all_of_their_text_count_and_no_others() {
        let cases: [(&str, &[&str]); 4] = [
            ("<env>a</env>", &["<env>a</env>"]),
            ("\u{feff}\n <ctx></ctx>\u{3000}\n", &["<ctx></ctx>"]),
            (
                "<env>a</env><env>b</env>",
                &["<env>a</env>", "<env>b</env>"],
            ),
            // White space is no code, however far it indents.
            (
                "\n    <env>`</env>\n\n    <ctx>`</ctx>",
                &["<env>`</env>", "<ctx>`</ctx>"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(only(text), expected, "{text}");
        }
        for text in [
            "",
            "<env>",
            "</env>",
            "x <env>a</env>",
            "<env>a</env> x",
            "<env>a</env> x <env>b</env>",
            "<env>a</env>b</env>",
            "<env><env>a</env>",
            "<env>a</ctx>",
            "<Env>a</Env>",
            "<env >a</env>",
            "<env a=\"1\">a</env>",
            "<env>a</env >",
            "<env/>",
        ] {
            assert!(only(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_run_ends_the_text_and_is_not_quoted() {
        let cases: [(&str, &[&str]); 14] = [
            (
                "x\n<env>a</env> <ctx>b</ctx>\n",
                &["<env>a</env>", "<ctx>b</ctx>"],
            ),
            ("what is <env>?\n<env>a</env>", &["<env>a</env>"]),
            ("<env>a</env> and <env>b</env>", &["<env>b</env>"]),
            ("<env>a</env>.", &[]),
            ("<env>a</env>b</env>", &[]),
            ("<env><env>a</env></env>", &[]),
            ("```\n<env>a</env>\n```", &[]),
            ("```\n<env>a</env>", &[]),
            ("```\ncode\n```\n<env>a</env>", &["<env>a</env>"]),
            ("`<env>a</env>`", &[]),
            ("`<env>` is closed by </env>", &[]),
            ("one ` only\n\n<env>`</env>", &["<env>`</env>"]),
            ("```\n<env>\n```\n</env>\n<env>b</env>", &["<env>b</env>"]),
            (
                "x <env>```\n</env> <env>b</env>",
                &["<env>```\n</env>", "<env>b</env>"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(run(text), expected, "{text}");
        }
    }
}
