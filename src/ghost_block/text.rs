//! Texts in snapshots.

pub(crate) use turnkeeper_kernels::{Builder, Text};

use crate::snapshot::{Corrupt, Reader, Writer};

/// What a snapshot holds.
pub(crate) trait Saved: Sized {
    fn save(&self, to: &mut Writer);
    fn load(from: &mut Reader) -> Result<Self, Corrupt>;
}

impl Saved for Text {
    fn save(&self, to: &mut Writer) {
        match self {
            Self::Ascii(bytes) => {
                to.flag(false);
                to.bytes(bytes);
            }
            Self::Wide(units) => {
                to.flag(true);
                to.units(units);
            }
        }
    }

    fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        if from.flag()? {
            let text = Self::from_units(&from.units(usize::MAX)?);
            matches!(text, Self::Wide(_)).then_some(text)
        } else {
            Self::from_ascii(from.bytes()?)
        }
        .ok_or(Corrupt)
    }
}
