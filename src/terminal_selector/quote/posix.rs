//! Bash, Z shell, POSIX shells and fish.
//!
//! `eval` takes what is not plain. Nothing in its word can end it, and it reads a here-document, a
//! comment or a brace too many as a script would, in the shell itself.

use super::is_control;
use super::plain::is_plain;
use crate::terminal_selector::Shell;
use crate::text::push_hex;

pub(super) fn write(shell: Shell, directory: &str, command: &str, out: &mut String) {
    let mut path = directory.to_owned();
    if path.ends_with('\n') {
        // `$(…)` takes line ends away from behind its text; this is the same directory.
        path.push_str("/.");
    }
    out.push_str("cd -- ");
    push_word(shell, &path, out);
    if command.is_empty() {
        return;
    }
    out.push_str(" && ");
    if is_plain(command) {
        out.push_str(command);
    } else {
        out.push_str("eval ");
        push_word(shell, &script(command), out);
    }
}

/// The command as the lines of a script.
fn script(command: &str) -> String {
    let mut script = String::with_capacity(command.len() + 2);
    for c in command.chars() {
        if c == '\n' && script.ends_with('\r') {
            script.pop();
        }
        script.push(c);
    }
    if script.ends_with('\\') {
        // It joins its line to the next one, which a shell would else read from its terminal.
        script.push_str("\n ");
    }
    script
}

/// Writes the text as one word that means it and nothing else.
fn push_word(shell: Shell, text: &str, out: &mut String) {
    let mut is_typable = true;
    for c in text.chars() {
        // A POSIX shell reads a line end as it is, and may read from a terminal that takes 4,095
        // bytes in a line: there lines stay as they are.
        is_typable &= !is_control(c) || (c == '\n' && shell == Shell::Sh);
        // Older versions of Bash replace it within quotes, too, if they last for several lines.
        is_typable &= c != '!' || shell == Shell::Fish;
    }
    if is_typable || shell == Shell::Fish {
        out.push('\'');
        push_quoted(shell, text, out);
        out.push('\'');
    } else if shell == Shell::Sh {
        out.push_str("\"$(printf -- '");
        push_escaped(shell, text, out);
        out.push_str("')\"");
    } else {
        out.push_str("$'");
        push_escaped(shell, text, out);
        out.push('\'');
    }
}

/// Writes what stands for `text` between single quotes.
fn push_quoted(shell: Shell, text: &str, out: &mut String) {
    for c in text.chars() {
        match (c, shell) {
            ('\'' | '\\', Shell::Fish) => {
                out.push('\\');
                out.push(c);
            }
            ('\'', _) => out.push_str("'\\''"),
            (_, Shell::Fish) if is_control(c) => {
                out.push('\'');
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    out.push_str("\\X");
                    push_hex(out, byte);
                }
                out.push('\'');
            }
            _ => out.push(c),
        }
    }
}

/// Writes what stands for `text` between `$'` and `'`, or in the format of `printf`.
fn push_escaped(shell: Shell, text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '%' if shell == Shell::Sh => out.push_str("%%"),
            '\'' | '!' => push_octal(c, out),
            _ if is_control(c) => push_octal(c, out),
            _ => out.push(c),
        }
    }
}

fn push_octal(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push('\\');
        for shift in [6, 3, 0] {
            out.push(char::from(b'0' + (byte >> shift & 7)));
        }
    }
}
