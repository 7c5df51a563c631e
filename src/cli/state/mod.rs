//! The state that outlives a process of ours: files in one folder.

pub(crate) mod activity;
pub(crate) mod folder;
pub(crate) mod installed;
pub(crate) mod installed_mode;
mod lock;
pub(crate) mod own_file;
pub(crate) mod session_store;
