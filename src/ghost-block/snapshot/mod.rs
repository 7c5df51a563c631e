//! Saving an assembler and going on later.

use serde::{Deserialize, Serialize};

use super::json::Json;
use super::options::AssemblerOptions;
use super::source::{Source, SourceKind};
use super::{Conversation, GhostBlockAssembler, MACHINE};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState, open, seal};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'g',
    version: 1,
};

/// More turns than any conversation reaches, so that counting on cannot overflow.
const MAX_TURN: u64 = u64::MAX >> 8;

/// What a snapshot holds, borrowed to write it.
#[derive(Serialize)]
#[serde(rename = "SavedAssembler")]
struct WrittenAssembler<'a> {
    #[serde(with = "turnkeeper_base::options::saved")]
    options: &'a AssemblerOptions,
    conversation: &'a Conversation,
}

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
struct SavedAssembler {
    #[serde(with = "turnkeeper_base::options::saved")]
    options: AssemblerOptions,
    conversation: Conversation,
}

impl SavedState for SavedAssembler {
    fn validate(&self) -> Result<(), Corrupt> {
        let conversation = &self.conversation;
        Corrupt::unless(conversation.turn <= MAX_TURN && conversation.texts <= MAX_TURN)?;
        let rules = conversation.rules.iter();
        let all = rules
            .chain(&conversation.expanded_rules)
            .chain(&conversation.items)
            .chain(&conversation.excess);
        for item in all {
            Corrupt::unless(has_valid_args(&item.source))?;
        }
        if let Some(last) = &conversation.last_prompt {
            // They are looked up by halving.
            Corrupt::unless(last.literals.is_sorted())?;
        }
        Ok(())
    }
}

/// The block prints a tool's arguments as JSON.
fn has_valid_args(source: &Source) -> bool {
    source.kind != SourceKind::Tool
        || source.is_unreadable_call()
        || Json::parse(&source.args.to_units()).is_some()
}

impl GhostBlockAssembler {
    /// The assembler as bytes, the same on every platform: the options, rules, macros and items
    /// with their content. A prompt that is under way is not in it.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let written = WrittenAssembler {
            options: &self.options,
            conversation: &self.conversation,
        };
        seal(FORMAT, &written)
    }

    /// An assembler that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let saved: SavedAssembler = open(FORMAT, snapshot)?;
        let mut assembler = Self::new(saved.options).map_err(|error| {
            let message = "the snapshot does not hold an assembler";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message).caused_by(error)
        })?;
        assembler.conversation = saved.conversation;
        Ok(assembler)
    }
}
