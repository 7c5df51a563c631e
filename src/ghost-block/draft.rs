//! A block that is being built: its entries, as a whole or as a delta, and what the budget leaves out of them.

use turnkeeper_base::order;
use turnkeeper_base::sorted_map::SortedMap;

use super::assembled::CountTokens;
use super::block::{self, Entry, Section};
use super::items::{Item, Outcome, Sent, within_limits};
use super::json::TAG;
use super::prompt::EvaluatedPrompt;
use super::settings::Settings;
use super::source::Identity;
use turnkeeper_base::text::{Builder, Text};

/// A block on its way.
#[derive(Default)]
pub(crate) struct Draft<'a> {
    /// The items with their content.
    items: Vec<DraftItem<'a>>,
    /// The other items, of which a delta says the keys alone.
    keys: Vec<Entry<'a>>,
    /// The outcomes in earlier blocks, without those of the items.
    sent: Sent,
}

/// An item that the block has with its content, unless the budget leaves it out.
struct DraftItem<'a> {
    item: &'a Item,
    entry: Entry<'a>,
}

/// A block within the budget, or the smallest that is possible.
pub(crate) struct Fitted {
    pub(crate) block: Text,
    /// Its tokens, if they are over the budget.
    pub(crate) tokens_over_budget: Option<u64>,
}

impl<'a> Draft<'a> {
    /// Everything that the block says without a budget.
    ///
    /// `sent` is what earlier blocks told, which only a delta is compared with, and `forgotten` has the keys of
    /// items that were forgotten since.
    pub(crate) fn new(
        prompt: &'a EvaluatedPrompt,
        sent: &'a Sent,
        forgotten: &'a SortedMap<Identity, String>,
        settings: &Settings,
    ) -> Self {
        let mut draft = Self::default();
        let items = within_limits(prompt.all(), settings.max_total_bytes);
        if !settings.is_delta() {
            draft.items = items
                .map(|(item, outcome)| DraftItem::new(item, outcome))
                .collect();
            return draft;
        }
        for (item, outcome) in items {
            draft.add_if_changed(item, outcome, sent);
        }
        // Of what is not among the items any more, the model is told: rules that were taken away, and
        // items that were forgotten, but not lines that a whole file made needless.
        let mut identities: Vec<&Identity> =
            prompt.all().map(|item| &item.source.identity).collect();
        order::sort(&mut identities);
        for identity in sent.keys() {
            let key = match identity {
                Identity::Rule(name) => Some(name),
                other => forgotten.get(other),
            };
            if let Some(key) = key
                && identities.binary_search(&identity).is_err()
            {
                draft.keys.push(Entry::of_key(Section::Removed, key));
            }
        }
        draft
    }

    /// Adds an item to a delta: with its content if that is new, or with its key alone.
    fn add_if_changed(&mut self, item: &'a Item, outcome: Outcome, before: &Sent) {
        let source = &item.source;
        let is_missing = item.outcome == Some(Outcome::Missing);
        let fingerprint = outcome.fingerprint();
        let sent = before.get(&source.identity).copied();
        let is_unchanged = sent == Some(fingerprint);
        match sent {
            Some(_) if is_unchanged || is_missing => {
                self.sent.insert(source.identity.clone(), fingerprint);
                if is_missing && !is_unchanged {
                    let entry = Entry::of_key(Section::Removed, &source.key);
                    self.keys.push(entry);
                } else if !is_missing && source.is_file_or_directory() {
                    let entry = Entry::of_key(Section::Unchanged, &source.key);
                    self.keys.push(entry);
                }
            }
            _ => {
                // Until the new content is sent, the model knows the old one.
                if let Some(sent) = sent {
                    self.sent.insert(source.identity.clone(), sent);
                }
                self.items.push(DraftItem::new(item, outcome));
            }
        }
    }

    fn write(&self) -> Text {
        let items = self.items.iter().map(|item| &item.entry);
        block::write(&items.chain(&self.keys).collect::<Vec<_>>())
    }

    /// Leaves out the items whose last reference is oldest until the block fits. `None` if the
    /// count gives up.
    pub(crate) fn fit(&mut self, max_tokens: Option<u64>, count: CountTokens) -> Option<Fitted> {
        let mut oldest: Vec<usize> = (0..self.items.len())
            .filter(|&place| !self.items[place].item.is_rule())
            .collect();
        order::sort_by_key(&mut oldest, |&place| self.items[place].item.last_mention);
        let mut oldest = oldest.into_iter();
        loop {
            let block = self.write();
            let tokens = match max_tokens {
                Some(_) if !block.is_empty() => count(&block)?,
                _ => 0,
            };
            let mut excess = tokens.saturating_sub(max_tokens.unwrap_or(u64::MAX));
            if excess == 0 || oldest.len() == 0 {
                return Some(Fitted {
                    block,
                    tokens_over_budget: (excess > 0).then_some(tokens),
                });
            }
            while excess > 0
                && let Some(place) = oldest.next()
            {
                let item = &mut self.items[place];
                excess = excess.saturating_sub(item.tokens(count)?.max(1));
                item.entry = Entry::of_key(Section::Omitted, &item.item.source.key);
            }
        }
    }

    /// The keys of the items that the budget left out.
    pub(crate) fn omitted(&self) -> Vec<String> {
        let entries = self.items.iter().map(|item| &item.entry);
        let omitted = entries.filter(|entry| entry.section == Section::Omitted);
        omitted.map(|entry| entry.name.to_owned()).collect()
    }

    /// The outcomes in blocks up to this one, in delta placement.
    pub(crate) fn into_sent(self, settings: &Settings) -> Sent {
        let mut sent = self.sent;
        if settings.is_delta() {
            for item in self.items {
                // An item that the budget left out has no outcome any more.
                if let Some(outcome) = item.entry.outcome {
                    let identity = item.item.source.identity.clone();
                    sent.insert(identity, outcome.fingerprint());
                }
            }
        }
        sent
    }
}

impl<'a> DraftItem<'a> {
    fn new(item: &'a Item, outcome: Outcome) -> Self {
        let entry = Entry::of_item(&item.source, outcome);
        Self { item, entry }
    }

    /// Tokens of the content as it is in the block, where escapes may make it much longer.
    fn tokens(&self, count: &mut dyn FnMut(&Text) -> Option<u64>) -> Option<u64> {
        let mut written = Builder::default();
        if let Some(outcome) = &self.entry.outcome {
            match outcome.as_result() {
                Ok(text) => written.json_string(text, TAG),
                Err(error) => written.json_string(&error, TAG),
            }
        }
        count(&written.into_text())
    }
}
