//! The identity of a file, and of its version.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Identifies a file and its version.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileState(Option<FileStamp>);

#[derive(Debug, Clone, PartialEq)]
struct FileStamp {
    #[cfg(unix)]
    inode: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// A file as it is now, before it is read.
    pub(crate) fn of(file: &Path) -> Self {
        FileState(fs::metadata(file).ok().map(|found| FileStamp {
            #[cfg(unix)]
            inode: {
                use std::os::unix::fs::MetadataExt;
                (found.dev(), found.ino())
            },
            length: found.len(),
            modified: found.modified().ok(),
        }))
    }

    /// Whether that name leads to another file by now, or the file has changed.
    pub(crate) fn is_out_of_date(&self, file: &Path) -> bool {
        *self != Self::of(file)
    }
}
