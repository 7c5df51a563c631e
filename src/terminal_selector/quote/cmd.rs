//! The command prompt of Windows.
//!
//! It replaces `%NAME%` in the whole line before it looks at quotes or changes the directory, and
//! where it is told to, `!NAME!`, too; nothing but a variable stands for either sign. So a line
//! has neither in its path, and no `%` in its command.

use super::is_control;

/// Longer lines are refused, in UTF-16 code units.
const LONGEST: usize = 8191;

pub(super) fn write(directory: &str, command: &str, out: &mut String) -> bool {
    let Some(is_group) = is_group(command) else {
        return false;
    };
    if !is_nameable(directory) {
        return false;
    }
    let start = out.len();
    out.push_str("cd /d \"");
    out.push_str(directory);
    out.push('"');
    if !command.is_empty() {
        out.push_str(if is_group { " && (" } else { " && " });
        out.push_str(command);
        if is_group {
            out.push(')');
        }
    }
    // There are at least as many bytes as code units.
    out.len() - start <= LONGEST
}

/// Whether it is a path on a drive, the only kind that `cd` takes, which quotes can hold.
fn is_nameable(directory: &str) -> bool {
    let bytes = directory.as_bytes();
    if bytes.len() < 3 || !bytes[0].is_ascii_alphabetic() || !matches!(bytes[2], b'\\' | b'/') {
        return false;
    }
    for (at, c) in directory.char_indices() {
        let is_odd = matches!(c, '"' | '%' | '!' | '*' | '?' | '<' | '>' | '|');
        if is_odd || is_control(c) || (c == ':') != (at == 1) {
            return false;
        }
    }
    true
}

/// Whether the command must stand in parentheses to be one with the `cd` before it, or nothing if
/// it cannot be.
fn is_group(command: &str) -> Option<bool> {
    let mut is_group = false;
    // Whether parentheses would not be where the command ends.
    let mut is_loose = false;
    let mut is_quoted = false;
    let bytes = command.as_bytes();
    let mut previous = b'&';
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let next = if at + 1 < bytes.len() {
            bytes[at + 1]
        } else {
            0
        };
        if byte == b'%' {
            return None;
        }
        if byte == b'"' {
            is_quoted = !is_quoted;
        } else if !is_quoted {
            match byte {
                b'^' => return None,
                b'(' | b')' => is_loose = true,
                b'&' | b'|' if previous != b'>' => {
                    if byte == next {
                        at += 1;
                    }
                    is_group |= (byte == b'&') != (byte == next);
                }
                // A label, and a comment, which takes the parenthesis for its own.
                b':' if !previous.is_ascii_alphanumeric() => is_loose = true,
                b'r' | b'R' if !previous.is_ascii_alphanumeric() => {
                    is_loose |= is_rem(&bytes[at..]);
                }
                _ => {}
            }
        }
        previous = byte;
        at += 1;
    }
    for c in command.chars() {
        if is_control(c) {
            return None;
        }
    }
    if is_quoted || (is_group && is_loose) {
        return None;
    }
    Some(is_group)
}

fn is_rem(text: &[u8]) -> bool {
    text.len() >= 3
        && text[..3].eq_ignore_ascii_case(b"rem")
        && !matches!(text.get(3), Some(byte) if byte.is_ascii_alphanumeric())
}
