//! The loops of Turnkeeper that see every character, in a crate of their own: it is compiled for
//! speed, and everything around it for size.

mod hash;
mod json_string;
mod lanes;
mod search;
mod size;
mod text;

pub use hash::fingerprint;
pub use search::{find_at_sign, find_code_mark, find_mark, find_newline};
pub use size::Size;
pub use text::{Builder, Text, lossy, units_from_le_bytes};
