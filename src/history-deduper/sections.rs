//! The sections of a block, each from a line `# Heading` to the next, and which of them the block
//! before it has, too.

use std::ops::Range;
use turnkeeper_base::order;

use super::edits::TextRanges;
use super::elements::{Element, Tag};
use super::states::State;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Size;
use turnkeeper_base::text::white_space::end_of;

const HASH: u16 = b'#' as u16;
const SPACE: u16 = b' ' as u16;
const NEW_LINE: u16 = b'\n' as u16;

/// A block without the sections that the block before it has, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shortened {
    /// The rest of the block, as ranges of its text.
    pub(super) left: TextRanges,
    /// The size of what is left.
    pub(super) size: Size,
}

impl Shortened {
    /// The block of which these ranges of a text are left.
    fn to(text: &[u16], ranges: Vec<Range<usize>>) -> Self {
        let mut size = Size::default();
        for range in &ranges {
            size += Size::of(&text[range.clone()]);
        }
        let left = TextRanges(ranges);
        Self { left, size }
    }
}

/// The headings by which hosts name the folders of a workspace, up to what comes after these.
const ROOT_HEADINGS: [(&str, &str); 3] = [
    ("# Current Working Directory (", ")"),
    ("# Current Workspace Directory (", ")"),
    ("# Workspace Roots\n", "\nPrimary workspace: "),
];

/// The root, from which paths start, as a block names it: the folders of a workspace.
pub(super) enum Root {
    /// The block does not name it.
    Unnamed,
    /// It says nothing but that.
    Alone,
    /// It says other things as well; this is the block without them.
    Among(Shortened),
}

/// The folders of a workspace that a block names.
pub(super) fn root_of(text: &[u16], block: &Element, tags: &[Tag]) -> Root {
    match without_others(text, block, tags) {
        None => Root::Unnamed,
        Some(left) if left.size.units == block.range().len() as u32 => Root::Alone,
        Some(left) => Root::Among(left),
    }
}

fn without_others(text: &[u16], block: &Element, tags: &[Tag]) -> Option<Shortened> {
    let range = block.range();
    let closing = range.end - tags[block.tag].close.len();
    let first = range.start
        + text[range.clone()]
            .iter()
            .position(|unit| *unit == NEW_LINE)?
        + 1;
    let (start, end) = ROOT_HEADINGS.iter().find_map(|(heading, last)| {
        let start = first + find(&text[first..closing], heading)?;
        let begins_line = text[start - 1] == NEW_LINE;
        let end = start + find(&text[start..closing], last)? + last.len();
        begins_line.then_some((start, end))
    })?;
    let line = text[end..closing].iter().position(|unit| *unit == NEW_LINE);
    let end = line.map_or(closing, |line| end + line + 1);
    let ranges = vec![range.start..first, start..end, closing..range.end];
    Some(Shortened::to(text, ranges))
}

fn find(text: &[u16], sought: &str) -> Option<usize> {
    let sought: Vec<u16> = sought.encode_utf16().collect();
    text.windows(sought.len())
        .position(|window| window == sought)
}

/// The latest block of each state, with which the next block that tells of it is compared.
#[derive(Debug, Clone, Default)]
pub(super) struct LatestBlocks {
    by_state: SortedMap<State, Vec<u16>>,
}

impl LatestBlocks {
    /// The block of `text` without the sections that the block before it has, too; `None` if it
    /// loses nothing. It is the latest block then.
    pub(super) fn shorten(
        &mut self,
        text: &[u16],
        block: &Element,
        state: State,
        tags: &[Tag],
    ) -> Option<Shortened> {
        let before = self.by_state.insert(state, text[block.range()].to_vec())?;
        let closing_length = tags[block.tag].close.len();
        let ranges = changed_sections(&before, text, block.range(), closing_length)?;
        Some(Shortened::to(text, ranges))
    }
}

/// The rest of `text[block]` without the sections that `before` has, too; `None` if that is all
/// of it. The tags and what comes before the first heading always stay.
///
/// White space at a section's end makes no difference: after the last section of a block there is
/// other white space than between sections.
fn changed_sections(
    before: &[u16],
    text: &[u16],
    block: Range<usize>,
    closing_length: usize,
) -> Option<Vec<Range<usize>>> {
    let mut known: Vec<&[u16]> = sections(before, 0..before.len() - closing_length)
        .into_iter()
        .map(|section| trim_end(&before[section]))
        .collect();
    order::sort(&mut known);
    let mut kept = Vec::new();
    let mut kept_from = block.start;
    for section in sections(text, block.start..block.end - closing_length) {
        if known
            .binary_search(&trim_end(&text[section.clone()]))
            .is_ok()
        {
            if kept_from < section.start {
                kept.push(kept_from..section.start);
            }
            kept_from = section.end;
        }
    }
    if kept_from == block.start {
        return None;
    }
    kept.push(kept_from..block.end);
    Some(kept)
}

