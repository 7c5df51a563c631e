//! What outlives a process of ours: files in one folder.

pub(crate) mod folder;
