//! The folder in which the hooks keep what must outlive a process.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The state folder that the environment names, or the system's usual place.
pub(crate) fn state_folder() -> io::Result<PathBuf> {
    match env::var_os("TURNKEEPER_STATE") {
        Some(named) if !named.is_empty() => std::path::absolute(named),
        _ => Ok(place_of_state()?.join("turnkeeper")),
    }
}

/// The home folder. An empty name would be the folder in which the agent works.
pub(crate) fn home_folder() -> io::Result<PathBuf> {
    let home = env::home_dir().filter(|it| !it.as_os_str().is_empty());
    home.ok_or_else(|| io::Error::other("there is no home folder"))
}

#[cfg(windows)]
fn place_of_state() -> io::Result<PathBuf> {
    match env::var_os("LOCALAPPDATA") {
        Some(named) if !named.is_empty() => Ok(named.into()),
        _ => Ok(home_folder()?.join("AppData").join("Local")),
    }
}

#[cfg(target_os = "macos")]
fn place_of_state() -> io::Result<PathBuf> {
    Ok(home_folder()?.join("Library").join("Application Support"))
}

#[cfg(not(any(windows, target_os = "macos")))]
fn place_of_state() -> io::Result<PathBuf> {
    let named = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    match named.filter(|it| it.is_absolute()) {
        Some(named) => Ok(named),
        None => Ok(home_folder()?.join(".local").join("state")),
    }
}

/// Makes a folder that only the user can read, unless it is there: one that the user has made stays as open as it is,
/// since what is written there is closed by itself. A link, and a folder of another user, are refused: whoever made it
/// would decide what is read.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            create(folder)?;
            fs::symlink_metadata(folder)?
        }
        found => found?,
    };
    let refused = |why: &str| Err(io::Error::other(format!("{} {why}", folder.display())));
    if found.is_symlink() {
        return refused("is a link");
    }
    if !found.is_dir() {
        return refused("is no folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if found.uid() != rustix::process::geteuid().as_raw() {
            return refused("belongs to another user");
        }
    }
    Ok(())
}

/// Makes a folder, and those above it that are not there, for the user alone.
pub(crate) fn create(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(folder: &Path) -> u32 {
        fs::metadata(folder).expect("a folder").permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_is_made_for_the_user_alone_and_the_mode_of_one_that_is_there_stays() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("a").join("b");
        make_private(&folder).expect("made");
        assert_eq!(mode(&folder), 0o700);
        for theirs in [0o755, 0o777, 0o500] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(theirs)).expect("set");
            make_private(&folder).expect("there");
            assert_eq!(mode(&folder), theirs);
        }
    }

    #[test]
    fn a_link_and_a_file_are_refused() {
        let root = tempfile::tempdir().expect("a folder");
        let link = root.path().join("link");
        symlink(root.path(), &link).expect("a link");
        let refused = |path: &Path| make_private(path).expect_err("refused").to_string();
        assert!(refused(&link).ends_with("is a link"));
        let file = root.path().join("file");
        fs::write(&file, "mine").expect("written");
        assert!(refused(&file).ends_with("is no folder"));
    }
}
