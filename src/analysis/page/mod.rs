//! Everything that the web page shows of saved sessions: it pushes a file's bytes, and gets its answers as JSON, whose
//! shapes are in `www/src/worker/shapes.ts`.
//!
//! Work on a session goes on in slices, between which the page can be told how far it is, or give it up.
//!
//! | file | |
//! |---|---|
//! | `session.rs` | a session that is read, and held for all that is asked of it |
//! | `kept.rs` | its records, which borrow nothing |
//! | `judgement.rs` | its report by some rules, and the list of its events |
//! | `rows.rs`, `events.rs` | the rows of that list, and their texts |
//! | `plays.rs` | where a profile would have nudged or stopped the agent |
//! | `folder.rs` | a folder of sessions |
//! | `repair.rs` | a history before and after a repair, and the repaired file |
//! | `blocks.rs`, `strip.rs` | the blocks of its messages, and the picture of all of them |
//! | `saved_page.rs` | a session's report as a page of its own |
//! | `tool_shares.rs` | the tools of a session by the room that they took |
//! | `kind_tokens.rs` | their tokens by kind, so that what is shown adds up |

mod blocks;
mod cut;
mod events;
mod folder;
mod judgement;
mod kept;
mod kind_tokens;
mod plays;
mod repair;
mod rows;
mod saved_page;
mod session;
mod strip;
#[cfg(test)]
mod tests;
mod tool_shares;

pub use self::folder::FolderAudit;
pub use self::judgement::Judgement;
pub use self::plays::Play;
pub use self::repair::{PageRepair, Wanted};
pub use self::session::{PageSession, Refused};
