//! What the summary injector and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare};

use crate::{
    ContextPiece, CurrentTurn, FoldRequest, InjectorTexts, PromptOutline, StartedTurn,
    SummaryInjectorOptions, SummaryRequest, SystemPiece,
};

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &declare::<InjectorTexts>(config);
    file += &declare::<SummaryInjectorOptions>(config);
    file += &declare::<StartedTurn>(config);
    file += &declare::<ContextPiece>(config);
    file += &declare::<SystemPiece>(config);
    file += &declare::<PromptOutline>(config);
    file += &declare::<CurrentTurn>(config);
    file += &declare::<FoldRequest>(config);
    file += &declare::<SummaryRequest>(config);
    file
}
