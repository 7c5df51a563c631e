//! The terminal: its width and colours, tables, and a bar that is out of the way of what is written.

pub(crate) mod bar;
pub(crate) mod columns;
pub(crate) mod output;
pub(crate) mod table;
