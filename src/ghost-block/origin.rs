//! The reason why an item is there: who mentioned it first, and when.

use serde::{Deserialize, Serialize};

/// The text that mentioned an item first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum OriginSource {
    /// A prompt.
    Prompt,
    /// A rule; `name` says which. What a rule refers to replaces the reference in the rule's own text and is
    /// no item, so this is the origin of the rules themselves.
    Rule,
    /// A conversation that was scanned with `scanHistory`.
    History,
}

/// The text that mentioned an item first, and the turns that mentioned it first and last. Each prompt that
/// is assembled is a turn, counting from 1. What `scanHistory` finds belongs to the turn before the next
/// prompt: turn 0 in a new assembler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ItemOrigin {
    /// The text that mentioned it first.
    pub source: OriginSource,
    /// The rule's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The rule's path, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The turn that mentioned it first.
    pub first_turn: u64,
    /// The turn that mentioned it last.
    pub last_turn: u64,
}

/// A text of the conversation that mentions items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mention {
    pub(crate) source: OriginSource,
    /// The number of prompts that were assembled when it came, itself included.
    pub(crate) turn: u64,
    /// The number of texts that were read when it came, prompts and old messages alike.
    pub(crate) order: u64,
}

impl ItemOrigin {
    /// The origin of an item that is new.
    pub(crate) fn of(mention: Mention) -> Self {
        Self {
            source: mention.source,
            name: None,
            path: None,
            first_turn: mention.turn,
            last_turn: mention.turn,
        }
    }

    /// Takes over what another item knows that becomes part of this one.
    pub(crate) fn merge(&mut self, other: Self) {
        let last_turn = self.last_turn.max(other.last_turn);
        if other.first_turn < self.first_turn {
            *self = other;
        }
        self.last_turn = last_turn;
    }
}

/// Origins in snapshots, which have every field whether it is there or not.
pub(crate) mod saved {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::ItemOrigin;

    pub(crate) fn serialize<S: Serializer>(from: &ItemOrigin, to: S) -> Result<S::Ok, S::Error> {
        let names = (&from.name, &from.path);
        (from.source, names, from.first_turn, from.last_turn).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ItemOrigin, D::Error> {
        let (source, (name, path), first_turn, last_turn) = Deserialize::deserialize(from)?;
        Ok(ItemOrigin {
            source,
            name,
            path,
            first_turn,
            last_turn,
        })
    }
}
