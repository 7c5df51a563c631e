//! A text as one word of a command line, which means the text and nothing else.

use super::{has_any, put};
use crate::terminal_selector::Shell;

/// Whether the shell changes into the directory of that path and no other, and its name can be
/// typed.
pub(super) fn is_nameable(shell: Shell, directory: &[u8]) -> bool {
    let (path, odd): (&[u8], &[u8]) = match (shell, directory) {
        (Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish, _) => (directory, b"\0"),
        // What is a key in its line editor the others cannot be told in another way.
        _ if has_control(directory, b' ') => return false,
        // Three dots and more are a folder above, within quotes, too.
        (Shell::Nu, _) => return !directory.windows(3).any(|three| three == b"..."),
        // It takes paths on drives alone, and replaces `%NAME%` and, where it is told to, `!NAME!`
        // whatever is around them.
        (Shell::Cmd, [_, b':', path @ ..]) => (path, b"\"%!*?<>|:"),
        (Shell::Cmd, _) => return false,
        // To PowerShell, what is before a `:` is a drive or a provider, and `\\?\` no folder in each
        // of its versions.
        (_, [_, b':', path @ ..] | [b'/' | b'\\', b'/' | b'\\', path @ ..]) => (path, b":?"),
        // A backslash separates names on every system.
        _ => (directory, b":\\"),
    };
    !has_any(path, odd)
}

/// How a word is written.
struct Style {
    before: &'static [u8],
    /// For each byte that is not written as it is: the byte, what stands for it, and a space.
    escapes: &'static [u8],
    behind: &'static [u8],
}

const SINGLE: Style = Style {
    before: b"'",
    escapes: b"''\\'' ",
    behind: b"'",
};
const ANSI_C: Style = Style {
    before: b"$'",
    escapes: b"'\\047 !\\041 \\\\\\ \n\\n \t\\t ",
    behind: b"'",
};
const PRINTF: Style = Style {
    before: b"\"$(printf -- '",
    escapes: b"'\\047 !\\041 \\\\\\ \n\\n \t\\t %%% ",
    behind: b"')\"",
};
/// `$(…)` takes line ends away from behind a text; this is the same directory.
const PRINTF_LINE: Style = Style {
    behind: b"/.')\"",
    ..PRINTF
};
const FISH: Style = Style {
    escapes: b"'\\' \\\\\\ ",
    ..SINGLE
};
const POWERSHELL: Style = Style {
    escapes: b"''' ",
    ..SINGLE
};
const CMD: Style = Style {
    before: b"\"",
    escapes: b"",
    behind: b"\"",
};
const NU: Style = Style {
    escapes: b"\"\\\" \\\\\\ !\\u{21} ",
    ..CMD
};

/// Writes the text as one word.
pub(super) fn push_word(shell: Shell, text: &[u8], line: &mut Vec<u8>) {
    let is_typable = !has_any(text, b"!");
    let style = match shell {
        Shell::Bash | Shell::Zsh if is_typable && !has_control(text, b' ') => &SINGLE,
        Shell::Bash | Shell::Zsh => &ANSI_C,
        // It reads a line end as it is, and may read from a terminal that takes 4,095 bytes in a
        // line: there lines stay as they are.
        Shell::Sh if is_typable && !has_control(text, b'\n') => &SINGLE,
        Shell::Sh if text.ends_with(b"\n") => &PRINTF_LINE,
        Shell::Sh => &PRINTF,
        Shell::Fish => &FISH,
        Shell::Pwsh | Shell::Powershell => &POWERSHELL,
        Shell::Nu if is_typable && !has_any(text, b"'") => &SINGLE,
        Shell::Nu => &NU,
        Shell::Cmd => &CMD,
    };
    put(line, style.before);
    for at in 0..text.len() {
        push_byte(shell, style.escapes, text, at, line);
    }
    put(line, style.behind);
}

fn push_byte(shell: Shell, escapes: &[u8], text: &[u8], at: usize, line: &mut Vec<u8>) {
    let byte = text[at];
    for escape in escapes.split(|byte| *byte == b' ') {
        if let [escaped, instead @ ..] = escape
            && *escaped == byte
        {
            return put(line, instead);
        }
    }
    let is_plain = !is_control(text, at) || (byte == b'\n' && shell == Shell::Sh);
    if is_plain {
        put(line, &[byte]);
        let is_powershell = matches!(shell, Shell::Pwsh | Shell::Powershell);
        // U+2018 to U+201B end a string as well, and two of them are one.
        if is_powershell && (0x98..0x9c).contains(&byte) && text[..at].ends_with(b"\xe2\x80") {
            put(line, &[0xe2, 0x80, byte]);
        }
        return;
    }
    let is_fish = shell == Shell::Fish;
    let (mut shift, bits) = if is_fish { (4, 4) } else { (6, 3) };
    put(line, if is_fish { b"'\\X" } else { b"\\" });
    loop {
        let digit = byte >> shift & ((1 << bits) - 1);
        put(line, &[digit + if digit < 10 { b'0' } else { b'a' - 10 }]);
        if shift == 0 {
            break;
        }
        shift -= bits;
    }
    put(line, if is_fish { b"'" } else { b"" });
}

/// Whether there is what a line editor or a terminal takes for more than a character, but for one.
#[inline(never)]
pub(super) fn has_control(text: &[u8], but: u8) -> bool {
    for (at, byte) in text.iter().enumerate() {
        if *byte != but && is_control(text, at) {
            return true;
        }
    }
    false
}

/// Whether the byte is a control character, or of one from U+0080 to U+009F.
#[inline(never)]
fn is_control(text: &[u8], at: usize) -> bool {
    match text[at] {
        ..b' ' | 0x7f => true,
        0xc2 => matches!(text.get(at + 1), Some(..0xa0)),
        0x80..0xa0 => text[..at].ends_with(b"\xc2"),
        _ => false,
    }
}
