//! The sections of a block: from a line `# Heading` to the next.

use std::ops::Range;

use super::blocks::end_of;

const HASH: u16 = b'#' as u16;
const SPACE: u16 = b' ' as u16;
const NEW_LINE: u16 = b'\n' as u16;
/// So many sections of a block are told apart; what follows belongs to the last.
const MOST: usize = 256;

/// What stays of `text[block]` if the sections that `before` has, too, are left out; nothing if
/// that is all of it. White space at a section's end does not make a difference, for the last
/// section of a block ends otherwise than the others. The tags and what stands before the first
/// heading always stay.
pub(crate) fn changed(
    before: &[u16],
    text: &[u16],
    block: Range<usize>,
    closing: usize,
) -> Option<Vec<Range<usize>>> {
    let known = sections(before, 0..before.len() - closing);
    let inside = block.start..block.end - closing;
    let mut kept = Vec::new();
    let mut start = block.start;
    for section in sections(text, inside) {
        let now = trimmed(&text[section.clone()]);
        if known.iter().any(|at| trimmed(&before[at.clone()]) == now) {
            if start < section.start {
                kept.push(start..section.start);
            }
            start = section.end;
        }
    }
    if start == block.start {
        return None;
    }
    kept.push(start..block.end);
    Some(kept)
}

fn trimmed(section: &[u16]) -> &[u16] {
    &section[..end_of(section)]
}

fn sections(text: &[u16], within: Range<usize>) -> Vec<Range<usize>> {
    let mut sections: Vec<Range<usize>> = Vec::new();
    for at in within.clone() {
        if sections.len() == MOST {
            break;
        }
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
    use super::*;

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
                "<e>no heading</e>",
                "<e>no heading</e>",
                "<e>no heading</e>",
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
            let ranges = changed(&before, &text, 0..text.len(), "</e>".len());
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
}