fn trim_end(section: &[u16]) -> &[u16] {
    &section[..end_of(section)]
}

fn sections(text: &[u16], within: Range<usize>) -> Vec<Range<usize>> {
    let mut sections: Vec<Range<usize>> = Vec::new();
    for at in within.clone() {
        let begins_line = at > within.start && text[at - 1] == NEW_LINE;
        if begins_line && text[at] == HASH && text[..within.end].get(at + 1) == Some(&SPACE) {
            if let Some(before) = sections.last_mut() {
                before.end = at;
            }
            sections.push(at..within.end);
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::super::elements::only_elements;
    use super::*;

    #[test]
    fn the_line_that_names_the_root_is_left() {
        let tags = [Tag::new("e")];
        let cases = [
            (
                "<e>\n# Time\n1\n# Current Working Directory (/w) Files\na\nb\n</e>",
                "<e>\n# Current Working Directory (/w) Files\n</e>",
            ),
            (
                "<e>\n# Workspace Roots\n- a: /a\n- b: /b\n\nPrimary workspace: a\n\n# Time\n1\n</e>",
                "<e>\n# Workspace Roots\n- a: /a\n- b: /b\n\nPrimary workspace: a\n</e>",
            ),
        ];
        for (text, left) in cases {
            let rest = |text: &str| {
                let units: Vec<u16> = text.encode_utf16().collect();
                let block = only_elements(&units, &tags).remove(0);
                match root_of(&units, &block, &tags) {
                    Root::Among(shortened) => shortened.left.pick(text),
                    Root::Alone => "alone".to_owned(),
                    Root::Unnamed => "unnamed".to_owned(),
                }
            };
            assert_eq!(rest(text), left);
            assert_eq!(rest(left), "alone");
        }
    }

    #[test]
    fn only_what_differs_from_the_block_before_stays() {
        for (before, now, expected) in [
            (
                "<e>\n# A\n1\n\n# B\n2\n</e>",
                "<e>\n# A\n1\n\n# B\n3\n</e>",
                "<e>\n# B\n3\n</e>",
            ),
            (
                "<e>\n# A\n1\n</e>",
                "<e>\n# A\n1\n\n# B\n3\n</e>",
                "<e>\n# B\n3\n</e>",
            ),
            ("<e>\n# A\n1\n</e>", "<e>\n# A\n1\n</e>", "<e>\n</e>"),
            (
                "<e>\n# A\n1\n</e>",
                "<e>\nB\n# A\n2\n</e>",
                "<e>\nB\n# A\n2\n</e>",
            ),
            (
                "<e>no heading</e>", "<e>no heading</e>", "<e>no heading</e>",
            ),
            (
                "<e>\n#A\n## B\n</e>",
                "<e>\n#A\n## B\n</e>",
                "<e>\n#A\n## B\n</e>",
            ),
            ("<e># A</e>", "<e># A</e>", "<e># A</e>"),
        ] {
            let before: Vec<u16> = before.encode_utf16().collect();
            let text: Vec<u16> = now.encode_utf16().collect();
            let ranges = changed_sections(&before, &text, 0..text.len(), "</e>".len());
            let got: Vec<u16> = match ranges {
                Some(ranges) => ranges
                    .into_iter()
                    .flat_map(|at| text[at].to_vec())
                    .collect(),
                None => text.clone(),
            };
            assert_eq!(String::from_utf16_lossy(&got), expected, "{now}");
        }
    }

    #[test]
    fn a_thousand_sections_are_told_apart() {
        let block = |numbers: Range<u32>| -> Vec<u16> {
            let sections = numbers.map(|number| format!("# {number}\nx\n\n"));
            let text = format!("<e>\n{}</e>", sections.collect::<String>());
            text.encode_utf16().collect()
        };
        let (before, text) = (block(0..1_000), block(0..1_001));
        let left = changed_sections(&before, &text, 0..text.len(), "</e>".len());
        let left: Vec<u16> = left
            .expect("something goes")
            .into_iter()
            .flat_map(|at| text[at].to_vec())
            .collect();
        assert_eq!(left, block(1_000..1_001));
    }
}
