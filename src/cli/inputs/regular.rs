//! Files that may be opened without waiting for ever.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::Path;

use crate::problem::{InFile, Problem, Result};

/// A part of a session that has to be held whole is not longer, in bytes.
pub(super) const LONGEST: u64 = 128 << 20;

/// Opens a file that was found and not named. Pipes, sockets and devices are refused, also at the end of a link, since
/// to read one may wait for ever or never end.
pub(crate) fn open_regular(file: &Path) -> Result<File> {
    let refused = || Problem::new(file, "is no regular file");
    // To open some devices does something, so it is looked at before.
    if !fs::metadata(file).reading(file)?.is_file() {
        return Err(refused());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // A pipe that has taken its place since then must not be waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits() as i32,
    );
    let opened = options.open(file).reading(file)?;
    if opened.metadata().reading(file)?.is_file() {
        Ok(opened)
    } else {
        Err(refused())
    }
}

/// The bytes of a file that was found and not named, of which it may have `most`.
pub(crate) fn read_regular(file: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = open_regular(file)?;
    opened
        .take(most + 1)
        .read_to_end(&mut bytes)
        .reading(file)?;
    if bytes.len() as u64 > most {
        return Err(Problem::new(
            file,
            format!("is longer than {} MB", most >> 20),
        ));
    }
    Ok(bytes)
}
