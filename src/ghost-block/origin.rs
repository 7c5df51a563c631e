//! Why an item is there: who mentioned it first, and when.

use serde::{Deserialize, Serialize};

/// Where an item was mentioned first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OriginSource {
    /// A prompt.
    Prompt,
    /// A rule; `name` says which. What a rule refers to replaces the reference in the rule's own text and is
    /// no item, so this is the origin of the rules themselves.
    Rule,
    /// A conversation that was scanned with `scanHistory`.
    History,
    /// An included file; `name` is its path. Reserved: what a trusted file refers to replaces the reference
    /// in the file's own text, so no item has this origin yet.
    File,
}

/// Where an item was mentioned first, and in which turns it was mentioned first and last. Each prompt that
/// is assembled is a turn, counting from 1. What `scanHistory` finds belongs to the turn before the next
/// prompt: turn 0 in a new assembler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
#[non_exhaustive]
pub struct ItemOrigin {
    /// Where it was mentioned first.
    pub source: OriginSource,
    /// The rule's name, or the file's path.
    pub name: Option<String>,
    /// The rule's path, if it has one.
    pub path: Option<String>,
    /// The turn that mentioned it first.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub first_turn: u64,
    /// The turn that mentioned it last.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub last_turn: u64,
}

/// A text of the conversation that mentions items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mention {
    pub(crate) source: OriginSource,
    /// How many prompts were assembled when it came, itself included.
    pub(crate) turn: u64,
    /// How many texts were read when it came, prompts and old messages alike.
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
