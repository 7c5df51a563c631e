//! Commands as far as they can be told without all of a shell's language. One that is not certain counts
//! as odd.

use crate::Shell;

/// The form in which a command can follow a change of directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Plain,
    /// In parentheses.
    Group,
    /// In no way that is sure to hold it together.
    Odd,
}

/// The signs that a shell may take for more than the words and operators of a command.
struct Oddities {
    /// Each of them begins what only the same character ends.
    quotes: &'static [char],
    /// Characters that are odd wherever they are.
    anywhere: &'static [char],
    /// Characters that are odd where they are not quoted.
    bare: &'static [char],
    /// Characters that are odd one after the other, wherever they are. A space also stands for the
    /// start of the command.
    pairs: &'static [&'static str],
    /// Words that are odd where they are not quoted, in whichever case.
    words: &'static [&'static str],
}

const NONE: Oddities = Oddities {
    quotes: &[],
    anywhere: &[],
    bare: &[],
    pairs: &[],
    words: &[],
};

/// The words begin what lasts until another word, and a shell waits for that, or they join
/// commands in fish. The pair begins a redirection. What is broken as it stands would make a broken
/// line, of which fish says when it runs a script that it succeeded.
const POSIX: Oddities = Oddities {
    quotes: &['\'', '"'],
    anywhere: &['\\', '!', '`', '$'],
    bare: &['#', ';', '<', '(', ')', '[', ']', '{', '}', '^'],
    pairs: &["&>"],
    words: &[
        "and", "begin", "case", "coproc", "for", "foreach", "function", "if", "or", "repeat",
        "select", "switch", "until", "while",
    ],
};

/// In fish, a variable alone is broken, too.
const FISH_BARE: char = '=';

/// The quotes anywhere are curly ones, which PowerShell takes for straight ones. The pairs begin a
/// command or a name, where quotes begin anew, a here-string, and what is not parsed.
const POWERSHELL: Oddities = Oddities {
    quotes: &['\'', '"'],
    anywhere: &[
        '`', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}', '\u{201c}', '\u{201d}', '\u{201e}',
    ],
    bare: &['#'],
    pairs: &["$(", "${", "@'", "@\"", "-%"],
    ..NONE
};

/// It replaces `%NAME%` in the whole line before it looks at quotes or changes the directory. A
/// comment and a label would take a parenthesis after them for their own.
const CMD: Oddities = Oddities {
    quotes: &['"'],
    anywhere: &['%'],
    bare: &['^'],
    pairs: &[" :", "&:", "|:", "@:"],
    words: &["rem"],
};

/// The words make its parser read a file, in the directory that is left. The pair may not end a
/// string.
const NU: Oddities = Oddities {
    quotes: &['\'', '"', '`'],
    pairs: &["\\\""],
    words: &["module", "overlay", "plugin", "source", "source-env", "use"],
    ..NONE
};

/// The form in which a command can follow a change of directory in a line for the shell.
pub(super) fn form_of(shell: Shell, command: &str) -> Form {
    let odd = match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish => &POSIX,
        Shell::Pwsh | Shell::Powershell => &POWERSHELL,
        Shell::Cmd => &CMD,
        Shell::Nu => &NU,
    };
    let Some(bare) = without_quoted(command, odd.quotes) else {
        return Form::Odd;
    };
    if command.contains(char::is_control)
        || command.contains(odd.anywhere)
        || bare.contains(odd.bare)
        || (shell == Shell::Fish && bare.contains(FISH_BARE))
        || has_pair(command, odd.pairs)
        || (shell == Shell::Nu && is_replaced_by_nu(command))
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
    } else if shell == Shell::Cmd && !bare.contains(['(', ')']) {
        Form::Group
    } else {
        Form::Odd
    }
}

/// The command with an `x` for each quoted character and for the quotes, or nothing if a quote stays
/// open.
fn without_quoted(command: &str, quotes: &[char]) -> Option<String> {
    let mut open = None;
    let bare = command.chars().map(|one| match open {
        None if quotes.contains(&one) => {
            open = Some(one);
            'x'
        }
        None => one,
        Some(quote) => {
            if quote == one {
                open = None;
            }
            'x'
        }
    });
    let bare = bare.collect();
    open.is_none().then_some(bare)
}

fn has_pair(command: &str, pairs: &[&str]) -> bool {
    let command = format!(" {command}");
    pairs.iter().any(|pair| command.contains(pair))
}

/// Whether Nushell's line editor would replace something, even within quotes: words that begin with
/// a `!`.
fn is_replaced_by_nu(command: &str) -> bool {
    let following = command.chars().skip(1);
    let mut pairs = command.chars().zip(following);
    pairs.any(|(one, next)| one == '!' && next != '=' && next != ' ')
}

fn has_word(text: &str, words: &[&str]) -> bool {
    let is_part = |one: char| one.is_ascii_alphanumeric() || one == '-';
    let mut parts = text.split(|one| !is_part(one));
    parts.any(|part| words.iter().any(|word| word.eq_ignore_ascii_case(part)))
}

/// Whether brackets, of whichever kind, are closed as often as they are opened and never before,
/// and no pipe leads from or to nothing.
fn closes_brackets(bare: &str) -> bool {
    let mut open = 0u32;
    for one in bare.chars() {
        match one {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' if open == 0 => return false,
            ')' | ']' | '}' => open -= 1,
            _ => {}
        }
    }
    open == 0 && !bare.starts_with('|') && !bare.ends_with('|')
}

/// Whether commands are joined by nothing but `&&` and `|`, and there is one on either side.
fn is_joined(bare: &str) -> bool {
    let mut needs_command = true;
    let mut rest = bare.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = match (byte, after) {
            // A file has to follow; `&` is part of it in `2>&1`.
            (b'>', [b'&', after @ ..] | after) => {
                needs_command = true;
                after
            }
            (b'&', [b'&', after @ ..]) | (b'|', after) if !needs_command => {
                needs_command = true;
                after
            }
            (b'&' | b'|', _) => return false,
            _ => {
                needs_command &= *byte == b' ';
                after
            }
        };
    }
    !needs_command
}

/// The command without the line ends that a model leaves after it, and with those of a script.
pub(super) fn script(shell: Shell, command: &str) -> String {
    let lines = command.replace("\r\n", "\n");
    let mut script = lines.trim_end_matches('\n').to_owned();
    let is_posix = matches!(shell, Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish);
    if is_posix && script.ends_with('\\') {
        // It joins its line to the next one, which a shell would else read from its terminal.
        script.push_str("\n ");
    }
    script
}
