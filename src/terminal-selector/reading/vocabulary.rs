//! The commands that have to do with the working directory.

use super::words::Word;
use crate::Shell;

/// The role of a command of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It leaves the directory as it is.
    Stays,
    /// It is one that changes the directory.
    ChangesDirectory,
    /// It may change the directory.
    Unknown,
}

/// Change the directory to one that is named, in every shell that has them.
const PLAIN_CHANGES: &[&str] = &["cd", "chdir"];

/// Change the directory in other ways, in every shell that has them: by a list of directories or by
/// a record of where a user has been.
const OTHER_CHANGES: &[&str] = &[
    "-", "autojump", "cdh", "cdi", "dirh", "j", "jump", "nextd", "popd", "prevd", "pushd", "up",
    "wd", "workon", "z", "zi",
];

/// Run code that is not in the command, replace the shell, or begin what is not read here.
const POSIX_UNKNOWN: &[&str] = &[
    ".", "alias", "bind", "bindkey", "builtin", "case", "command", "coproc", "emulate", "enable",
    "eval", "exec", "exit", "fc", "foreach", "function", "logout", "mapfile", "mkcd", "noglob",
    "nocorrect", "r", "readarray", "repeat", "return", "select", "setopt", "shopt", "source",
    "take", "trap", "zle", "zmodload",
];
const FISH_UNKNOWN: &[&str] = &[
    "!", ".", "abbr", "alias", "and", "begin", "bind", "builtin", "command", "else", "emit", "end",
    "eval", "exec", "exit", "for", "function", "functions", "if", "not", "or", "return", "source",
    "switch", "time", "trap", "while",
];
const POWERSHELL_UNKNOWN: &[&str] = &[
    ".", "exit", "iex", "ii", "import-module", "invoke-command", "invoke-expression", "icm",
    "ipmo", "invoke-history", "ihy", "r", "new-alias", "new-psdrive", "nal", "pop-location",
    "push-location", "sal", "set-alias", "set-item", "si", "function", "filter", "workflow",
    "using", "return", "foreach-object", "where-object", "%", "?", "foreach", "where",
    "enter-pssession", "etsn", "exit-pssession", "exsn",
];
const NU_UNKNOWN: &[&str] = &[
    "alias", "const", "def", "do", "each", "enter", "exec", "exit", "export", "extern", "for", "g",
    "if", "let", "load-env", "loop", "match", "module", "mut", "n", "overlay", "p", "plugin",
    "run-external", "shells", "source", "source-env", "try", "use", "while", "with-env",
];

/// Begin a command that follows in the same words, of a shell like Bash.
const POSIX_PREFIXES: &[&str] = &[
    "!", "{", "do", "elif", "else", "if", "then", "time", "until", "while",
];
/// End something that was begun by them.
const POSIX_ENDS: &[&str] = &["}", "done", "fi"];

/// Commands of the command prompt's own, and programs that it cannot take for a batch file, or
/// that put the directory back if they are one. Any other name may be a batch file, which changes
/// the directory of the prompt that runs it.
const CMD_KNOWN: &[&str] = &[
    "assoc", "attrib", "bun", "cargo", "choco", "clang", "clip", "cls", "cmake", "cmd", "color",
    "comp", "copy", "ctest", "curl", "date", "del", "deno", "dir", "docker", "dotnet", "echo",
    "erase", "fc", "find", "findstr", "fsutil", "ftype", "g++", "gcc", "gh", "git", "go",
    "hostname", "icacls", "ipconfig", "java", "javac", "kubectl", "md", "mkdir", "mklink", "more",
    "move", "msbuild", "netstat", "ninja", "node", "npm", "npx", "path", "perl", "php", "ping",
    "pip", "pnpm", "powershell", "prompt", "pwsh", "py", "pytest", "python", "rd", "ren", "rename",
    "rg", "rmdir", "robocopy", "ruby", "rustc", "rustup", "set", "setx", "sort", "start",
    "systeminfo", "tar", "taskkill", "tasklist", "time", "timeout", "title", "tree", "tsc", "type",
    "uv", "ver", "verify", "vol", "where", "whoami", "winget", "wsl", "xcopy", "yarn",
];

/// The role of a command of these words.
pub(super) fn role_of(shell: Shell, words: &[Word]) -> Role {
    match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh => role_in_posix(shell, words),
        Shell::Fish => role_in_plain(shell, words, FISH_UNKNOWN),
        Shell::Pwsh | Shell::Powershell => role_in_powershell(words),
        Shell::Cmd => role_in_cmd(words),
        Shell::Nu => role_in_plain(shell, words, NU_UNKNOWN),
    }
}

