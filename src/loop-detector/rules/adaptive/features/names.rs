//! The meaning of the names of tools and arguments: those that the host names come before the
//! vocabulary's.

use rustc_hash::FxHashMap;

use super::characters::{is_ascii, lower_case};
use super::vocabulary::{ArgumentRole, ToolKind, ToolTrait, VOCABULARY, WaitVerb, Words};
use crate::call::Encoded;
use turnkeeper_base::text::hash::fingerprint;

/// Knows the names of tools and arguments.
#[derive(Debug, Default)]
pub(in super::super) struct Names {
    own_tools: Words<ToolKind>,
    own_arguments: Words<ArgumentRole>,
    tools: Memo<KnownTool>,
    arguments: Memo<KnownArgument>,
}

impl Names {
    /// Tools of these names are of this kind.
    pub(in super::super) fn add_tools(&mut self, kind: ToolKind, names: &Option<Vec<String>>) {
        for name in names.iter().flatten() {
            self.own_tools.add(name, kind, Ord::min);
        }
    }

    /// Arguments of these names are not compared.
    pub(in super::super) fn add_cosmetic_arguments(&mut self, names: &Option<Vec<String>>) {
        for name in names.iter().flatten() {
            self.own_arguments
                .add(name, ArgumentRole::COSMETIC, ArgumentRole::union);
        }
    }

    /// The tool of this name.
    pub(super) fn tool(&mut self, name: Encoded) -> KnownTool {
        if let Some(kind) = self.tools.get(name) {
            return kind;
        }
        let units = name.units().to_vec();
        let local = without_namespace(&units);
        let words = words_of_name(local);
        let of_own = words
            .iter()
            .chain([&local])
            .filter_map(|word| self.own_tools.meaning(word))
            .min();
        // A tool that reads notes makes none.
        let first = words.iter().find(|word| !word.is_empty());
        let of_first = first.and_then(|word| VOCABULARY.tools.meaning(word));
        let looks = matches!(of_first, Some(ToolKind::Search | ToolKind::Lookup));
        let kinds = words
            .iter()
            .filter_map(|word| VOCABULARY.tools.meaning(word));
        let of_known = kinds
            .filter(|kind| !(looks && *kind == ToolKind::Note))
            .min();
        self.tools.insert(
            name,
            KnownTool {
                name: fingerprint(name.0),
                kind: of_own.or(of_known),
                is_of_host: of_own.is_some(),
                traits: traits_of(&words),
            },
        )
    }

    /// The argument of this name.
    pub(super) fn argument(&mut self, name: Encoded) -> KnownArgument {
        if let Some(known) = self.arguments.get(name) {
            return known;
        }
        let units = name.units().to_vec();
        let of_own = self.own_arguments.meaning(&units).unwrap_or_default();
        let of_known = VOCABULARY.arguments.meaning(&units).unwrap_or_default();
        let mut role = of_own | of_known;
        role.set(ArgumentRole::ID, names_an_id(&units));
        let waits = |word: &&[u16]| VOCABULARY.wait_verbs.meaning(word) == Some(WaitVerb::Waits);
        let says_so = words_of_name(&units).iter().any(waits);
        role.set(ArgumentRole::WAITS, says_so);
        let known = KnownArgument {
            name: fingerprint(name.0),
            role,
        };
        self.arguments.insert(name, known)
    }
}

/// Whether a name ends like that of an id: `taskId`, `bash_id`, `job_ids`.
fn names_an_id(name: &[u16]) -> bool {
    let is = |unit: &u16, letter| is_ascii(lower_case(*unit), letter);
    match name.split_last() {
        Some((s, [.., i, d])) if is(s, b's') => is(i, b'i') && is(d, b'd'),
        Some((d, [.., i])) => is(i, b'i') && is(d, b'd'),
        _ => false,
    }
}

/// The purpose of an argument.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KnownArgument {
    /// The fingerprint of its name.
    pub(super) name: u64,
    pub(super) role: ArgumentRole,
}

/// The kind of a tool, if that is known, and whether the host said so.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KnownTool {
    /// The fingerprint of its name.
    pub(super) name: u64,
    pub(super) kind: Option<ToolKind>,
    pub(super) is_of_host: bool,
    pub(super) traits: ToolTrait,
}

/// The traits that the words of a tool's name give together. A name closes the work if it says nothing else.
fn traits_of(words: &[&[u16]]) -> ToolTrait {
    let words = words.iter().filter(|word| !word.is_empty());
    let each = words.map(|word| VOCABULARY.traits.meaning(word).unwrap_or_default());
    let closing = ToolTrait::CLOSES | ToolTrait::BESIDE_CLOSING;
    let (mut all, mut closes) = (ToolTrait::empty(), true);
    for traits in each {
        all |= traits;
        closes &= traits.intersects(closing);
    }
    all.set(ToolTrait::CLOSES, closes && all.contains(ToolTrait::CLOSES));
    all
}

