//! The settings files of agents as text: what of it is ours, and how it gets there.

mod added;
mod json_text;
mod layout;
mod ours;
#[cfg(test)]
mod tests;

pub use added::added;
pub(crate) use json_text::{JsonText, keys};
pub use ours::without_ours;
pub(crate) use ours::{is_bare, ours_in};
