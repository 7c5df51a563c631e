//! What counts as a block: one element, found without mistaking a quotation for one.

use super::quoting::is_quoted;
use turnkeeper_kernels::find_last_less;
pub(crate) use turnkeeper_kernels::{end_of, is_blank, is_white};

/// The opening and the closing form of a tag, as UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    open: Vec<u16>,
    close: Vec<u16>,
}

impl Tag {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            open: tag("<", name),
            close: tag("</", name),
        }
    }

    /// The units of the closing form.
    pub(crate) fn closing(&self) -> usize {
        self.close.len()
    }
}

fn tag(begin: &str, name: &str) -> Vec<u16> {
    let mut units = Vec::new();
    for part in [begin, name, ">"] {
        for unit in part.encode_utf16() {
            units.push(unit);
        }
    }
    units
}

/// An element within a text: where it begins and ends, and its tag's place among the tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) tag: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The block that `text` is: white space aside, one element and nothing else.
pub(crate) fn sole_block(text: &[u16], tags: &[Tag]) -> Option<Block> {
    let block = last_element(&text[..end_of(text)], tags)?;
    is_blank(&text[..block.start]).then_some(block)
}

/// The elements at the end of `text`, separated by white space only, in their order. One that
/// begins in fenced or inline code is a quotation, and no part of the run.
pub(crate) fn trailing_run(text: &[u16], tags: &[Tag]) -> Vec<Block> {
    let mut run = Vec::new();
    let mut end = end_of(text);
    while let Some(block) = last_element(&text[..end], tags) {
        end = end_of(&text[..block.start]);
        run.push(block);
    }
    // What lies in a block does not make the next one a quotation, what lies in a quotation may.
    while let Some(first) = run.last()
        && is_quoted(text, first.start)
    {
        run.pop();
    }
    run.reverse();
    run
}

/// The element that `text` ends with.
fn last_element(text: &[u16], tags: &[Tag]) -> Option<Block> {
    let (tag, Tag { open, close }) =
        (tags.iter().enumerate()).find(|(_, tag)| text.ends_with(&tag.close))?;
    let inside = &text[..text.len() - close.len()];
    // Whichever tag comes first from the end decides: a closing one leaves this one without its
    // opening tag.
    let mut before = inside.len();
    while let Some(start) = find_last_less(&inside[..before]) {
        if inside[start..].starts_with(open) {
            let end = text.len();
            return Some(Block { tag, start, end });
        }
        if inside[start..].starts_with(close) {
            return None;
        }
        before = start;
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

    fn sole(text: &str) -> Option<String> {
        let text = units(text);
        let block = sole_block(&text, &tags())?;
        Some(String::from_utf16_lossy(&text[block.start..block.end]))
    }

    fn run(text: &str) -> Vec<String> {
        let text = units(text);
        let run = trailing_run(&text, &tags()).into_iter();
        run.map(|block| String::from_utf16_lossy(&text[block.start..block.end]))
            .collect()
    }

    #[test]
    fn a_block_is_exactly_one_element() {
        assert_eq!(sole("<env>a</env>").as_deref(), Some("<env>a</env>"));
        assert_eq!(
            sole("\u{feff}\n <ctx></ctx>\u{3000}\n").as_deref(),
            Some("<ctx></ctx>")
        );
        for text in [
            "",
            "<env>",
            "</env>",
            "x <env>a</env>",
            "<env>a</env> x",
            "<env>a</env><env>b</env>",
            "<env>a</env>b</env>",
            "<env><env>a</env>",
            "<env>a</ctx>",
            "<Env>a</Env>",
            "<env >a</env>",
            "<env a=\"1\">a</env>",
            "<env>a</env >",
            "<env/>",
        ] {
            assert_eq!(sole(text), None, "{text}");
        }
    }

    #[test]
    fn a_run_ends_the_text_and_is_no_quotation() {
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
