//! The YAML in front of a skill.

mod yaml;

pub(crate) use yaml::{FrontMatter, read};

use super::syntax::{NEWLINE, is_blank};
use turnkeeper_base::text::find_newline;

/// Files of Windows keep it in front when they are read as UTF-8.
const BYTE_ORDER_MARK: u16 = 0xfeff;

/// The front matter between two lines of `---`, and where the body begins.
pub(crate) fn split(units: &[u16]) -> (Option<&[u16]>, usize) {
    let first = usize::from(units.first() == Some(&BYTE_ORDER_MARK));
    let Some(start) = fence(units, first) else {
        return (None, 0);
    };
    let mut at = start;
    while at < units.len() {
        if let Some(body) = fence(units, at) {
            return (Some(&units[start..at]), body);
        }
        at = find_newline(units, at) + 1;
    }
    (None, 0)
}

/// The end of the line of three dashes that begins at an offset, if one does.
fn fence(units: &[u16], at: usize) -> Option<usize> {
    let rest = units[at..].strip_prefix(&[0x2d, 0x2d, 0x2d])?;
    let blank = rest.iter().take_while(|&&unit| is_blank(unit)).count();
    match rest.get(blank) {
        None => Some(units.len()),
        Some(&NEWLINE) => Some(at + 3 + blank + 1),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests;
