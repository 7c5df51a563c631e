//! Saving a session and going on later: its own state, and the snapshots of its machines.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use turnkeeper_base::error::Error;
use turnkeeper_base::options::MAX_SAFE_INTEGER;
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};

use super::order::SessionState;
use super::{MACHINE, TurnOrder};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'a',
    version: 1,
};

/// The snapshots of a session's machines: of the loop detector, the assembler, the terminal selector and the summary
/// injector.
pub type SavedMachines = [ByteBuf; 4];

#[derive(Serialize, Deserialize)]
struct SavedSession<'a> {
    state: Cow<'a, SessionState>,
    machines: SavedMachines,
}

impl SavedState for SavedSession<'_> {
    fn validate(&self) -> Result<(), Corrupt> {
        let state = &self.state;
        let is_white_space = state.separator.trim().is_empty();
        Corrupt::unless(is_white_space && state.turn <= MAX_SAFE_INTEGER)
    }
}

impl TurnOrder {
    /// The session as versioned bytes with a checksum, the same on every platform. The log is not in it.
    #[must_use]
    pub fn save(&self, machines: SavedMachines) -> Vec<u8> {
        let state = Cow::Borrowed(&self.state);
        snapshot::seal(FORMAT, &SavedSession { state, machines })
    }

    /// The order of the session that was saved, and the snapshots of its machines.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for another
    /// machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<(Self, SavedMachines), Error> {
        let saved: SavedSession = snapshot::open(FORMAT, snapshot)?;
        let order = Self::of(saved.state.into_owned())?;
        Ok((order, saved.machines))
    }
}
