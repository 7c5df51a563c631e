//! Items taken out of the conversation.

use super::GhostBlockAssembler;
use super::items::Item;

impl GhostBlockAssembler {
    /// Takes the items with this key out of the conversation, and with them their content, until they
    /// are referred to again; a rule, until the rules are set again. Answers with whether there were
    /// any. A prompt that is under way and refers to it keeps it.
    ///
    /// In delta placement, where earlier blocks stay, the next block says that it is removed.
    pub fn forget(&mut self, key: &str) -> bool {
        let conversation = &mut self.conversation;
        let mut forgotten = take(&mut conversation.items, key);
        for item in &forgotten {
            let identity = &item.source.identity;
            conversation.known.remove(identity);
            if conversation.sent.contains_key(identity) {
                let told = &mut conversation.forgotten;
                told.insert(identity.clone(), key.to_owned());
            }
        }
        forgotten.extend(take(&mut conversation.rules, key));
        forgotten.extend(take(&mut conversation.expanded_rules, key));
        if forgotten.is_empty() {
            return false;
        }
        self.evaluate_again();
        true
    }
}

/// Takes the items with this key out of a list.
fn take(items: &mut Vec<Item>, key: &str) -> Vec<Item> {
    let (taken, kept) = std::mem::take(items)
        .into_iter()
        .partition(|item| item.source.key == key);
    *items = kept;
    taken
}
