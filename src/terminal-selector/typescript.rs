//! The shapes that the terminal selector and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::javascript::PathOptions;
use crate::*;

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::strings::<PathRelation>(config);
    file += &declare::<PathOptions>(config);
    file += &enums::strings::<Shell>(config);
    file += &enums::strings::<Reachable>(config);
    file += &enums::strings::<DirectoryCertainty>(config);
    file += &declare::<TerminalSelectorOptions>(config);
    file += &declare::<TerminalRegistration>(config);
    file += &declare::<UnknownDirectory>(config);
    file += &declare::<TerminalChange>(config);
    file += &declare::<TerminalState>(config);
    file += &declare::<TerminalRequest>(config);
    file += &enums::objects::<TerminalChoice>(config, "action");
    file
}
