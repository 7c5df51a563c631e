//! The loops of Turnkeeper that see every character, and the allocator, in a crate of their own: it
//! is compiled for speed, and everything around it for size.

mod brackets;
mod hash;
mod json_string;
mod lanes;
#[cfg(target_family = "wasm")]
mod memory;
mod search;
mod seed;
mod size;
mod text;
mod times;
mod white;
mod windows;

pub use brackets::Brackets;
pub use hash::fingerprint;
pub use search::{find_at_sign, find_code_mark, find_last_less, find_mark, find_newline};
pub use seed::find_seed;
pub use size::Size;
pub use text::{Builder, Text, exact, lossy, push_units_of, units_from_le_bytes};
pub use times::may_hold_time;
pub use white::{end_of, is_blank, is_white};
pub use windows::Windows;
