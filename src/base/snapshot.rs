//! Snapshots: versioned bytes with a checksum, the same on every platform.
//!
//! | bytes | what they are |
//! |---|---|
//! | 3 | `TKS` |
//! | 1 | the machine, as a letter |
//! | 1 | the version of the payload |
//! | any | the payload: a machine's state, as `postcard` writes it |
//! | 8 | a checksum over all before |
//!
//! A reader trusts nothing. The checksum keeps accidents out, not malice, so every machine checks the
//! state that it reads ([`SavedState::validate`]).

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorCode};
use crate::text::hash::fingerprint;

const MAGIC: &[u8; 3] = b"TKS";
const CHECKSUM: usize = 8;

/// The machine that wrote a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The machine's name in errors.
    pub machine: &'static str,
    /// The machine, as a letter.
    pub letter: u8,
    /// The version of the payload that this build writes.
    pub version: u8,
}

/// The bytes did not hold what they had to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corrupt;

/// The state that a machine saves of itself: a struct of plain data, from which it can go on.
pub trait SavedState: Serialize + DeserializeOwned {
    /// Checks that a machine can go on from it: whatever the machine relies on (lengths, orders, bounds) is
    /// checked here.
    fn validate(&self) -> Result<(), Corrupt>;
}

/// Nothing to remember.
impl SavedState for () {
    fn validate(&self) -> Result<(), Corrupt> {
        Ok(())
    }
}

/// A snapshot of a machine's state.
pub fn seal<T: Serialize>(format: Format, state: &T) -> Vec<u8> {
    let bytes = postcard::to_extend(state, header(format, 0));
    with_checksum(bytes.expect("a state is plain data, and a vector takes all of it"))
}

/// The state that a snapshot holds.
///
/// # Errors
/// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for another
/// machine's, `snapshot_version` for those of a newer version.
pub fn open<T: SavedState>(format: Format, bytes: &[u8]) -> Result<T, Error> {
    decode(open_bytes(format, bytes)?).map_err(|Corrupt| {
        let message = "the snapshot does not hold a state of this machine";
        Error::new(ErrorCode::SnapshotCorrupt, format.machine, message)
    })
}

/// A part of a state as bytes of its own, for parts that not every state has.
pub fn encode<T: Serialize>(part: &T) -> Vec<u8> {
    postcard::to_allocvec(part).expect("a state is plain data, and a vector takes all of it")
}

/// Reads what [`encode`] wrote, and nothing else.
pub fn decode<T: SavedState>(bytes: &[u8]) -> Result<T, Corrupt> {
    let (state, rest) = postcard::take_from_bytes::<T>(bytes).map_err(|_| Corrupt)?;
    state.validate()?;
    Corrupt::unless(rest.is_empty())?;
    Ok(state)
}

/// A snapshot around a payload that is bytes already.
pub fn seal_bytes(format: Format, payload: &[u8]) -> Vec<u8> {
    // One that grows would take twice the room, and Wasm memory never shrinks.
    let mut bytes = header(format, payload.len());
    bytes.extend_from_slice(payload);
    with_checksum(bytes)
}

/// The payload of a snapshot whose envelope is right.
///
/// # Errors
/// Those of [`open`].
pub fn open_bytes(format: Format, bytes: &[u8]) -> Result<&[u8], Error> {
    let refuse = |code, message: &str| Err(Error::new(code, format.machine, message));
    let corrupt = "the snapshot is cut, altered or not a snapshot";
    let checked = bytes.split_last_chunk::<CHECKSUM>();
    let Some((body, _)) = checked.filter(|(body, checksum)| checksum_of(body) == **checksum) else {
        return refuse(ErrorCode::SnapshotCorrupt, corrupt);
    };
    let Some([letter, version, payload @ ..]) = body.strip_prefix(MAGIC) else {
        return refuse(ErrorCode::SnapshotCorrupt, corrupt);
    };
    if *letter != format.letter {
        let message = "the snapshot is another machine's; restore it with the class that wrote it";
        return refuse(ErrorCode::WrongMachine, message);
    }
    if *version > format.version || *version == 0 {
        let message = "the snapshot was written by a newer version of turnkeeper";
        return refuse(ErrorCode::SnapshotVersion, message);
    }
    Ok(payload)
}

/// The bytes before the payload, with room for a payload of this length and the checksum.
fn header(format: Format, payload: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(MAGIC.len() + 2 + payload + CHECKSUM);
    bytes.extend_from_slice(MAGIC);
    bytes.extend([format.letter, format.version]);
    bytes
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = checksum_of(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

fn checksum_of(bytes: &[u8]) -> [u8; CHECKSUM] {
    fingerprint(bytes).to_le_bytes()
}

impl Corrupt {
    /// Refuses what does not hold, such as `Corrupt::unless(items.len() <= MOST_ITEMS)?`.
    pub fn unless(holds: bool) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self) }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    const FORMAT: Format = Format {
        machine: "test",
        letter: b't',
        version: 2,
    };

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct State {
        count: u64,
        is_on: bool,
        name: String,
        units: Vec<u16>,
    }

    impl SavedState for State {
        fn validate(&self) -> Result<(), Corrupt> {
            Corrupt::unless(self.units.len() <= 2)
        }
    }

    fn state() -> State {
        State {
            count: u64::MAX,
            is_on: true,
            name: "中".to_owned(),
            units: vec![0xd800, 1],
        }
    }

    fn code_of(bytes: &[u8]) -> Option<ErrorCode> {
        open::<State>(FORMAT, bytes).err().map(|error| error.code())
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(open(FORMAT, &seal(FORMAT, &state())), Ok(state()));
        let bytes = seal_bytes(FORMAT, b"payload");
        assert_eq!(open_bytes(FORMAT, &bytes), Ok(&b"payload"[..]));
    }

    #[test]
    fn every_cut_and_every_changed_bit_is_noticed() {
        let bytes = seal(FORMAT, &state());
        for cut in 0..bytes.len() {
            assert_eq!(code_of(&bytes[..cut]), Some(ErrorCode::SnapshotCorrupt));
        }
        for bit in 0..bytes.len() * 8 {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(code_of(&altered), Some(ErrorCode::SnapshotCorrupt));
        }
    }

    #[test]
    fn a_state_that_no_machine_can_have_is_refused_whatever_its_checksum() {
        let mut long = state();
        long.units.push(0);
        let more = [encode(&state()), vec![0]].concat();
        let hostile = [vec![1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f], vec![0; 9]].concat();
        for bytes in [
            seal(FORMAT, &long),
            seal_bytes(FORMAT, &more),
            seal_bytes(FORMAT, &hostile),
            seal_bytes(FORMAT, b""),
        ] {
            assert_eq!(code_of(&bytes), Some(ErrorCode::SnapshotCorrupt));
        }
    }

    #[test]
    fn older_versions_are_read_newer_ones_and_other_machines_are_not() {
        let written = |format| code_of(&seal(format, &state()));
        let with_version = |version| Format { version, ..FORMAT };
        assert_eq!(written(with_version(1)), None);
        assert_eq!(written(with_version(3)), Some(ErrorCode::SnapshotVersion));
        let other = Format {
            letter: b'x',
            ..FORMAT
        };
        assert_eq!(written(other), Some(ErrorCode::WrongMachine));
    }
}
