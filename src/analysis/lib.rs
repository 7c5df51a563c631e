//! What the saved sessions of coding agents cost, and what of it was wasted: records in, reports out, without I/O.

pub mod audit_words;
pub mod groups;
pub mod outdated;
pub mod plain_text;
pub mod profile;
pub mod quoting;
pub mod repair;
pub mod report;
pub mod view;
pub mod wording;
