//! Files as a whole: read as they are, and replaced in one step.

mod atomic_file;
mod attributes;
mod file_state;
pub(crate) mod regular;
mod text_file;
mod write_target;
mod writers;

pub(crate) use atomic_file::{AtomicFile, Replacement, is_alive, is_temporary, replace};
pub(crate) use file_state::FileState;
pub(crate) use regular::{open_regular, read_regular};
pub(crate) use text_file::{content_of, read_file, target_of, write_file};
pub(crate) use write_target::{leads_out, real_path, replaced_file};
