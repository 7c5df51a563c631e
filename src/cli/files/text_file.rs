//! Text files, read and written whole.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::atomic_file::replace;
use crate::problem::{InFile, Problem, Result};

/// No settings are longer.
const LONGEST: u64 = 64 << 20;

/// The file that is changed by that name: a link stays one. What cannot be replaced in one step is refused.
pub(crate) fn target_of(file: &Path) -> Result<PathBuf> {
    let target = match fs::metadata(file) {
        Ok(found) if found.is_file() || found.is_dir() => real_path(file).reading(file)?,
        Ok(_) => return Err(Problem::new(file, "is no regular file")),
        Err(_) if fs::symlink_metadata(file).is_ok() => {
            return Err(Problem::new(file, "is a link that leads nowhere"));
        }
        Err(_) => return Ok(file.to_owned()),
    };
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

/// The path of a file without links, as people write it.
pub(crate) fn real_path(file: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(file)?;
    // Windows' own form of it, which some programs do not know.
    let drive = real.to_str().and_then(|it| it.strip_prefix(r"\\?\"));
    Ok(match drive {
        Some(path) if path.as_bytes().get(1) == Some(&b':') => path.into(),
        _ => real,
    })
}

/// The text of a file; nothing if there is none.
pub(crate) fn content_of(file: &Path) -> Result<Option<String>> {
    // To open some devices does something, and a pipe may keep one waiting, so it is looked at before.
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(found) if !found.is_file() => return Err(Problem::new(file, "is no regular file")),
        found => found.reading(file)?,
    };
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).reading(file)?;
    opened
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .reading(file)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Problem::new(
            file,
            format!("is longer than {} MB", LONGEST >> 20),
        ));
    }
    // Anything else could not be written as it was.
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| Problem::left(file, "is not UTF-8"))
}

/// A file as it is now, so that what another program writes meanwhile is not lost.
pub(crate) struct ReadFile {
    pub(crate) content: Option<String>,
    state: Option<State>,
}

pub(crate) fn read_file(file: &Path) -> Result<ReadFile> {
    let state = State::of(file);
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
    replace(&target, text.as_bytes(), known.is_some(), || match known {
        Some(read) if read.state != State::of(&target) => Err(Problem::left(
            file,
            "was changed by another program while it was read",
        )),
        _ => Ok(()),
    })
}

/// Identifies a file and its version.
#[derive(PartialEq)]
struct State {
    #[cfg(unix)]
    inode: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(file: &Path) -> Option<State> {
        let found = fs::metadata(file).ok()?;
        Some(State {
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (found.dev(), found.ino())
            },
            length: found.len(),
            modified: found.modified().ok(),
        })
    }
}
