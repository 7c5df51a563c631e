//! What can be told of a command without knowing all of a shell's language. What is not certain is
//! odd.

use super::word::has_control;
use super::{has_any, put};
use crate::terminal_selector::Shell;

/// How a command can stand behind a change of directory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Plain,
    /// In parentheses.
    Group,
    /// In no way that is sure to hold it together.
    Odd,
}

/// What a shell makes more of than of the words and operators of a command.
struct Oddities {
    quotes: &'static [u8],
    /// Bytes that are odd wherever they are.
    anywhere: &'static [u8],
    /// Bytes that are odd where they are not quoted.
    bare: &'static [u8],
    /// Bytes that are odd where the one follows the other, two by two.
    pairs: &'static [u8],
    /// Words that are odd, each with a space behind it.
    words: &'static [u8],
}

/// The words begin what lasts until another word, and a shell waits for that, or they join
/// commands in fish. The pair begins a redirection. What is broken as it stands would make a broken
/// line, of which fish says when it runs a script that it succeeded.
const POSIX: Oddities = Oddities {
    quotes: b"'\"",
    anywhere: b"\\!`$",
    bare: b"#;<()[]{}^",
    pairs: b"&>",
    words: b"and begin case coproc for foreach function if or repeat select switch until while ",
};

/// The pairs begin a command or a name, where quotes begin anew, a here-string, and what is not
/// parsed; the others end a curly quote, of which there are U+2018 to U+201E, or a sign like it.
const POWERSHELL: Oddities = Oddities {
    quotes: b"'\"",
    anywhere: b"`",
    bare: b"#",
    pairs: b"$(${@'@\"-%\x80\x98\x80\x99\x80\x9a\x80\x9b\x80\x9c\x80\x9d\x80\x9e",
    words: b"",
};

/// It replaces `%NAME%` in the whole line before it looks at quotes or changes the directory. A
/// comment and a label would take a parenthesis behind them for their own.
const CMD: Oddities = Oddities {
    quotes: b"\"",
    anywhere: b"%",
    bare: b"^",
    pairs: b" :&:|:@:",
    words: b"rem ",
};

/// The words make its parser read a file, in the directory that is left. The pair may not end a
/// string.
const NU: Oddities = Oddities {
    quotes: b"'\"`",
    anywhere: b"",
    bare: b"",
    pairs: b"\\\"",
    words: b"module overlay plugin source source-env use ",
};

pub(super) fn form_of(shell: Shell, command: &[u8]) -> Form {
    let odd = match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish => &POSIX,
        Shell::Pwsh | Shell::Powershell => &POWERSHELL,
        Shell::Cmd => &CMD,
        Shell::Nu => &NU,
    };
    let Some(bare) = unquoted(command, odd.quotes) else {
        return Form::Odd;
    };
    if has_control(command, b' ')
        || has_any(command, odd.anywhere)
        || has_any(&bare, odd.bare)
        // A variable alone is broken, too.
        || (shell == Shell::Fish && has_any(&bare, b"="))
        || has_pair(command, odd.pairs, shell == Shell::Nu)
        || has_word(&bare, odd.words)
    {
        return Form::Odd;
    }
    let is_whole = match shell {
        Shell::Pwsh | Shell::Powershell | Shell::Nu => closes_brackets(&bare),
        _ => is_joined(&bare),
    };
    if is_whole {
        Form::Plain
    } else if shell == Shell::Cmd && !has_any(&bare, b"()") {
        Form::Group
    } else {
        Form::Odd
    }
}

/// The command with an `x` for each byte within quotes and for the quotes, or nothing if a quote
/// stays open. Nothing but the quote itself ends what it begins.
fn unquoted(command: &[u8], quotes: &[u8]) -> Option<Vec<u8>> {
    let mut bare = Vec::new();
    put(&mut bare, command);
    let mut quote = 0;
    for byte in &mut bare {
        if quote == 0 {
            if !has_any(quotes, &[*byte]) {
                continue;
            }
            quote = *byte;
        } else if quote == *byte {
            quote = 0;
        }
        *byte = b'x';
    }
    if quote == 0 { Some(bare) } else { None }
}

/// Whether one of the pairs is there, or what Nushell's line editor replaces, even within quotes:
/// words that begin with a `!`.
fn has_pair(command: &[u8], pairs: &[u8], is_nu: bool) -> bool {
    let mut first = b' ';
    for second in command {
        for pair in pairs.chunks_exact(2) {
            if pair == [first, *second] {
                return true;
            }
        }
        if is_nu && first == b'!' && !matches!(second, b'=' | b' ') {
            return true;
        }
        first = *second;
    }
    false
}

/// Whether one of the words, in whichever case, is a word of the text.
fn has_word(text: &[u8], words: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let mut follows = false;
    for at in 0..text.len() {
        let mut length = 0;
        let mut is_same = !follows;
        for byte in words {
            let here = text.get(at + length);
            if *byte != b' ' {
                is_same &= here.is_some_and(|here| here.eq_ignore_ascii_case(byte));
                length += 1;
            } else if is_same && !here.is_some_and(is_part) {
                return true;
            } else {
                (length, is_same) = (0, !follows);
            }
        }
        follows = is_part(&text[at]);
    }
    false
}

/// Whether brackets, of whichever kind, are closed as often as they are opened and never before,
/// and no pipe leads from or to nothing.
fn closes_brackets(bare: &[u8]) -> bool {
    let mut open = 0u32;
    for byte in bare {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' if open == 0 => return false,
            b')' | b']' | b'}' => open -= 1,
            _ => {}
        }
    }
    open == 0 && !matches!(bare, [b'|', ..] | [.., b'|'])
}

/// Whether commands are joined by nothing but `&&` and `|`, and there is one on either side.
fn is_joined(bare: &[u8]) -> bool {
    let mut is_open = true;
    let mut rest = bare;
    while let [byte, after @ ..] = rest {
        rest = match (byte, after) {
            // What follows has to come; `&` is part of it in `2>&1`.
            (b'>', [b'&', after @ ..] | after) => {
                is_open = true;
                after
            }
            (b'&', [b'&', after @ ..]) | (b'|', after) if !is_open => {
                is_open = true;
                after
            }
            (b'&' | b'|', _) => return false,
            _ => {
                is_open &= *byte == b' ';
                after
            }
        };
    }
    !is_open
}

/// The command without the line ends that a model leaves behind it, and with those of a script.
pub(super) fn script(shell: Shell, command: &[u8]) -> Vec<u8> {
    let mut script = Vec::new();
    for byte in command {
        if *byte == b'\n' && script.ends_with(b"\r") {
            script.pop();
        }
        put(&mut script, &[*byte]);
    }
    while script.ends_with(b"\n") {
        script.pop();
    }
    if script.ends_with(b"\\")
        && matches!(shell, Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish)
    {
        // It joins its line to the next one, which a shell would else read from its terminal.
        put(&mut script, b"\n ");
    }
    script
}
