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

/// Whether a name leads, through links, out of a folder; either may not exist yet. A link that leads nowhere is not found.
pub(crate) fn leads_out(name: &Path, folder: &Path) -> io::Result<bool> {
    Ok(!real_path_to_be(name)?.starts_with(real_path_to_be(folder)?))
}

/// The real path of a name, also of one that is to be made.
fn real_path_to_be(name: &Path) -> io::Result<PathBuf> {
    let whole = std::path::absolute(name)?;
    let is_there = |it: &&Path| fs::symlink_metadata(it).is_ok();
    let there = whole.ancestors().find(is_there);
    let there = there.unwrap_or(Path::new("/"));
    let rest = whole.strip_prefix(there).unwrap_or(Path::new(""));
    let real = real_path(there)?;
    Ok(match rest.as_os_str().is_empty() {
        true => real,
        false => real.join(rest),
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_name_leads_out_by_itself_or_by_any_folder_above() {
        let root = tempfile::tempdir().expect("a folder");
        let at = |name: &str| root.path().join(name);
        for folder in ["project/own", "project2", "theirs"] {
            fs::create_dir_all(at(folder)).expect("made");
        }
        fs::write(at("theirs/a"), "").expect("written");
        for (link, to) in [
            ("project/file", "../theirs/a"),
            ("project/folder", "../theirs"),
            ("project/alike", "../project2"),
            ("project/nowhere", "../nowhere"),
            ("project/circle", "circle"),
            ("project/back", "../project/own"),
            ("project/chain", "back/../../theirs"),
        ] {
            symlink(to, at(link)).expect("a link");
        }
        let out = |name: &str| leads_out(&at(name), &at("project")).ok();
        for name in ["project/a", "project/own/a/b", "project/back/a", "project"] {
            assert_eq!(out(name), Some(false), "{name}");
        }
        for name in ["file", "folder/a", "folder/b/c", "alike", "chain/a"] {
            assert_eq!(out(&format!("project/{name}")), Some(true), "{name}");
        }
        for name in ["nowhere", "nowhere/a", "circle", "circle/a"] {
            assert_eq!(out(&format!("project/{name}")), None, "{name}");
        }
    }
}
