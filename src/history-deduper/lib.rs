//! The history deduper says which of the blocks that a host adds to its user messages go, stay or move,
//! and which contents of files a newer copy in the history supersedes.
//!
//! Hosts append the state of the editor to each user message, as a block such as
//! `<environment_details>…</environment_details>`. When a task is resumed, outdated blocks are
//! still there. A [`HistoryDeduper`] leaves one in each message, at the end. Its promise:
//!
//! - only blocks go: no other character of a message changes, and a quotation is no block;
//! - no message loses all of its content;
//! - a repaired history stays as it is when it is repaired again.
//!
//! [`dedupe_history`] repairs a history of JSON messages. A host with messages of another form picks out the
//! [texts](CandidateText) that may hold blocks, and applies the [edits](PartEdit), which speak of parts and of ranges of
//! UTF-16 code units:
//!
//! ```
//! use turnkeeper_history_deduper::{MessagePosition, UserMessage, apply_to_text_parts};
//! use turnkeeper_history_deduper::{DedupeOptions, HistoryDeduper};
//!
//! let parts = [
//!     "<task>Fix the build.</task>",
//!     "<environment_details>outdated</environment_details>",
//!     "<environment_details>fresh</environment_details>",
//! ];
//! let mut deduper = HistoryDeduper::new(DedupeOptions::default())?;
//! let first = MessagePosition { index: 0, user_index: 0 };
//! let edits = deduper.push(first, &UserMessage::from_text_parts(&parts));
//!
//! assert_eq!(apply_to_text_parts(&edits, &parts), [parts[0], parts[2]]);
//! assert_eq!(deduper.report().blocks_removed, 1);
//! # Ok::<(), turnkeeper_history_deduper::Error>(())
//! ```

mod compaction;
mod deduper;
mod edits;
mod elements;
mod files;
mod history;
mod history_edits;
mod message;
mod message_blocks;
mod message_tokens;
mod newest;
mod options;
mod packed_edits;
mod pushed_blocks;
mod reading;
mod report;
mod sections;
pub mod shapes;
mod states;
mod superseded;
mod turn;
#[cfg(feature = "typescript")]
pub mod typescript;
mod whole_history;

pub use self::deduper::{DedupeSettings, HistoryDeduper};
pub use self::edits::{
    MessageEdits, PartChange, PartEdit, TextRanges, apply_to_parts, apply_to_text,
    apply_to_text_parts,
};
pub use self::history::{DedupedHistory, HistoryReading, dedupe_history};
pub use self::history_edits::{HistoryEdits, MessageFate};
pub use self::message::{CandidateText, MessagePosition, TextPlace, UserMessage};
pub use self::options::{
    CachePrices, CacheState, DEFAULT_TAG, DedupeOptions, Economy, KeepBlock, KeepFiles,
    KeepSections,
};
pub use self::packed_edits::EditKind;
pub use self::reading::{CopySource, MessageRole, Place, PlaceKey};
pub use self::report::{
    DedupeChange, DedupeKinds, DedupeReason, DedupeReport, DedupeWaiting, KindTotals,
};
pub use self::superseded::{Superseded, SupersededKind};
pub use self::turn::{BlockPlacement, FreshBlock, OnExisting};
pub use turnkeeper_base::json;
pub use turnkeeper_base::text::Text;
pub use turnkeeper_base::{AtLeastZero, Count, Error, ErrorCode, PathPlatform};

pub(crate) const MACHINE: &str = "history_deduper";

/// What `wasm/` needs besides.
#[doc(hidden)]
pub mod javascript {
    pub use crate::packed_edits::packed;

    /// The machine that errors name.
    pub const MACHINE: &str = crate::MACHINE;
}
