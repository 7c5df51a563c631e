//! A lock among processes, which the system frees when its process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::own_file;

/// An agent waits for its hook; what is not free by then is left alone.
const PATIENCE: Duration = Duration::from_millis(500);
const BETWEEN_TRIES: Duration = Duration::from_millis(2);

/// A lock that this process has, until it is dropped.
pub(super) struct Lock {
    _held: File,
}

impl Lock {
    /// Waits for the lock of a file, which is made if it is not there and never goes: whoever removed it would give
    /// the lock to two. `None` if it did not become free in time.
    pub(super) fn wait_for(file: &Path) -> io::Result<Option<Self>> {
        let held = own_file::open(file, OpenOptions::new().append(true).create(true))?;
        let until = Instant::now() + PATIENCE;
        loop {
            match held.try_lock() {
                Err(TryLockError::WouldBlock) if Instant::now() >= until => return Ok(None),
                Err(TryLockError::WouldBlock) => sleep(BETWEEN_TRIES),
                // Some file systems of a network have no locks. There two hooks at once may lose one's count.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Some(Self { _held: held })),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn one_has_it_at_a_time_and_none_when_it_is_dropped() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("x.lock");
        let lock = Lock::wait_for(&file).expect("made").expect("free");
        assert!(Lock::wait_for(&file).expect("no failure").is_none());
        drop(lock);
        assert!(Lock::wait_for(&file).expect("no failure").is_some());
    }

    #[test]
    fn no_two_have_it_however_many_try() {
        let root = tempfile::tempdir().expect("a folder");
        let (lock, count) = (root.path().join("lock"), root.path().join("count"));
        let add = || {
            for _ in 0..50 {
                // On a busy machine one may lose its patience, and tries again.
                let tries = std::iter::repeat_with(|| Lock::wait_for(&lock).expect("no failure"));
                let _lock = tries.flatten().next();
                let before = own_file::read(&count).expect("plain").unwrap_or_default();
                own_file::replace(&count, &[&before[..], b"+"].concat()).expect("written");
            }
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(add);
            }
        });
        let counted = own_file::read(&count).expect("plain").unwrap_or_default();
        assert_eq!(counted.len(), 200);
    }
}
