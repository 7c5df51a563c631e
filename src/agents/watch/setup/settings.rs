//! The settings files of agents as text: what of it is ours, and how it gets there and out again.

mod added;
mod json_text;
mod layout;
mod ours;
#[cfg(test)]
mod tests;

use std::fmt;

pub use json_text::{JsonText, Step, keys};
pub use ours::{is_bare, ours_in, without_ours};

/// The reason why a file cannot be changed without a risk for what is in it, to be put after its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unchangeable(String);

impl fmt::Display for Unchangeable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}; it stays as it is", self.0)
    }
}

impl std::error::Error for Unchangeable {}
