//! The work of a tool, by its name.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_base::path::program_name;

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

/// The kind of a tool that a word of its name tells. Where words disagree, the first kind in this order counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    /// Writes something down for the model; changes nothing.
    Note,
    /// Asks the user, or says something to them.
    Ask,
    /// Waits, or moves on by one, so that the same call again may be meant.
    Wait,
    /// Clicks, types or takes a picture of a screen.
    Gesture,
    /// Opens a page or a place.
    Navigate,
    /// Works a browser or a desktop.
    Browser,
    /// Moves a window over a file by one page.
    Scroll,
    /// Looks for mistakes, so that it is well if it finds none.
    Check,
    /// Takes a file away, or to another place.
    Remove,
    /// Changes a part of something.
    Edit,
    /// Records changes in a repository.
    Commit,
    /// Writes something whole.
    Write,
    /// Sends something to a service.
    Send,
    /// Runs a command line.
    Command,
    /// Looks for files or texts.
    Search,
    /// Gets a page.
    Fetch,
    /// Reads files.
    Read,
    /// Asks for one thing by its name.
    Lookup,
    /// Has another agent do the work.
    Delegate,
}

mod word_lists {
    use super::{KnownTool, ToolKind};

    include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));
}

/// The words in tools' names by their kinds, with a space between; of the crate's `words.tsv`.
pub const TOOL_WORDS: &[(ToolKind, &str)] = word_lists::WORDS;

/// The verbs by which an editor is told what to do, by their kinds, with a space between.
pub const EDITOR_VERBS: &[(ToolKind, &str)] = word_lists::EDITOR_VERBS;

/// The meaning of a word in lists of words.
fn meaning<M: Copy>(lists: &[(M, &str)], word: &str) -> Option<M> {
    let is_in = |list: &&(M, &str)| list.1.split(' ').any(|known| known == word);
    lists.iter().find(is_in).map(|(meaning, _)| *meaning)
}

impl ToolKind {
    /// The kinds that the words of a name tell, such as those of `str_replace`, `readFile` and `mcp__files__read`.
    pub fn of_words(name: &str) -> Vec<Self> {
        let words = words_of(own_name(name)).into_iter();
        words
            .filter_map(|word| meaning(TOOL_WORDS, &word))
            .collect()
    }

    /// The kind of a tool with this name, as far as its words tell.
    pub fn of(name: &str) -> Option<Self> {
        let kinds = Self::of_words(name);
        // A tool that reads notes makes none.
        let looks = matches!(
            kinds.first(),
            Some(Self::Search | Self::Read | Self::Lookup)
        );
        let kinds = kinds.into_iter();
        kinds.filter(|kind| !(looks && *kind == Self::Note)).min()
    }

    /// The kind of what an editor is told to do.
    pub fn of_editor_verb(verb: &str) -> Option<Self> {
        meaning(EDITOR_VERBS, verb)
    }
}

/// Names are looked at this far, in characters.
const LONGEST_NAME: usize = 200;

/// The words of a name of at most 200 characters, ASCII in lower case.
pub fn words_of(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for character in name.chars().take(LONGEST_NAME) {
        if !character.is_alphanumeric() || (was_lower && character.is_uppercase()) {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words.push(word);
    words
}

impl KnownTool {
    /// The work of the tool with this name; `None` of one that no agent has.
    pub fn of(name: &str) -> Option<Self> {
        meaning(word_lists::NAMES, &plain_name(name))
    }
}

/// A name without the server that an MCP tool is of.
fn own_name(name: &str) -> &str {
    let own = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.rfind("__").map(|at| &rest[at + 2..]));
    own.unwrap_or(name)
}

/// A name in lower case without `_` and `-`, and without the server that an MCP tool is of.
pub fn plain_name(name: &str) -> String {
    let letters = own_name(name).chars();
    letters
        .filter(|letter| !matches!(letter, '_' | '-'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// Whether a name is of a pattern, in which `*` stands for any letters.
pub fn is_of_pattern(name: &str, pattern: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(name) = name.strip_prefix(first) else {
        return false;
    };
    let (between, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut name) = name.strip_suffix(last) else {
        return false;
    };
    // The earliest place of each leaves most to the others.
    between.split('*').all(|part| match name.find(part) {
        Some(at) => {
            name = &name[at + part.len()..];
            true
        }
        None => false,
    })
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
        // No program has a space in its name: `["npm test"]` is a list of lines.
        [line] => Some(Cow::Borrowed(line)),
        words => {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            Some(Cow::Owned(words.join(" ")))
        }
    }
}

fn is_shell(word: &str) -> bool {
    matches!(
        &*program_name(word),
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
    fn the_first_kind_of_the_words_of_a_name_counts() {
        for (name, kind) in [
            ("my_ask_tool", Some(ToolKind::Ask)),
            ("update_plan", Some(ToolKind::Note)),
            ("read_todos", Some(ToolKind::Read)),
            ("deleteFile", Some(ToolKind::Remove)),
            ("mcp__search__publish-notes", Some(ToolKind::Send)),
            ("google_web_search", Some(ToolKind::Search)),
            ("reads", None),
            ("", None),
        ] {
            assert_eq!(ToolKind::of(name), kind, "{name}");
        }
        assert_eq!(ToolKind::of(&"read_".repeat(100_000)), Some(ToolKind::Read));
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, expected) in [
            ("Bash", "Bash", true),
            ("Bash", "bash", false),
            ("mcp__ci__*", "mcp__ci__status", true),
            ("mcp__ci__*", "mcp__c", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("a**b", "ab", true),
            ("a*b*c", "axxbyc", true),
            ("a*b*c", "acb", false),
            ("*.x", "a.b.x", true),
            ("a*bc*c", "abc", false),
        ] {
            assert_eq!(is_of_pattern(name, pattern), expected, "{pattern} {name}");
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
            (r#"{"command":["C:\\Git\\Bash.exe","-lc","x"]}"#, Some("x")),
            (r#"{"command":["python","-c","x"]}"#, Some("python -c x")),
            (r#"{"command":["ls","a b","c.ts"]}"#, Some("ls 'a b' c.ts")),
            (r#"{"commands":["npm test"]}"#, Some("npm test")),
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
