//! Texts of any content, and small helpers for names and messages.

pub(crate) use turnkeeper_kernels::{Builder, Text, lossy};

pub(crate) use crate::text::{concat, exact};

/// What leads from one name to the next, and to itself again.
pub(crate) fn chain(names: &[String], last: &str) -> String {
    let mut out = String::new();
    for name in names {
        out.push_str(name);
        out.push_str(" -> ");
    }
    out.push_str(last);
    out
}

/// Where a part that is ASCII begins in a text. The standard library's search is many times as
/// large, for long texts that nothing here is.
pub(crate) fn find_bytes(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    (0..text.len()).find(|&at| text[at..].starts_with(part))
}

/// What stands before and behind the first such byte, which is ASCII.
pub(crate) fn split_once(text: &str, byte: u8) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while *bytes.get(at)? != byte {
        at += 1;
    }
    Some((text.get(..at)?, text.get(at + 1..)?))
}
