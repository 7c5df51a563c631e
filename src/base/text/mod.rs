//! Text: UTF-16, excerpts, searches, hashes, Markdown code, and the code that runs once per character.
//!
//! Every length in this library is in UTF-16 code units. The loops that must be fast look at several
//! units at a time ([`lanes`]); each has a naive twin in its tests, which looks at one.
//!
//! | file | |
//! |---|---|
//! | [`utf16`] | UTF-16 code units to text, from text, and how much they are in UTF-8 |
//! | [`excerpt`](mod@excerpt) | the beginning of a text that is too long to show |
//! | [`compact`] | [`Text`]: text of any content that is shared, and kept in half the space if it is ASCII |
//! | [`json_string`] | JSON strings, as JavaScript writes them |
//! | [`white_space`] | white space, as JavaScript knows it |
//! | [`size`] | how much text is, in units and in estimated tokens |
//! | [`search`] | whether a text contains another one |
//! | [`find`] | where the next of a few characters is |
//! | [`utf8`] | the same in UTF-8 |
//! | [`markdown_code`] | which parts of a Markdown text are code |
//! | [`brackets`] | which bracket closes which |
//! | [`earlier_endings`] | where in a text its last units were before |
//! | [`windows`] | which windows of a text have occurred before |
//! | [`changing_words`] | whether a text may hold a time or an id |
//! | [`hash`] | a fast hash, a running one, and SHA-256 |
//! | [`lanes`] | several code units at a time |

mod brackets;
mod changing_words;
mod compact;
mod earlier_endings;
mod ends;
mod excerpt;
mod find;
pub mod hash;
mod json_string;
mod lanes;
pub mod markdown_code;
mod saved_text;
mod search;
mod size;
mod utf16;
pub mod utf8;
pub mod white_space;
mod windows;

pub use brackets::Brackets;
pub use changing_words::may_hold_time;
pub use compact::Builder;
pub use compact::Text;
pub use earlier_endings::find_seed;
pub use ends::{first_units, last_units};
pub use excerpt::{excerpt, excerpt_units};
pub use find::{find_at_sign, find_code_mark, find_last_less, find_mark, find_newline};
pub use json_string::push_character;
pub use saved_text::serialize_json;
pub use search::{contains, contains_rotation};
pub use size::Size;
pub use utf16::{exact, lossy, push_le_bytes_of, push_units_of, units_from_le_bytes};
pub use windows::Windows;
