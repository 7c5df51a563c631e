//! Watches the sessions of other people's coding agents: reads the events of their hooks, judges them, and answers
//! in each agent's words. Pure: it reads no clock, no environment and no file.
//!
//! A hook [reads](read) an event, and [answers](answer) it with what a [`Store`] has kept of the session. An agent's own
//! process has a [`Watch`], which keeps its sessions itself.
//!
//! | file | |
//! |---|---|
//! | `event.rs` | what an event means, and what can be answered to it |
//! | `fields.rs`, `dialect.rs` | lenient reading of payloads, and what the dialects have in common |
//! | `judge.rs` | what is said: the same for every agent |
//! | `prompts.rs`, `requests.rs`, `subagents.rs` | where prompts, requests and subagents begin |
//! | `repeats.rs` | results that the context has already |
//! | `ledger.rs` | what is told after a compaction |
//! | `record.rs` | what is kept of a session between two of its events |
//! | `settings.rs` | `turnkeeper.json` |
//! | `hook.rs`, `in_process.rs` | the two ways to watch |

pub(crate) mod dialect;
pub(crate) mod event;
pub(crate) mod fields;
mod hook;
mod in_process;
mod judge;
mod ledger;
mod log;
mod prompts;
mod record;
mod repeats;
mod requests;
mod settings;
#[cfg(feature = "setup")]
pub mod setup;
mod subagents;
#[cfg(test)]
pub(crate) mod testing;
mod words;

pub use self::dialect::Dialect;
pub use self::event::{Event, FinishedCall, Happening, Mode, Reply, Requests, Results};
pub use self::hook::{Payload, Setting, Store, WatchError, answer, read};
pub use self::in_process::{Heard, Watch};
pub use self::log::{Done, LogLine};
pub use self::settings::{Owner, SETTINGS_FILE, Threshold, UserSettings};
