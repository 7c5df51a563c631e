//! Files that may be opened without waiting for ever. Pipes, sockets and devices are refused, since to read one may wait
//! for ever or never end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::problem::{InFile, Problem, Result};

/// Opens a file that was found and not named. It may stand at the end of a link.
pub(crate) fn open_regular(file: &Path) -> Result<File> {
    in_words(open(file, OpenOptions::new().read(true), true), file)
}

/// The bytes of a file that was found and not named, of which it may have `most`.
pub(crate) fn read_regular(file: &Path, most: u64) -> Result<Vec<u8>> {
    in_words(read(file, most), file)
}

/// What is refused here says why by itself.
fn in_words<T>(done: io::Result<T>, file: &Path) -> Result<T> {
    match done {
        Err(error) if error.get_ref().is_some() => Err(Problem::new(file, error.to_string())),
        done => done.reading(file),
    }
}

/// [`read_regular`], for who tells of it otherwise.
pub(crate) fn read(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = open(file, OpenOptions::new().read(true), true)?;
    opened.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= most {
        return Ok(bytes);
    }
    let most = match most >> 20 {
        0 => format!("{} KB", most >> 10),
        megabytes => format!("{megabytes} MB"),
    };
    Err(io::Error::other(format!("is longer than {most}")))
}

/// Opens a file, which is made for the user alone if the options make one.
pub(crate) fn open(
    file: &Path,
    options: &mut OpenOptions,
    follows_links: bool,
) -> io::Result<File> {
    let refused = || Err(io::Error::other("is no regular file"));
    // To open some devices does something, so it is looked at before.
    let found = match follows_links {
        true => fs::metadata(file),
        false => fs::symlink_metadata(file),
    };
    if found.is_ok_and(|found| !found.is_file()) {
        return refused();
    }
    // Something else may have taken its place since then; a pipe must not be waited for.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let mut flags = OFlags::NONBLOCK;
        flags.set(OFlags::NOFOLLOW, !follows_links);
        options.mode(0o600).custom_flags(flags.bits() as i32);
    }
    let opened = options.open(file)?;
    match opened.metadata()?.is_file() {
        true => Ok(opened),
        false => refused(),
    }
}
