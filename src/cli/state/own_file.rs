//! Files that the program keeps in its state folder: plain files that only the user can read. Whatever else stands in
//! the place of one, a pipe, a device or a link, is not opened: it may keep a hook waiting, or be somebody's.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use crate::files::regular;

/// None of these files is longer.
const LONGEST: u64 = 64 << 20;

/// Opens a file, which is made for the user alone if the options make one.
pub(crate) fn open(file: &Path, options: &mut OpenOptions) -> io::Result<File> {
    regular::open(file, options, false)
}

/// The bytes of a file; none if there is no such file.
pub(crate) fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    let opened = match open(file, OpenOptions::new().read(true)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    opened.take(LONGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LONGEST {
        true => Err(io::Error::other("is too long")),
        false => Ok(Some(bytes)),
    }
}

/// Opens a file to write at its end.
pub(crate) fn append(file: &Path) -> io::Result<File> {
    open(file, OpenOptions::new().append(true).create(true))
}

/// Writes a file beside, for the user alone from its first byte, and puts it in the place of the one that is there.
pub(crate) fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    put(file, bytes, |_| Ok(()))
}

/// The same for a file whose loss would cost more than the time until it is on the disk.
pub(crate) fn keep(file: &Path, bytes: &[u8]) -> io::Result<()> {
    put(file, bytes, File::sync_all)
}

fn put(file: &Path, bytes: &[u8], finish: fn(&File) -> io::Result<()>) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut beside = tempfile::Builder::new()
        .prefix(&format!("{name}."))
        .suffix(TEMPORARY)
        .tempfile_in(folder)?;
    beside.write_all(bytes)?;
    finish(beside.as_file())?;
    // Windows renames no open file.
    beside.into_temp_path().persist(file)?;
    Ok(())
}

/// The end of the name of a file that is not whole yet.
pub(super) const TEMPORARY: &str = ".tmp";

/// Removes a plain file. Anything else that has its name stays, and so does one that cannot be removed.
pub(crate) fn remove(file: &Path) {
    if fs::symlink_metadata(file).is_ok_and(|found| found.is_file()) {
        let _ = fs::remove_file(file);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_file_is_the_users_alone_and_replaced_in_one_step() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("a");
        assert!(read(&file).expect("nothing").is_none());
        append(&file)
            .expect("made")
            .write_all(b"1")
            .expect("written");
        replace(&file, b"2").expect("replaced");
        append(&file)
            .expect("there")
            .write_all(b"3")
            .expect("written");
        assert_eq!(read(&file).expect("there").as_deref(), Some(&b"23"[..]));
        let mode = fs::metadata(&file).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn whatever_is_no_plain_file_is_not_opened_and_stays() {
        let root = tempfile::tempdir().expect("a folder");
        let at = |name: &str| root.path().join(name);
        let mine = at("mine");
        fs::write(&mine, "mine").expect("written");
        symlink(&mine, at("link")).expect("a link");
        symlink(at("nowhere"), at("dangling")).expect("a link");
        symlink("/dev/zero", at("device")).expect("a link");
        fs::create_dir(at("folder")).expect("a folder");
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
        for name in ["link", "dangling", "device", "folder", "pipe"] {
            assert!(read(&at(name)).is_err(), "{name}");
            assert!(append(&at(name)).is_err(), "{name}");
            remove(&at(name));
            assert!(fs::symlink_metadata(at(name)).is_ok(), "{name}");
        }
        assert_eq!(fs::read(&mine).expect("there"), b"mine");
        assert!(!at("nowhere").exists());
        remove(&mine);
        assert!(!mine.exists());
    }
}
