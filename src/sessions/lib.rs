//! Reads the sessions that coding agents save: bytes in, records out, without I/O.
//!
//! | file | |
//! |---|---|
//! | `record.rs` | what a value of a session says |
//! | `format.rs` | the formats, and the reader that each has |
//! | `items.rs` | the items that readers make records of |
//! | `usage.rs` | the tokens and the money that values record |
//! | `formats/` | a file a format |

mod format;
mod formats;
mod items;
mod record;
mod usage;

pub use self::format::{Format, RecordReader};
pub use self::record::{Facts, Item, Piece, Record, Said, Speaker, Unreadable, Usage};
