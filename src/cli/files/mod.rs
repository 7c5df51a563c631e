//! Files as a whole: read as they are, and replaced in one step.

mod atomic_file;
mod attributes;
mod text_file;
mod writers;

pub(crate) use atomic_file::{is_alive, is_temporary};
pub(crate) use text_file::{content_of, read_file, real_path, target_of, write_file};

/// Puts bytes in the place of a file in one step.
pub(crate) fn replace_bytes(file: &std::path::Path, bytes: &[u8]) -> crate::problem::Result<()> {
    atomic_file::replace(file, bytes, false, || Ok(()))
}
