//! A text as one word of a command line, which means the text and nothing else.

use crate::Shell;

const SEPARATORS: [char; 2] = ['/', '\\'];

/// Whether the shell changes into the directory of that path and no other, and its name can be
/// typed.
pub(super) fn is_nameable(shell: Shell, directory: &str) -> bool {
    let after_drive = directory.get(1..).and_then(|rest| rest.strip_prefix(':'));
    let after_share = directory
        .strip_prefix(SEPARATORS)
        .and_then(|rest| rest.strip_prefix(SEPARATORS));
    match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish => !directory.contains('\0'),
        // The other shells cannot be told in another way what is a key in their line editor.
        _ if directory.contains(char::is_control) => false,
        // Three dots and more are a folder above, within quotes, too.
        Shell::Nu => !directory.contains("..."),
        // It takes paths on drives alone, and replaces `%NAME%` and, where it is told to, `!NAME!`
        // whatever is around them.
        Shell::Cmd => after_drive
            .is_some_and(|path| !path.contains(['"', '%', '!', '*', '?', '<', '>', '|', ':'])),
        // To PowerShell, what is before a `:` is a drive or a provider, and `\\?\` no folder in each
        // of its versions. On posix, a backslash separates names, too.
        Shell::Pwsh | Shell::Powershell => match after_drive.or(after_share) {
            Some(path) => !path.contains([':', '?']),
            None => !directory.contains([':', '\\']),
        },
    }
}

/// The way in which a word is written.
struct Style {
    before: &'static str,
    /// Characters that are not written as they are, and what is written for them.
    escapes: &'static [(char, &'static str)],
    after: &'static str,
}

const SINGLE: Style = Style {
    before: "'",
    escapes: &[('\'', r"'\''")],
    after: "'",
};
const ANSI_C: Style = Style {
    before: "$'",
    escapes: &[
        ('\'', r"\047"),
        ('!', r"\041"),
        ('\\', r"\\"),
        ('\n', r"\n"),
        ('\t', r"\t"),
    ],
    after: "'",
};
const PRINTF: Style = Style {
    before: "\"$(printf -- '",
    escapes: &[
        ('\'', r"\047"),
        ('!', r"\041"),
        ('\\', r"\\"),
        ('\n', r"\n"),
        ('\t', r"\t"),
        ('%', "%%"),
    ],
    after: "')\"",
};
/// `$(…)` takes line ends away from the end of a text; this is the same directory.
const PRINTF_LINE: Style = Style {
    after: "/.')\"",
    ..PRINTF
};
const FISH: Style = Style {
    escapes: &[('\'', r"\'"), ('\\', r"\\")],
    ..SINGLE
};
/// U+2018 to U+201B end a string as well, and two of them are one.
const POWERSHELL: Style = Style {
    escapes: &[
        ('\'', "''"),
        ('\u{2018}', "\u{2018}\u{2018}"),
        ('\u{2019}', "\u{2019}\u{2019}"),
        ('\u{201a}', "\u{201a}\u{201a}"),
        ('\u{201b}', "\u{201b}\u{201b}"),
    ],
    ..SINGLE
};
const CMD: Style = Style {
    before: "\"",
    escapes: &[],
    after: "\"",
};
const NU: Style = Style {
    escapes: &[('"', "\\\""), ('\\', r"\\"), ('!', r"\u{21}")],
    ..CMD
};

/// The text as one word.
pub(super) fn quoted(shell: Shell, text: &str) -> String {
    let style = style_of(shell, text);
    let mut word = style.before.to_owned();
    for one in text.chars() {
        let escape = style.escapes.iter().find(|(escaped, _)| *escaped == one);
        if let Some((_, written)) = escape {
            word.push_str(written);
        } else if one.is_control() && !(one == '\n' && shell == Shell::Sh) {
            push_control(shell, one, &mut word);
        } else {
            word.push(one);
        }
    }
    word.push_str(style.after);
    word
}

fn style_of(shell: Shell, text: &str) -> &'static Style {
    let is_typable = !text.contains('!');
    let is_control_but_line_end = |one: char| one.is_control() && one != '\n';
    match shell {
        Shell::Bash | Shell::Zsh if is_typable && !text.contains(char::is_control) => &SINGLE,
        Shell::Bash | Shell::Zsh => &ANSI_C,
        // It reads a line end as it is, and may read from a terminal that takes 4,095 bytes in a
        // line: there lines stay as they are.
        Shell::Sh if is_typable && !text.contains(is_control_but_line_end) => &SINGLE,
        Shell::Sh if text.ends_with('\n') => &PRINTF_LINE,
        Shell::Sh => &PRINTF,
        Shell::Fish => &FISH,
        Shell::Pwsh | Shell::Powershell => &POWERSHELL,
        Shell::Nu if is_typable && !text.contains('\'') => &SINGLE,
        Shell::Nu => &NU,
        Shell::Cmd => &CMD,
    }
}

/// Writes a control character by the values of its bytes.
fn push_control(shell: Shell, control: char, word: &mut String) {
    for byte in control.encode_utf8(&mut [0; 4]).bytes() {
        if shell == Shell::Fish {
            // Outside of quotes, where fish reads such values.
            *word += &format!("'\\X{byte:02x}'");
        } else {
            *word += &format!("\\{byte:03o}");
        }
    }
}
