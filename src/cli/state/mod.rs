//! What outlives a process of ours: files in one folder.

pub(crate) mod folder;
pub(crate) mod installed;
pub(crate) mod time;
