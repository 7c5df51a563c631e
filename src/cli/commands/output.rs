//! The output of all commands.

pub(crate) use crate::terminal::output::{BAD_INPUT, Output};
