//! A lock among processes: a file that only one of them can make.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// An agent waits for its hook; what is not free by then is left alone.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN_TRIES: Duration = Duration::from_millis(2);
/// No hook holds a lock for so long; whoever made it has ended without taking it back.
const ABANDONED: Duration = Duration::from_secs(10);

/// A lock that this process has, until it is dropped.
pub(crate) struct Lock {
    file: PathBuf,
    /// On Windows the file goes with its handle, however the process ends.
    _handle: File,
}

impl Lock {
    /// Waits for a lock; `None` if it did not become free in time.
    pub(crate) fn wait_for(file: &Path) -> io::Result<Option<Self>> {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(handle) = acquire(file)? {
                let file = file.to_owned();
                return Ok(Some(Self {
                    file,
                    _handle: handle,
                }));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            if is_abandoned(file) {
                take_away(file);
            } else {
                sleep(BETWEEN_TRIES);
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // On Windows it may be gone with the handle.
        let _ = fs::remove_file(&self.file);
    }
}

fn acquire(file: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    {
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, DELETE_ON_CLOSE);
    }
    let mut handle = match options.open(file) {
        Ok(handle) => handle,
        // Windows refuses a name whose file is just being removed.
        Err(error)
            if error.kind() == ErrorKind::AlreadyExists
                || cfg!(windows) && error.kind() == ErrorKind::PermissionDenied =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    match write!(handle, "{}", std::process::id()) {
        Ok(()) => Ok(Some(handle)),
        Err(error) => {
            // A full disk: nobody else may wait for this one.
            let _ = fs::remove_file(file);
            Err(error)
        }
    }
}

/// Whether its process has ended without taking it back. What has become free meanwhile is not.
fn is_abandoned(file: &Path) -> bool {
    let made = fs::metadata(file).and_then(|it| it.modified());
    let age = made.map(|made| SystemTime::now().duration_since(made).unwrap_or_default());
    match age {
        Ok(age) if age > ABANDONED => true,
        Ok(_) => {
            let holder = fs::read_to_string(file).ok().and_then(|it| it.parse().ok());
            holder.is_some_and(|holder| holder > 0 && !is_alive(holder))
        }
        Err(_) => false,
    }
}

/// Whether a process runs; somebody else's may not be asked, and is there.
#[cfg(unix)]
fn is_alive(process: i32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let asked = Pid::from_raw(process).map(test_kill_process);
    asked != Some(Err(rustix::io::Errno::SRCH))
}

/// On Windows nothing is left of a process that has ended.
#[cfg(not(unix))]
fn is_alive(_process: i32) -> bool {
    true
}

/// Of several that find the same lock abandoned, one moves it away; the others find it gone.
fn take_away(file: &Path) {
    let aside = beside(file, &std::process::id().to_string());
    if fs::rename(file, &aside).is_ok() {
        let _ = fs::remove_file(&aside).or_else(|_| fs::remove_dir_all(&aside));
    }
}

/// The path of a file with another ending after its own.
pub(super) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(format!(".{ending}"));
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_has_it_at_a_time_and_none_when_it_is_dropped() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("x.lock");
        let lock = Lock::wait_for(&file).expect("made").expect("free");
        assert!(Lock::wait_for(&file).expect("no failure").is_none());
        drop(lock);
        assert!(!file.exists());
    }

    #[test]
    fn one_whose_process_has_ended_is_taken_away_whatever_stands_there() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("x.lock");
        let set_age = |age: u64| {
            let made = SystemTime::now() - Duration::from_secs(age);
            let set = File::open(&file).and_then(|it| it.set_modified(made));
            set.expect("the time is set");
        };
        if cfg!(unix) {
            // No process has this number for long.
            fs::write(&file, "2147483646").expect("written");
            assert!(Lock::wait_for(&file).expect("no failure").is_some());
        }
        fs::write(&file, std::process::id().to_string()).expect("written");
        set_age(60);
        assert!(Lock::wait_for(&file).expect("no failure").is_some());
        fs::create_dir(&file).expect("made");
        set_age(60);
        assert!(Lock::wait_for(&file).expect("no failure").is_some());
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 0);
    }
}
