//! Reads the sessions that coding agents save: bytes in, records out, without I/O.
//!
//! | file | |
//! |---|---|
//! | `record.rs` | what a value of a session says |
//! | `format.rs` | the formats, and the reader that each has |
//! | `items.rs` | the items that readers make records of |
//! | `container.rs` | how a file is built |
//! | `recogniser.rs` | whose session it is, from its values |
//! | `time.rs`, `exit_code.rs` | what agents write of times, and of how commands ended |
//! | `formats/` | a file a format |

mod container;
mod exit_code;
mod format;
mod formats;
mod items;
mod pieces;
mod recogniser;
mod record;
mod time;

pub use self::format::{Format, RecordReader};
pub use self::record::{Facts, Item, Piece, Record, Said, Speaker, Unreadable, Usage};
