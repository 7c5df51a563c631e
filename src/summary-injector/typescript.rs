//! The shapes that the summary injector and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::*;

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &declare::<InjectorTexts>(config);
    file += &declare::<SummaryInjectorOptions>(config);
    file += &enums::strings::<SummaryEvent>(config);
    file += &declare::<SummaryLogEntry>(config);
    file += &declare::<CurrentTurn>(config);
    file += &declare::<FoldRequest>(config);
    file += &declare::<SummaryRequest>(config);
    file += &enums::strings::<DiagnosticCode>(config);
    file
}