/// A tool's name without the name of a server or a namespace before it: `read_file` of
/// `mcp__files__read_file`, and of `files.read_file`.
fn without_namespace(name: &[u16]) -> &[u16] {
    let ends_namespace = |at: usize| {
        let is = |at: usize, mark| is_ascii(name[at], mark);
        is(at, b'.') || is(at, b'/') || is(at, b':') || at > 0 && is(at, b'_') && is(at - 1, b'_')
    };
    // A sign that ends the name ends no namespace.
    let last = (0..name.len().saturating_sub(1)).rfind(|at| ends_namespace(*at));
    last.map_or(name, |at| &name[at + 1..])
}

/// The words of a name, such as `read` and `File` of `readFile`, and of `read_File`.
fn words_of_name(name: &[u16]) -> Vec<&[u16]> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut was_lower_case = false;
    for (at, &unit) in name.iter().enumerate() {
        let letter = u8::try_from(unit).unwrap_or_default();
        let begins_word = letter.is_ascii_uppercase() && was_lower_case;
        if begins_word || !letter.is_ascii_alphabetic() {
            words.push(&name[start..at]);
            start = at + usize::from(!begins_word);
        }
        was_lower_case = letter.is_ascii_lowercase();
    }
    words.push(&name[start..]);
    words
}

/// Remembers the meaning of names, which are compared whole: a conversation has a few dozen of them, over and
/// over.
#[derive(Debug, Default)]
struct Memo<M>(FxHashMap<Box<[u8]>, M>);

/// This many names are remembered; then all are forgotten.
const MOST_NAMES: usize = 128;
/// A longer name is not remembered. In bytes of its encoding.
const LONGEST_NAME: usize = 256;

impl<M: Copy> Memo<M> {
    fn get(&self, name: Encoded) -> Option<M> {
        self.0.get(name.0).copied()
    }

    fn insert(&mut self, name: Encoded, meaning: M) -> M {
        if name.0.len() <= LONGEST_NAME {
            if self.0.len() == MOST_NAMES {
                self.0.clear();
            }
            self.0.insert(name.0.into(), meaning);
        }
        meaning
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::CallReader;
    use super::super::example::{facts, read, read_by};
    use super::*;

    #[test]
    fn the_words_of_a_name_say_what_a_tool_does() {
        for (name, expected) in [
            ("read_file", vec!["looks"]),
            ("mcp__fs__ReadFile", vec!["looks"]),
            ("bash.readFile", vec!["looks"]),
            ("search_file_content", vec!["looks"]),
            ("replace", vec![]),
            ("move_north", vec![]),
            ("git_diff", vec![]),
            ("TodoWrite", vec!["note"]),
            ("update_plan", vec!["note"]),
            ("list_tasks", vec!["looks"]),
            ("get_todos", vec!["looks"]),
            ("mcp__ide__getDiagnostics", vec![]),
            ("read_lints", vec![]),
            ("BashOutput", vec![]),
            ("browser_action", vec![]),
            ("paint", vec![]),
            ("", vec![]),
            ("__", vec![]),
        ] {
            assert_eq!(facts(read(name, json!({"x": 1}))), expected, "{name}");
        }
    }

    #[test]
    fn what_the_host_says_of_a_tool_comes_first() {
        let mut reader = CallReader::default();
        let names = |names: &[&str]| Some(names.iter().map(|name| name.to_string()).collect());
        reader
            .names
            .add_tools(ToolKind::Wait, &names(&["READ", "grep_for_news"]));
        reader
            .names
            .add_tools(ToolKind::Edit, &names(&["read", ""]));
        reader.names.add_cosmetic_arguments(&names(&["mood"]));
        let mut facts_of = |name| {
            facts(read_by(
                &mut reader,
                name,
                Some(json!({"x": 1, "mood": name})),
            ))
        };
        for _ in 0..2 {
            assert_eq!(facts_of("read_file"), ["waits"]);
            assert_eq!(facts_of("news.grep_for_news"), ["waits"]);
            assert_eq!(facts_of("grep_for"), ["looks"]);
            assert!(facts_of("paint").is_empty());
        }
        let calm = read_by(&mut reader, "paint", Some(json!({"x": 1, "mood": "calm"})));
        let merry = read_by(&mut reader, "paint", Some(json!({"x": 1, "mood": "merry"})));
        assert_eq!(calm.exact, merry.exact);
    }
}
