//! Watches the sessions of other people's coding agents: reads the events of their hooks, judges them, and answers
//! in each agent's words. Pure: it reads no clock, no environment and no file.

pub mod agents;
pub mod mode;
#[cfg(feature = "setup")]
pub mod setup;
