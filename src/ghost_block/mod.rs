//! draft
#![allow(missing_docs, dead_code)]
pub(crate) mod json;
pub(crate) mod paths;
pub(crate) mod syntax;
pub(crate) mod text;
