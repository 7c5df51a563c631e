//! Cells that edit a file with `edit_file_by_replace(`, as OpenHands compares them.
//!
//! Two of them are equal if their first three lines are, whatever the model thought of it and whatever
//! comes below: there is the text that it replaces, which it writes a little differently each time. A cell
//! of fewer lines equals none, not even itself.

use super::CallSeen;
use crate::call::Units;
use turnkeeper_base::text::hash::{UnitHash, mixed};

const EDIT: &str = "edit_file_by_replace(";
const LINES: usize = 3;
const NEWLINE: u16 = b'\n' as u16;

/// The key that such a cell is compared by; none for any other call.
pub(super) fn replacing_edit(seen: &CallSeen) -> Option<u64> {
    let code = seen.call.arguments().field("code").units();
    (0..code.len()).any(|at| code.has(EDIT, at)).then_some(())?;
    let tool = mixed(seen.call.tool_fingerprint(), EDIT.len() as u64);
    Some(match first_lines(code) {
        Some(hash) => mixed(tool, hash),
        None => mixed(mixed(tool, 0), seen.index),
    })
}

fn first_lines(code: Units) -> Option<u64> {
    let mut hash = UnitHash::EMPTY;
    let mut lines = 1;
    for at in 0..code.len() {
        let unit = code.at(at);
        if unit == NEWLINE {
            if lines == LINES {
                return Some(hash.0);
            }
            lines += 1;
        }
        hash.push(unit);
    }
    (lines == LINES).then_some(hash.0)
}
