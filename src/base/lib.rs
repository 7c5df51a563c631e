//! The code that the machines of Turnkeeper share. Hosts use the machines' crates, or `turnkeeper-core`, which
//! has all.
//!
//! | module | what is in it |
//! |---|---|
//! | [`text`] | UTF-16, excerpts, search, hashes, Markdown code, and the loops that must be fast |
//! | [`options`] | reads every machine's options, strictly, and names what is wrong |
//! | [`error`], [`diagnostic`] | what a call refuses; problems in what people write |
//! | [`json`] | JSON, read and written as JavaScript does |
//! | [`snapshot`] | the envelope of every snapshot |
//! | [`newest`] | lists of which the oldest gives way |
//! | [`order`] | sorting and maps, compiled once |
//! | [`path`] | the platforms, and the limit of a path |
//! | `boundary` | how values cross to JavaScript, behind the feature `wasm` |
//! | `typescript` | how their shapes become TypeScript, behind the feature `typescript` |

#[cfg(feature = "wasm")]
pub mod boundary;
pub mod diagnostic;
pub mod error;
pub mod json;
mod names;
pub mod newest;
pub mod options;
pub mod order;
pub mod path;
pub mod snapshot;
pub mod sorted_map;
pub mod tag;
pub mod text;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use crate::error::{Error, ErrorCode};
pub use crate::options::{AtLeastZero, Count, Share, Threshold};
pub use crate::path::PathPlatform;
