//! The features of a call and of its result, as far as the rules of the profile `adaptive` need it.
//!
//! The rules see nothing but these features: fingerprints to compare by, and what follows from the
//! words of names, command lines and results.

mod alike;
mod call;
mod characters;
mod claims;
mod command_line;
#[cfg(test)]
#[path = "tests/example.rs"]
mod example;
mod names;
mod number;
mod outline;
mod printing;
mod reading;
mod remembered;
mod result;
mod seen_lines;
mod step;
mod token_reader;
mod tokens;
mod vocabulary;
mod wrapping;

pub(super) use self::alike::Alike;
pub(super) use self::call::CallReader;
pub(super) use self::remembered::Remembered;
pub(super) use self::result::read_result;
pub(super) use self::seen_lines::SeenLines;
pub(super) use self::step::{CallFeatures, ResultFeatures, Step};
pub(super) use self::vocabulary::ToolKind;
