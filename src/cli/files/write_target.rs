//! Files that are written to by a name.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::problem::{InFile, Problem, Result};

/// The file that is replaced if that name is written to. A link stays a link, so it is what the link leads to; pipes and
/// devices are refused, since they cannot be replaced in one step.
pub(crate) fn replaced_file(name: &Path) -> Result<PathBuf> {
    match fs::metadata(name) {
        // A folder in the way is for the system to refuse, in its words.
        Ok(found) if found.is_file() || found.is_dir() => real_path(name).reading(name),
        Ok(_) => Err(Problem::new(name, "is no regular file")),
        Err(error) if fs::symlink_metadata(name).is_ok() => match error.kind() {
            io::ErrorKind::NotFound => Err(Problem::new(name, "is a link that leads nowhere")),
            _ => Err(error).writing(name),
        },
        Err(_) => Ok(name.to_owned()),
    }
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

/// Whether a name leads, through links, out of a folder; either may not exist yet.
pub(crate) fn leads_out(name: &Path, folder: &Path) -> io::Result<bool> {
    Ok(!real_path_to_be(name)?.starts_with(real_path_to_be(folder)?))
}

/// The real path of a name, also of one that is to be made.
fn real_path_to_be(name: &Path) -> io::Result<PathBuf> {
    let whole = std::path::absolute(name)?;
    let there = whole.ancestors().find(|it| it.exists());
    let there = there.unwrap_or(Path::new("/"));
    let rest = whole.strip_prefix(there).unwrap_or(Path::new(""));
    let real = real_path(there)?;
    Ok(match rest.as_os_str().is_empty() {
        true => real,
        false => real.join(rest),
    })
}
