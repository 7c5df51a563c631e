//! Text files, read and written whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::atomic_file::replace;
use super::file_state::FileState;
use super::regular::read_regular;
use super::write_target::replaced_file;
use crate::problem::{InFile, Problem, Result};

/// No settings are longer.
const LONGEST: u64 = 64 << 20;

/// The file that is changed by that name: a link stays one. What cannot be replaced in one step is refused.
pub(crate) fn target_of(file: &Path) -> Result<PathBuf> {
    let target = replaced_file(file)?;
    if fs::symlink_metadata(&target).is_err() {
        return Ok(target);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(&target).reading(file)?;
        if found.is_file() && found.nlink() > 1 {
            let why = "has another name (a hard link), under which it would not change";
            return Err(Problem::left(file, why));
        }
    }
    Ok(target)
}

/// The text of a file; nothing if there is none.
pub(crate) fn content_of(file: &Path) -> Result<Option<String>> {
    if fs::metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    // Anything else could not be written as it was.
    String::from_utf8(read_regular(file, LONGEST)?)
        .map(Some)
        .map_err(|_| Problem::left(file, "is not UTF-8"))
}

/// A file as it is now, so that what another program writes meanwhile is not lost.
pub(crate) struct ReadFile {
    pub(crate) content: Option<String>,
    state: FileState,
}

pub(crate) fn read_file(file: &Path) -> Result<ReadFile> {
    let state = FileState::of(file);
    Ok(ReadFile {
        content: content_of(file)?,
        state,
    })
}

/// Puts a text in the place of a file in one step, unless another program has changed it since it was read.
pub(crate) fn write_file(file: &Path, text: &str, read: Option<&ReadFile>) -> Result<()> {
    let target = target_of(file)?;
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).writing(file)?;
    }
    let known = read.filter(|read| read.content.is_some());
    replace(&target, text.as_bytes(), known.map(|read| &read.state))
}
