//! Snapshots of version 1, in which a single line had no last line, and no item knew who had mentioned
//! it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SavedAssembler;
use crate::draft::Sent;
use crate::evaluation::Outcomes;
use crate::items::{Item, ItemList, Outcome};
use crate::options::AssemblerOptions;
use crate::origin::{ItemOrigin, Mention, OriginSource};
use crate::source::{Identity, Source, SourceKind};
use crate::syntax::macros::Scope;
use crate::{Conversation, LastPrompt};
use turnkeeper_base::snapshot::{Corrupt, SavedState, decode};

/// What a snapshot held.
#[derive(Serialize, Deserialize)]
struct OldAssembler {
    #[serde(with = "turnkeeper_base::options::saved")]
    options: AssemblerOptions,
    conversation: OldConversation,
}

#[derive(Serialize, Deserialize)]
struct OldConversation {
    rules: Vec<OldItem>,
    expanded_rules: Vec<OldItem>,
    scope: Scope,
    items: Vec<OldItem>,
    known: Outcomes,
    /// How many texts were read, prompts and old messages alike.
    turn: u64,
    last_prompt: Option<LastPrompt>,
    sent: Sent,
}

#[derive(Serialize, Deserialize)]
struct OldItem {
    source: Source,
    outcome: Option<Outcome>,
    /// In texts, as the turn of the conversation.
    last_turn: u64,
}

impl SavedState for OldAssembler {
    fn validate(&self) -> Result<(), Corrupt> {
        Ok(())
    }
}

/// Reads a snapshot of version 1. Its items count as those of an old conversation, in turn 0.
pub(super) fn read(payload: &[u8]) -> Result<SavedAssembler, Corrupt> {
    let OldAssembler {
        options,
        conversation: old,
    } = decode(payload)?;
    let last_prompt = old.last_prompt.map(|last| LastPrompt {
        sent_before: with_last_lines(last.sent_before),
        ..last
    });
    let conversation = Conversation {
        rules: items(old.rules),
        expanded_rules: items(old.expanded_rules),
        scope: old.scope,
        items: items(old.items),
        known: with_last_lines(old.known),
        turn: 0,
        texts: old.turn,
        last_prompt,
        sent: with_last_lines(old.sent),
        ..Conversation::default()
    };
    let saved = SavedAssembler {
        options,
        conversation,
    };
    saved.validate()?;
    Ok(saved)
}

fn items(old: Vec<OldItem>) -> Vec<Item> {
    let items = old.into_iter().map(|item| {
        let OldItem {
            mut source,
            outcome,
            last_turn,
        } = item;
        source.end_line = source.end_line.or(source.start_line);
        source.identity = with_last_line(source.identity);
        let is_rule = source.kind == SourceKind::Rule;
        let mut origin = ItemOrigin::of(Mention {
            source: match is_rule {
                true => OriginSource::Rule,
                false => OriginSource::History,
            },
            turn: 0,
            order: last_turn,
        });
        origin.name = is_rule.then(|| source.name.clone());
        Item {
            source,
            outcome,
            last_mention: last_turn,
            origin,
        }
    });
    ItemList::new(items.collect()).into_items()
}

fn with_last_lines<T>(by_identity: BTreeMap<Identity, T>) -> BTreeMap<Identity, T> {
    let entries = by_identity.into_iter();
    entries
        .map(|(identity, value)| (with_last_line(identity), value))
        .collect()
}

fn with_last_line(identity: Identity) -> Identity {
    match identity {
        Identity::Path {
            path,
            start_line,
            end_line,
        } => Identity::Path {
            path,
            start_line,
            end_line: end_line.or(start_line),
        },
        other => other,
    }
}
