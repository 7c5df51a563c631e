//! A file is written beside its place and put there in one step when it is whole. Until then, and whatever happens,
//! the old file stays.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;

use super::{attributes, writers};
use crate::problem::{InFile, Problem, Result};

const START: &str = ".turnkeeper-";
const END: &str = ".tmp";

/// Replaces a file by bytes. The new one has the permissions, the extended attributes and, as far as the system
/// allows it, the owner and the group of the old one.
///
/// A file that is replaced as it was read is refused while another process writes it; `check` is asked at the last
/// moment.
pub(super) fn replace(
    target: &Path,
    bytes: &[u8],
    is_read: bool,
    check: impl Fn() -> Result<()>,
) -> Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    sweep(folder);
    let start = format!("{START}{}-", std::process::id());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&start).rand_bytes(16).suffix(END);
    let old = fs::metadata(target).ok();
    #[cfg(unix)]
    if old.is_none() {
        use std::os::unix::fs::PermissionsExt;
        // As any new file, less what the user's mask takes away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).writing(target)?;
    if let Some(old) = &old {
        attributes::copy(target, old, file.as_file(), file.path())?;
    }
    file.write_all(bytes).writing(target)?;
    file.as_file().sync_all().writing(target)?;
    // Some systems rename no open file.
    let path = file.into_temp_path();
    check()?;
    if is_read && let Some(process) = writers::writer_of(target) {
        let why = format!("is open for writing in process {process}; end it first");
        return Err(Problem::new(target, why));
    }
    check()?;
    path.persist(target)
        .map_err(|error| error.error)
        .writing(target)
}

/// Whether it is the name of a file that is not whole yet.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(START.as_bytes()) && name.ends_with(END.as_bytes())
}

/// Removes what programs have left in a folder that were killed while they wrote.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let unique = name
            .to_str()
            .and_then(|it| it.strip_prefix(START)?.strip_suffix(END));
        let process = unique
            .and_then(|it| it.split_once('-'))
            .and_then(|it| it.0.parse().ok());
        if process.is_some_and(|process| !is_alive(process)) {
            // It may be somebody else's, or gone.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
pub(crate) fn is_alive(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let Some(process) = Pid::from_raw(process) else {
        return false;
    };
    test_kill_process(process) != Err(Errno::SRCH)
}

/// An open file cannot be removed there anyway.
#[cfg(not(unix))]
pub(crate) fn is_alive(_process: i32) -> bool {
    false
}
