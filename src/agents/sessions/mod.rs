//! Reads the sessions that coding agents save, in every format of theirs: bytes in, records out, without I/O.
//!
//! | file | |
//! |---|---|
//! | `reader/` | reads a file: the promises are there |
//! | `container.rs` | how a file is built |
//! | `cut/` | cuts a file into its values, and tells what is broken |
//! | `values.rs` | waits until the values say whose they are, and makes records of them |
//! | `recogniser.rs` | whose session it is, from its values |
//! | `format.rs` | the formats, and the reader that each has |
//! | `record.rs` | what a value of a session says |
//! | `items.rs`, `given.rs` | the items that readers make records of, of fields that agents wrote |
//! | `usage.rs`, `tokens.rs` | the tokens and the money that values record |
//! | `key.rs` | by what copies of a record are known |
//! | `time.rs`, `exit_code.rs` | what agents write of times, and of how commands ended |
//! | `detect.rs`, `history.rs` | the format of a file's beginning, and the events of messages that are held |
//! | `batch.rs`, `long_texts.rs`, `wasm/`, `typescript.rs` | all this for JavaScript |

mod batch;
mod container;
mod cut;
mod detect;
pub(crate) mod exit_code;
pub(crate) mod format;
pub(crate) mod given;
mod history;
mod input_error;
pub(crate) mod items;
pub(crate) mod key;
mod long_texts;
mod reader;
mod recogniser;
pub(crate) mod record;
pub(crate) mod time;
pub(crate) mod tokens;
#[cfg(feature = "typescript")]
pub mod typescript;
pub(crate) mod usage;
mod values;

pub use self::batch::Batches;
pub use self::detect::detect_format;
pub use self::format::{Format, RecordReader};
pub use self::history::{HistoryError, HistoryReader, events_of};
pub use self::input_error::{InputError, InputFailure};
pub use self::reader::SessionReader;
pub use self::record::{Facts, Item, Piece, Record, Said, Speaker, Unreadable, Usage};
pub use crate::openhands::reader::is_openhands_event;
