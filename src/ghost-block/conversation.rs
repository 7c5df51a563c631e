//! The state of a conversation: what turns and old messages add to, and a snapshot holds.

use serde::{Deserialize, Serialize};

use super::items::{Item, ItemList, Outcomes, Sent};
use super::origin::{Mention, OriginSource};
use super::paths::Roots;
use super::source::Identity;
use super::syntax::macros::Scope;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Text;

/// A conversation as the assembler knows it.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Conversation {
    /// The host's documents that speak in every turn, as they were written.
    pub(crate) rules: Vec<Item>,
    /// The rules as they were expanded last.
    pub(crate) expanded_rules: Vec<Item>,
    pub(crate) scope: Scope,
    pub(crate) items: Vec<Item>,
    /// Files under the host's version tokens, and results of tools.
    pub(crate) known: Outcomes,
    /// The number of prompts that were assembled.
    pub(crate) turn: u64,
    /// The number of texts that were read, prompts and old messages alike.
    pub(crate) texts: u64,
    pub(crate) last_prompt: Option<LastPrompt>,
    /// The outcomes that blocks have told, in delta placement.
    pub(crate) sent: Sent,
    /// The keys of items that were forgotten and that blocks have told of, in delta placement.
    pub(crate) forgotten: SortedMap<Identity, String>,
    /// The item that says how many references of the last prompt were over the limit.
    pub(crate) excess: Option<Item>,
}

/// The prompt that was assembled last, so that it is recognised when it comes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastPrompt {
    /// A hash of the user's text as it came out.
    pub(crate) user_fingerprint: u64,
    /// Whether it had come in otherwise.
    pub(crate) was_changed: bool,
    /// The offsets of each `@` in it that was written `\@`.
    pub(crate) literals: Vec<usize>,
    /// The macros before its rules were read, and after its own directives, where its files are read.
    pub(crate) scope_before: Scope,
    pub(crate) scope_of_files: Scope,
    /// The outcomes in the blocks before it.
    pub(crate) sent_before: Sent,
}

impl Conversation {
    /// Sets the rules, each with the path of its file, if it has one. Of several with one name, the last
    /// content stands where the first was.
    pub(crate) fn set_rules(
        &mut self,
        rules: impl Iterator<Item = (String, Text, Option<String>)>,
        roots: &Roots,
    ) {
        let mut list = ItemList::default();
        for (name, content, path) in rules {
            let path = path.and_then(|path| roots.resolve(&path).ok());
            let path = path.map(|path| path.request);
            list.set(Item::rule(&name, content, path, 0, 0));
        }
        self.rules = list.into_items();
    }

    /// Takes the items with this key out, and says whether there were any.
    pub(crate) fn forget(&mut self, key: &str) -> bool {
        let has_key = |item: &mut Item| item.source.key == key;
        let mut is_found = false;
        for item in self.items.extract_if(.., has_key) {
            is_found = true;
            let identity = item.source.identity;
            self.known.remove(&identity);
            if self.sent.contains_key(&identity) {
                self.forgotten.insert(identity, key.to_owned());
            }
        }
        for rules in [&mut self.rules, &mut self.expanded_rules] {
            is_found |= rules.extract_if(.., has_key).count() > 0;
        }
        is_found
    }

    /// All items, rules first, in order of first appearance.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Item> {
        let rules = self.expanded_rules.iter();
        rules.chain(&self.items).chain(&self.excess)
    }

    /// The prompt that was assembled last, if this is its text as it came out.
    pub(crate) fn last_prompt_of(&self, user: &[u16]) -> Option<&LastPrompt> {
        let last = self.last_prompt.as_ref()?;
        let fingerprint = Text::from_units(user).fingerprint();
        (last.user_fingerprint == fingerprint).then_some(last)
    }

    /// The mention of an item in the text that was read last, or in the prompt that comes after it.
    pub(crate) fn mention(&self, source: OriginSource, is_new_prompt: bool) -> Mention {
        let more = u64::from(is_new_prompt);
        Mention {
            source,
            turn: self.turn + more,
            order: self.texts + more,
        }
    }

    /// Keeps the results of tools; a failure takes an earlier one away.
    pub(crate) fn remember_tools(&mut self, answers: &Outcomes) {
        for (identity, outcome) in answers.iter() {
            if !matches!(identity, Identity::Tool(_)) {
                continue;
            }
            if outcome.is_content() {
                self.known.insert(identity.clone(), outcome.clone());
            } else {
                self.known.remove(identity);
            }
        }
    }

    /// Keeps the files that have a version.
    pub(crate) fn remember_files(&mut self, answers: &Outcomes) {
        for (identity, outcome) in answers.iter() {
            if outcome.version().is_some() {
                self.known.insert(identity.clone(), outcome.clone());
            }
        }
    }
}
