//! The work of a tool, by its name.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use crate::arguments::COMMAND;
use crate::pattern::is_of_word;

/// The work of a tool of the agents that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnownTool {
    /// Asks or tells the user, whose words are the result.
    Ask,
    /// Runs a command line.
    Command,
    /// Changes a file.
    Edit,
    /// An editor whose argument says what it does.
    TextEditor,
    /// Takes a patch of Codex' form.
    Patch,
    /// Reads files.
    Read,
    /// Writes a whole file.
    Write,
}

const TABLE: [(KnownTool, &[&str]); 7] = [
    (
        KnownTool::Read,
        &[
            "read", "readfile", "view", "viewfile", "openfile", "readtextfile", "readfilecontent",
            "getfilecontents",
        ],
    ),
    (
        KnownTool::Write,
        &[
            "write", "writefile", "writetofile", "createfile", "newfile", "savefile", "newrule",
            "create",
        ],
    ),
    (
        KnownTool::Edit,
        &[
            "edit",
            "editfile",
            "multiedit",
            "fasteditfile",
            "replaceinfile",
            "replace",
            "applydiff",
            "insertcontent",
            "searchandreplace",
            "searchreplace",
            "strreplace",
            "insert",
            "deletefile",
            "notebookedit",
            "replacestringinfile",
        ],
    ),
    (
        KnownTool::TextEditor,
        &[
            "strreplaceeditor",
            "strreplacebasededittool",
            "texteditor",
            "editor",
        ],
    ),
    (KnownTool::Command, COMMANDS),
    (
        KnownTool::Ask,
        &[
            "attemptcompletion",
            "askfollowupquestion",
            "planmoderespond",
            "planmoderesponse",
            "actmoderespond",
            "newtask",
            "condense",
            "summarizetask",
            "reportbug",
        ],
    ),
    (KnownTool::Patch, &["applypatch", "patch"]),
];

/// Of Cline, Roo Code and Kilo Code, gemini-cli and DeepV Code, Claude Code, SWE-agent and crush, Codex, OpenHands,
/// goose, Cursor, Windsurf, and VS Code.
const COMMANDS: &[&str] = &[
    "executecommand", "runshellcommand", "bash", "shell", "localshell", "execcommand",
    "container.exec", "executebash", "run", "terminal", "developershell", "runterminalcmd",
    "runterminalcommand", "runcommand", "runinterminal", "sh", "localshellcall", "powershell",
    "shellcommand", "command", "exec",
];

/// The names of all these tools, as [`plain_name`] makes them, each with its work.
pub fn known_tools() -> impl Iterator<Item = (&'static str, KnownTool)> {
    let rows = TABLE.iter();
    rows.flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)))
}

impl KnownTool {
    /// Its name for JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Command => "command",
            Self::Edit => "edit",
            Self::TextEditor => "text-editor",
            Self::Patch => "patch",
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// The work of the tool with this name; `None` of one that no agent has.
    pub fn of(name: &str) -> Option<Self> {
        let name = plain_name(name);
        let known = known_tools().find(|(known, _)| *known == name);
        known.map(|(_, kind)| kind)
    }
}

/// A name in lower case without `_` and `-`, and without the server that an MCP tool is of.
pub fn plain_name(name: &str) -> String {
    let own = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.rfind("__").map(|at| &rest[at + 2..]));
    let letters = own.unwrap_or(name).chars();
    letters
        .filter(|letter| !matches!(letter, '_' | '-'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// The command line of a call to a shell, whose arguments are a text or words.
pub fn command_of<'a>(args: &'a Json<'a>) -> Option<Cow<'a, str>> {
    let given = COMMAND.iter().filter_map(|name| args.get(name));
    let given = given.into_iter().find(|it| !matches!(it, Json::Null))?;
    if let Json::Text(line) = given {
        return Some(Cow::Borrowed(line));
    }
    let words: Option<Vec<&str>> = given.items().iter().map(Json::as_text).collect();
    match &words?[..] {
        [] => None,
        // `["bash", "-lc", "cat a.ts"]`
        [shell, option, line] if is_shell(shell) && option.starts_with('-') => {
            Some(Cow::Borrowed(line))
        }
        words => {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            Some(Cow::Owned(words.join(" ")))
        }
    }
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = match name.strip_suffix(".exe") {
        Some(name @ ("pwsh" | "powershell")) => name,
        _ => name,
    };
    matches!(
        name,
        "sh" | "bash" | "zsh" | "dash" | "fish" | "pwsh" | "powershell"
    )
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| is_of_word(letter) || "@%+=:,./\\-".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{word}'"),
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn names_are_known_in_every_spelling() {
        for (name, kind) in [
            ("read_file", KnownTool::Read),
            ("ReadFile", KnownTool::Read),
            ("mcp__files__read-file", KnownTool::Read),
            ("mcp__a__b__read_file", KnownTool::Read),
            ("str_replace_based_edit_tool", KnownTool::TextEditor),
            ("container.exec", KnownTool::Command),
            ("run_in_terminal", KnownTool::Command),
            ("apply_patch", KnownTool::Patch),
        ] {
            assert_eq!(KnownTool::of(name), Some(kind), "{name}");
        }
        for name in ["", "mcp__read_file", "reads", "glob"] {
            assert_eq!(KnownTool::of(name), None, "{name}");
        }
    }

    #[test]
    fn a_command_is_a_text_or_words() {
        for (args, expected) in [
            (r#"{"command":"ls"}"#, Some("ls")),
            (r#"{"command":null,"cmd":"ls"}"#, Some("ls")),
            (r#"{"command":["bash","-lc","cat a b"]}"#, Some("cat a b")),
            (r#"{"command":["/bin/zsh","-c","x"]}"#, Some("x")),
            (r#"{"command":["C:\\pwsh.exe","-Command","x"]}"#, Some("x")),
            (r#"{"command":["ls","a b","c.ts"]}"#, Some("ls 'a b' c.ts")),
            (r#"{"command":["bash",1]}"#, None),
            (r#"{"command":[]}"#, None),
            (r#"{"command":7}"#, None),
            ("{}", None),
            ("7", None),
        ] {
            let mut room = Vec::new();
            let args = parse(args.as_bytes(), &mut room).expect("JSON");
            assert_eq!(command_of(&args).as_deref(), expected);
        }
    }
}
