//! A file is written beside its place and put there in one step when it is whole. Until then, and whatever happens,
//! the old file stays.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::file_state::FileState;
use super::{attributes, writers};
use crate::problem::{InFile, Problem, Result};

const START: &str = ".turnkeeper-";
const END: &str = ".tmp";

/// Puts bytes in the place of a file in one step, of the old one as it was `read`, if it was. The new one has the
/// permissions, the extended attributes and, as far as the system allows it, the owner and the group of the old one.
pub(crate) fn replace(target: &Path, bytes: &[u8], read: Option<&FileState>) -> Result<()> {
    let mut file = AtomicFile::new(target, None)?;
    file.write(bytes)?;
    file.commit(&Replacement { backup: None, read })
}

/// The way in which the old file gives way to the new one.
#[derive(Debug, Default)]
pub(crate) struct Replacement<'a> {
    /// A name that the old file keeps; nothing may have it yet.
    pub(crate) backup: Option<&'a Path>,
    /// The old file as it was read; one that is no longer so, or that another process writes, stays.
    pub(crate) read: Option<&'a FileState>,
}

/// A file that is written beside its place. Unless it is [committed](Self::commit) nothing is left of it.
pub(crate) struct AtomicFile {
    target: PathBuf,
    new: New,
}

/// The new file, until it is whole.
enum New {
    /// Without a name: whenever the program ends, the system takes it away.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    Nameless(File),
    Named(NamedTempFile),
}

impl AtomicFile {
    /// A new file for that place. Where there is no old one it has the permissions of `like`.
    pub(crate) fn new(target: &Path, like: Option<&Path>) -> Result<Self> {
        let folder = folder_of(target);
        sweep(folder);
        let old = fs::metadata(target).ok();
        let model = match &old {
            Some(_) => None,
            None => like.and_then(|like| Some((like, fs::metadata(like).ok()?))),
        };
        let has_model = old.is_some() || model.is_some();
        let new = match nameless(folder, has_model) {
            Some(file) => New::Nameless(file),
            None => New::Named(named(folder, has_model).writing(target)?),
        };
        let file = AtomicFile {
            target: target.to_owned(),
            new,
        };
        match (&old, &model) {
            (Some(old), _) => attributes::copy(target, old, file.file())?,
            (None, Some((like, model))) => attributes::copy_access(like, model, file.file())?,
            (None, None) => {}
        }
        Ok(file)
    }

    fn file(&self) -> &File {
        match &self.new {
            New::Nameless(file) => file,
            New::Named(file) => file.as_file(),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let mut file = self.file();
        file.write_all(bytes).writing(&self.target)
    }

    /// Puts the file into its place.
    pub(crate) fn commit(self, replacement: &Replacement) -> Result<()> {
        let target = self.target.clone();
        let path = self.whole()?;
        let Replacement { backup, read } = *replacement;
        let check = || match read {
            Some(read) if read.is_out_of_date(&target) => Err(changed(&target)),
            _ => Ok(()),
        };
        // With a changed file nothing is tried at all.
        check()?;
        if read.is_some() {
            refuse_while_written(&target)?;
        }
        let is_second_name = match backup {
            Some(backup) => keep(&target, backup)?,
            None => false,
        };
        if let Err(problem) = check().and_then(|()| put(path, &target)) {
            backup.map(remove);
            return Err(problem);
        }
        // A program that had the old file open may have written to it until the last moment.
        if let (Some(backup), Some(read), true) = (backup, read, is_second_name)
            && read.is_out_of_date(backup)
        {
            fs::rename(backup, &target).writing(&target)?;
            return Err(changed(&target));
        }
        Ok(())
    }

    /// The file with a name, once all of it is on the disk. Some systems rename no open file, so it is closed.
    fn whole(self) -> Result<TempPath> {
        let target = &self.target;
        self.file().sync_all().writing(target)?;
        match self.new {
            New::Named(file) => Ok(file.into_temp_path()),
            New::Nameless(file) => give_name(&file, folder_of(target)).writing(target),
        }
    }
}

fn put(path: TempPath, target: &Path) -> Result<()> {
    let put = path.persist(target);
    put.map_err(|error| error.error).writing(target)
}

fn changed(file: &Path) -> Problem {
    Problem::left(file, "was changed by another program while it was read")
}

/// A program would go on writing to what is the backup by then.
fn refuse_while_written(file: &Path) -> Result<()> {
    let Some(process) = writers::writer_of(file) else {
        return Ok(());
    };
    let why = format!("is open for writing in process {process}; end it first");
    Err(Problem::new(file, why))
}

fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A name that nothing has and nobody can foresee, however long the file's own is.
fn builder(start: &str) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(start).rand_bytes(16).suffix(END);
    builder
}

fn start_of_name() -> String {
    format!("{START}{}-", std::process::id())
}

/// Nobody else may open a file before it has its permissions; one that is like no other has those of any new file,
/// less what the user's mask takes away.
fn named(folder: &Path, has_model: bool) -> io::Result<NamedTempFile> {
    let start = start_of_name();
    let mut builder = builder(&start);
    #[cfg(unix)]
    if !has_model {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = has_model;
    builder.tempfile_in(folder)
}

/// A file without a name, where the system has such.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path, has_model: bool) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let mode = match has_model {
        true => Mode::RUSR | Mode::WUSR,
        false => Mode::from_raw_mode(0o666),
    };
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, mode).ok()?);
    // The name comes from there.
    fs::symlink_metadata(name_of_open(&file)).ok()?;
    Some(file)
}

#[cfg(not(target_os = "linux"))]
fn nameless(_folder: &Path, _has_model: bool) -> Option<File> {
    None
}

#[cfg(target_os = "linux")]
fn name_of_open(file: &File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// A name for a file without one.
#[cfg(target_os = "linux")]
fn give_name(file: &File, folder: &Path) -> io::Result<TempPath> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let start = start_of_name();
    let made = builder(&start).make_in(folder, |path| {
        let from = name_of_open(file);
        linkat(CWD, from, CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(Into::into)
    })?;
    Ok(made.into_temp_path())
}

#[cfg(not(target_os = "linux"))]
fn give_name(_file: &File, _folder: &Path) -> io::Result<TempPath> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A second name for the same content, so that the first can be replaced in one step; where the system gives none a
/// copy, and the answer `false`.
fn keep(file: &Path, backup: &Path) -> Result<bool> {
    match fs::hard_link(file, backup) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error).writing(file),
        Err(_) => copy_to(file, backup).map(|()| false),
    }
}

/// Makes a copy, which has its name when it is whole, and which nobody may open at any time who may not open the file.
/// Nothing that is there already is written to.
fn copy_to(file: &Path, backup: &Path) -> Result<()> {
    let copy = AtomicFile::new(backup, Some(file))?;
    let old: Metadata = fs::metadata(file).reading(file)?;
    let mut from = File::open(file).reading(file)?;
    io::copy(&mut from, &mut copy.file()).writing(file)?;
    attributes::copy(file, &old, copy.file())?;
    let path = copy.whole()?;
    let put = path.persist_noclobber(backup);
    put.map_err(|error| error.error).writing(file)
}

/// Removes a file of this command's own; one that stays is only in the way.
fn remove(file: &Path) {
    let _ = fs::remove_file(file);
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

#[cfg(test)]
#[path = "atomic_tests.rs"]
mod tests;
