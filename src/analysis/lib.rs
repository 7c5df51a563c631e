//! The cost of coding agents' saved sessions, and the part of it that was wasted: records in, reports out, without I/O.
//!
//! | file | |
//! |---|---|
//! | `report.rs` | what an audit says, which is its JSON |
//! | `session.rs`, `audited.rs` | looks at a session record by record; and the session that was looked at |
//! | `usage_audit.rs`, `facts.rs` | looks at it for its usage alone; and the facts of a session as a whole |
//! | `sum.rs`, `parts.rs`, `marks.rs` | adds sessions up, each thing for the session that did it |
//! | `groups.rs` | the same by day, model and so on |
//! | `usage.rs`, `requests.rs` | what answers used, and what the texts tell where that is not recorded |
//! | `prices.rs`, `prices.json`, `model_name.rs` | the prices of tokens, and the names of models |
//! | `loops.rs`, `rereads.rs`, `pauses.rs`, `saveable.rs` | what could have been saved |
//! | `outdated.rs` | what newer messages of a history say better |
//! | `findings.rs` | on what most went |
//! | `repair/` | repairs saved histories |
//! | `commands.rs`, `timeline.rs`, `tools.rs`, `words.rs` | the work and the words of events |
//! | `player.rs`, `comparison.rs`, `verdict.rs`, `profile.rs` | plays a session through loop detectors |
//! | `page/` | everything that the web page asks for |
//! | `view/`, `audit_words.rs`, `wording.rs`, `plain_text.rs`, `quoting.rs` | how all of it is shown |

pub mod agents;
pub mod audit_words;
pub mod audited;
mod commands;
pub mod comparison;
mod facts;
pub mod findings;
mod format_name;
pub mod groups;
mod loops;
mod marks;
mod model_name;
pub mod outdated;
pub mod page;
mod parts;
mod pauses;
pub mod plain_text;
pub mod player;
pub mod prices;
pub mod profile;
pub mod quoting;
pub mod repair;
pub mod report;
mod requests;
mod rereads;
mod saveable;
#[cfg(test)]
mod schema;
pub mod session;
pub mod sum;
pub mod timeline;
pub mod tools;
pub mod twins;
mod usage;
pub mod usage_audit;
pub mod verdict;
pub mod view;
#[cfg(test)]
mod whole_sessions;
pub mod wording;
mod words;
