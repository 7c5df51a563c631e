//! The shapes that a session and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare};

use crate::{SessionLogEntry, SessionState};

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    declare::<SessionState>(config) + &declare::<SessionLogEntry>(config)
}