fn role_in_posix(shell: Shell, words: &[Word]) -> Role {
    // Bash runs what this variable says before each prompt.
    if words
        .iter()
        .any(|word| word.text.starts_with("PROMPT_COMMAND"))
    {
        return Role::Unknown;
    }
    let mut words = words;
    let mut has_prefix = false;
    loop {
        match words {
            // Only assignments, or the end of a loop.
            [] => return Role::Stays,
            [first, rest @ ..] if is_assignment(first) => {
                words = rest;
                has_prefix = true;
            }
            [first, ..] if !first.is_quoted && first.text == "for" => return Role::Stays,
            [first, rest @ ..] if is_bare(first, POSIX_PREFIXES) => {
                words = rest;
                has_prefix = true;
            }
            [first] if is_bare(first, POSIX_ENDS) => return Role::Stays,
            [first, ..] if !first.is_quoted && matches!(&*first.text, "[" | "[[") => {
                return Role::Stays;
            }
            [first, arguments @ ..] => {
                return match role_of_name(shell, first, arguments, POSIX_UNKNOWN) {
                    Role::ChangesDirectory if has_prefix => Role::Unknown,
                    role => role,
                };
            }
        }
    }
}

/// The role in a shell in which nothing stands before a command.
fn role_in_plain(shell: Shell, words: &[Word], unknown: &[&str]) -> Role {
    match words {
        [] => Role::Stays,
        [first, ..] if is_assignment(first) => Role::Unknown,
        // For Nushell a program, whatever commands there are.
        [first, ..] if shell == Shell::Nu && first.is_literal && first.text.starts_with('^') => {
            Role::Stays
        }
        [first, arguments @ ..] => role_of_name(shell, first, arguments, unknown),
    }
}

fn role_in_powershell(words: &[Word]) -> Role {
    let [first, ..] = words else {
        return Role::Stays;
    };
    let name = first.text.to_ascii_lowercase();
    if !first.is_literal || first.is_quoted || POWERSHELL_UNKNOWN.contains(&&*name) {
        return Role::Unknown;
    }
    if PLAIN_CHANGES.contains(&&*name) || matches!(&*name, "sl" | "set-location") {
        return Role::ChangesDirectory;
    }
    // A drive's name is a command that goes there, and a script runs in the shell itself.
    let is_script = name.contains(['/', '\\']) && !name.ends_with(".exe");
    let is_change = OTHER_CHANGES.contains(&&*name) || name.starts_with("cd.");
    if name.ends_with(':') || name.ends_with(".ps1") || is_script || is_change {
        return Role::Unknown;
    }
    // `cd..`, `cd\` and `cd~` are functions.
    let is_function = name.starts_with("cd")
        && !name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-');
    if is_function {
        Role::Unknown
    } else {
        Role::Stays
    }
}

fn role_in_cmd(words: &[Word]) -> Role {
    let [first, ..] = words else {
        return Role::Stays;
    };
    let name = first.text.to_ascii_lowercase();
    let name = name.strip_prefix('@').unwrap_or(&name);
    if PLAIN_CHANGES.contains(&name) && !first.is_quoted {
        return Role::ChangesDirectory;
    }
    let is_program = name.ends_with(".exe") || name.ends_with(".com");
    // `echo.` prints an empty line.
    let is_known = CMD_KNOWN.contains(&name) || name.starts_with("echo.");
    match first.is_literal && (is_program || is_known) {
        true => Role::Stays,
        false => Role::Unknown,
    }
}

/// The role of a command whose name counts with its case.
fn role_of_name(shell: Shell, first: &Word, arguments: &[Word], unknown: &[&str]) -> Role {
    let name = &*first.text;
    let is_option = name.starts_with('-');
    if !first.is_literal || is_option || unknown.contains(&name) || OTHER_CHANGES.contains(&name) {
        return Role::Unknown;
    }
    if PLAIN_CHANGES.contains(&name) {
        return Role::ChangesDirectory;
    }
    if arguments.is_empty() && may_be_folder(shell, name) {
        return Role::Unknown;
    }
    Role::Stays
}

/// Whether the words begin a loop, a condition or a group of a shell like Bash.
pub(super) fn begins_block(words: &[Word]) -> bool {
    let is_begun = |word: &Word| is_bare(word, &["{", "for", "if", "until", "while"]);
    words.first().is_some_and(is_begun)
}

/// Whether a word alone may be the name of a folder, which some shells take for a command that goes
/// there. Digits alone are a place in a list of directories.
fn may_be_folder(shell: Shell, word: &str) -> bool {
    let last = word.rsplit('/').next().unwrap_or_default();
    let goes_there = matches!(shell, Shell::Zsh | Shell::Fish | Shell::Nu);
    let is_path = goes_there && word.contains('/') && !last.contains('.');
    let is_dots = last.bytes().all(|byte| byte == b'.');
    is_path || is_dots || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word is not quoted and one of these.
fn is_bare(word: &Word, words: &[&str]) -> bool {
    !word.is_quoted && words.contains(&&*word.text)
}

/// Whether a word sets a variable.
fn is_assignment(word: &Word) -> bool {
    let Some((name, _)) = word.text.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty()
        && !name.starts_with(|one: char| one.is_ascii_digit())
        && name.bytes().all(is_letter)
}
