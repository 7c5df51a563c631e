//! PowerShell 5 to 7.
//!
//! `if` holds the command back by its shape, whatever error there is and whatever
//! `$ErrorActionPreference` says; with `Stop`, an error leaves `$?` false. `Invoke-Expression`
//! would take any command, but its `$?` is true however that ends, so what braces cannot hold is
//! refused.

use super::is_control;

pub(super) fn write(directory: &str, command: &str, out: &mut String) -> bool {
    if !is_nameable(directory) || !fits_in_braces(command) {
        return false;
    }
    if !command.is_empty() {
        out.push_str("if (");
    }
    out.push_str("Set-Location -LiteralPath '");
    for c in directory.chars() {
        // Each of them ends a string, and two are one.
        if c == '\'' || matches!(c, '\u{2018}'..='\u{201b}') {
            out.push(c);
        }
        out.push(c);
    }
    out.push('\'');
    if !command.is_empty() {
        out.push_str(" -PassThru -ErrorAction Stop) { ");
        out.push_str(command);
        out.push_str(" }");
    }
    true
}

/// Whether PowerShell takes the text for nothing but the path of a directory.
fn is_nameable(directory: &str) -> bool {
    let is_posix = directory.starts_with('/') && !directory.starts_with("//");
    // `\\?\` and `\\.\` are no folders to PowerShell 5.
    let mut is_nameable = !directory.starts_with("\\\\.") && !directory.starts_with("//.");
    for (at, c) in directory.char_indices() {
        is_nameable &= match c {
            // It separates names on every system.
            '\\' => !is_posix,
            // What is before it would be a drive or a provider.
            ':' => !is_posix && at == 1,
            '?' => is_posix,
            _ => !is_control(c),
        };
    }
    is_nameable
}

/// Whether the command is one line of which each brace and quote can be told apart from text
/// without knowing more of the language, and none is open at its end.
fn fits_in_braces(command: &str) -> bool {
    let mut quote = '\0';
    let mut braces = 0u32;
    let mut parens = 0u32;
    let mut chars = command.chars();
    let mut next = chars.next();
    while let Some(c) = next {
        next = chars.next();
        if is_control(c) || c == '`' || matches!(c, '\u{2018}'..='\u{201e}') {
            return false;
        }
        if quote == '\'' {
            if c == quote {
                quote = '\0';
            }
            continue;
        }
        // A name in braces, and a command within a string.
        if c == '$' && (next == Some('{') || (quote == '"' && next == Some('('))) {
            return false;
        }
        if quote == '"' {
            if c == quote {
                quote = '\0';
            }
            continue;
        }
        match c {
            '\'' | '"' => quote = c,
            '{' => braces += 1,
            '(' => parens += 1,
            '}' if braces > 0 => braces -= 1,
            ')' if parens > 0 => parens -= 1,
            // A comment, and what stops the parsing of the line.
            '}' | ')' | '#' => return false,
            '%' if command.contains("--%") => return false,
            '@' if matches!(next, Some('\'' | '"')) => return false,
            _ => {}
        }
    }
    quote == '\0' && braces == 0 && parens == 0
}
