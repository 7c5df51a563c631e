//! The directories that a command moves away, removes or replaces.
//!
//! A shell that stands in such a directory goes on reporting its path, and stands somewhere else: in
//! what was moved, or in nothing. What is read here is who says so by name: `mv`, `rm -r`, `git clean`
//! and the like. A script that does it cannot be seen.

use super::change::{follow, target_of};
use super::command::Reading;
use super::vocabulary::{self, Role};
use super::words::{Part, Parts, Word};
use crate::directory::Directory;
use crate::path::PathRules;
use crate::{PathRelation, Shell, TerminalShell};
use turnkeeper_base::path::{PathPlatform, program_name};

/// The directories that a command may move away, remove or replace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Displaced {
    /// Whether it may be any: what it says cannot be read.
    is_any: bool,
    trees: Vec<Tree>,
}

/// A directory with all that is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tree {
    top: Directory,
    /// Whether it is only what is in it.
    is_inside: bool,
}

impl Displaced {
    /// Whether a shell in that directory may stand elsewhere afterwards.
    pub(crate) fn has(&self, directory: &Directory) -> bool {
        let is_in = |tree: &Tree| match tree.top.relation_to(directory) {
            PathRelation::Same => !tree.is_inside,
            PathRelation::Parent => true,
            PathRelation::Child | PathRelation::Unrelated => false,
        };
        self.is_any || self.trees.iter().any(is_in)
    }

    /// Whether no directory is.
    pub(crate) fn is_none(&self) -> bool {
        !self.is_any && self.trees.is_empty()
    }

    fn add(&mut self, tree: Option<Tree>) {
        match tree {
            Some(tree) => self.trees.push(tree),
            None => self.is_any = true,
        }
    }
}

impl Reading<'_> {
    /// The directories that the command displaces if it runs in `directory`, in any of the shells.
    pub(crate) fn displaced(&self, directory: &Directory) -> Displaced {
        let mut displaced = Displaced::default();
        if !is_displacing(words_of(self.command)) {
            return displaced;
        }
        displaced.is_any = self.shells.is_empty();
        for (shell, parts) in self.each() {
            let last = parts.parts.last();
            let unread = last.map_or(self.command, |part| part.rest);
            displaced.is_any |= !parts.is_whole && is_displacing(words_of(unread));
            read(shell, parts, directory, self.rules, &mut displaced);
        }
        displaced
    }
}

fn read(
    shell: Shell,
    command: &Parts,
    directory: &Directory,
    rules: PathRules,
    displaced: &mut Displaced,
) {
    // The directory of the shell, unless that cannot be told.
    let mut at = Some(directory.clone());
    for part in &command.parts {
        let texts = || part.words.iter().map(|word| &*word.text);
        if is_displacing(texts()) {
            match &at {
                Some(at) if !has_one_of(&TAKE_MORE, texts()) => {
                    read_operands(shell, part, at, rules, displaced);
                }
                _ => displaced.is_any = true,
            }
        } else if has_one_of(&RUN_TEXTS, texts()) {
            displaced.is_any |= texts().any(|text| is_displacing(words_of(text)));
        }
        at = at.and_then(|at| match vocabulary::role_of(shell, &part.words) {
            Role::Stays => Some(at),
            Role::Unknown => None,
            Role::ChangesDirectory => {
                let path = target_of(shell, &part.words)?;
                follow(&at, &[path], &[shell], rules)
            }
        });
    }
}

/// Reads every word that may be a path, since which of them are the command's own is not known.
fn read_operands(
    shell: Shell,
    part: &Part,
    at: &Directory,
    rules: PathRules,
    displaced: &mut Displaced,
) {
    let is_clean = part.words.iter().any(|word| word.text == "clean");
    if is_clean {
        displaced.add(Some(Tree {
            top: at.clone(),
            is_inside: true,
        }));
    }
    for word in part.words.iter().skip(1) {
        // In a shell of Linux on Windows it may be a path: `/c/work`.
        let is_drive = || {
            TerminalShell::from(shell)
                .path_of_windows(&word.text)
                .is_some()
        };
        let is_option = word.text.starts_with('-')
            || (rules.platform == PathPlatform::Win32 && word.text.starts_with('/') && !is_drive());
        if !is_option {
            displaced.add(tree_of(shell, word, at, rules));
        }
    }
}

/// The tree that a word names. None if that cannot be told.
fn tree_of(shell: Shell, word: &Word, at: &Directory, rules: PathRules) -> Option<Tree> {
    let text = &*word.text;
    let shell = Some(shell.into());
    // A pattern stands for names in one folder. A variable may be any path.
    let pattern = match text.find(['*', '?', '[', '{']) {
        None if word.is_literal => {
            return Some(Tree {
                top: at.resolve(shell, text, rules)?,
                is_inside: false,
            });
        }
        Some(pattern) if word.is_literal || !text.contains(['$', '~', '%']) => pattern,
        _ => return None,
    };
    let folder = match text[..pattern].rfind(['/', '\\']) {
        Some(0) => &text[..1],
        Some(end) => &text[..end],
        None => ".",
    };
    Some(Tree {
        top: at.resolve(shell, folder, rules)?,
        is_inside: true,
    })
}

/// The words of a text that cannot be read otherwise.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !(one.is_alphanumeric() || matches!(one, '-' | '_' | '.')))
}

fn has_one_of<'a>(names: &[&str], mut words: impl Iterator<Item = &'a str>) -> bool {
    words.any(|word| names.contains(&&*program_name(word)))
}

/// Whether words have one that moves or removes directories.
fn is_displacing<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut is_removing = false;
    let mut is_git = false;
    let mut is_linking = false;
    for word in words {
        let name = program_name(word);
        if ALWAYS.contains(&&*name) {
            return true;
        }
        if is_git && matches!(&*name, "clean" | "worktree") || name == "-delete" {
            return true;
        }
        let is_recursive = name == "--recursive" || name == "--dir" || is_short(&name, &['r', 'd']);
        if (is_removing && is_recursive) || (is_linking && is_short(&name, &['f'])) {
            return true;
        }
        is_removing |= name == "rm";
        is_linking |= name == "ln";
        is_git |= name == "git";
    }
    false
}

/// Whether it is a word of short options with one of these.
fn is_short(option: &str, letters: &[char]) -> bool {
    option.starts_with('-') && !option.starts_with("--") && option.contains(letters)
}

/// Run a text as a command line: `bash -c 'rm -rf w'`.
const RUN_TEXTS: [&str; 14] = [
    "bash", "cmd", "dash", "eval", "fish", "iex", "invoke-expression", "ksh", "powershell", "pwsh",
    "sh", "su", "watch", "zsh",
];

/// Run a command on what they read: `xargs rm -rf`.
const TAKE_MORE: [&str; 2] = ["parallel", "xargs"];

/// Move or remove directories, in whichever shell has them.
const ALWAYS: [&str; 15] = [
    "del-cli", "mi", "move", "move-item", "mv", "rd", "remove-item", "ren", "rename",
    "rename-item", "ri", "rimraf", "rmdir", "rni", "trash",
];
