//! Nushell.
//!
//! An error ends the line, and a line is parsed before any of it runs, so nothing of the command
//! can run early. But what is parsed is read at once, too: `source` and the like would look in the
//! directory that is left, so a command with one of them is refused.

use super::is_control;

/// Words that make the parser read a file.
const READING: &[u8] = b"module overlay plugin source source-env use";

pub(super) fn write(directory: &str, command: &str, out: &mut String) -> bool {
    if !is_nameable(directory) || !is_typable(command) || is_reading(command) {
        return false;
    }
    out.push_str("cd ");
    push_string(directory, out);
    if !command.is_empty() {
        out.push_str("; ");
        out.push_str(command);
    }
    true
}

fn push_string(text: &str, out: &mut String) {
    let mut is_literal = true;
    for c in text.chars() {
        is_literal &= c != '\'' && c != '!';
    }
    let quote = if is_literal { '\'' } else { '"' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '!' => out.push_str("\\u{21}"),
            '"' | '\\' if !is_literal => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out.push(quote);
}

/// Whether `cd` takes the path as it is: it leaves control characters out, and a name that is made
/// of three dots or more is a folder above, within quotes, too.
fn is_nameable(directory: &str) -> bool {
    for c in directory.chars() {
        if is_control(c) {
            return false;
        }
    }
    for name in directory.split(['/', '\\']) {
        let mut is_dots = name.len() > 2;
        for byte in name.bytes() {
            is_dots &= byte == b'.';
        }
        if is_dots {
            return false;
        }
    }
    true
}

/// Whether the command is one line that is complete, so that the line editor does not wait for
/// more, without what the editor replaces, such as `!!` and `!$`.
fn is_typable(command: &str) -> bool {
    if command.starts_with('|') {
        return false;
    }
    let mut quote = '\0';
    let mut brackets = 0u32;
    let mut previous = ' ';
    for c in command.chars() {
        if is_control(c) || (previous == '!' && c != '=' && c != ' ') {
            return false;
        }
        match c {
            _ if c == quote => quote = '\0',
            // Where an escape ends is not followed.
            '\\' if quote == '"' => return false,
            _ if quote != '\0' => {}
            '\'' | '"' | '`' => quote = c,
            '(' | '[' | '{' => brackets += 1,
            ')' | ']' | '}' if brackets == 0 => return false,
            ')' | ']' | '}' => brackets -= 1,
            _ => {}
        }
        previous = c;
    }
    quote == '\0' && brackets == 0 && previous != '|'
}

fn is_reading(command: &str) -> bool {
    for word in command
        .as_bytes()
        .split(|byte| !byte.is_ascii_alphabetic() && *byte != b'-')
    {
        for reading in READING.split(|byte| *byte == b' ') {
            if word == reading {
                return true;
            }
        }
    }
    false
}
