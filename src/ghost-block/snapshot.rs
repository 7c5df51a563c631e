//! Saving a conversation and going on later.

use super::assembler::GhostBlockAssembler;
use super::json::Json;
use super::options::MACHINE;
use super::source::{Source, SourceKind};
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState};

pub(crate) const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'g',
    version: 1,
};

/// More turns than any conversation reaches, so that counting on cannot overflow.
const MAX_TURN: u64 = u64::MAX >> 8;

impl SavedState for GhostBlockAssembler {
    fn validate(&self) -> Result<(), Corrupt> {
        let conversation = &self.conversation;
        Corrupt::unless(conversation.turn <= MAX_TURN && conversation.texts <= MAX_TURN)?;
        for item in conversation.rules.iter().chain(conversation.all()) {
            Corrupt::unless(has_valid_args(&item.source))?;
        }
        if let Some(last) = &conversation.last_prompt {
            // They are looked up by halving.
            Corrupt::unless(last.literals.is_sorted())?;
        }
        Ok(())
    }
}

/// Whether a tool's arguments are JSON, as which the block prints them.
fn has_valid_args(source: &Source) -> bool {
    source.kind != SourceKind::Tool
        || source.is_unreadable_call()
        || Json::parse(&source.args.to_units()).is_some()
}
