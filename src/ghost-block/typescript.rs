//! What the ghost-block assembler and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::{
    AssemblerOptions, ContextItem, Diagnostic, ItemOrigin, ItemType, OriginSource, Placement,
    Reference, ReferenceKind, RememberTools,
};

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::strings::<Placement>(config);
    file += &enums::strings::<RememberTools>(config);
    file += &declare::<AssemblerOptions>(config);
    file += &enums::strings::<ItemType>(config);
    file += &enums::strings::<OriginSource>(config);
    file += &declare::<ItemOrigin>(config);
    file += &declare::<ContextItem>(config);
    file += &enums::strings::<ReferenceKind>(config);
    file += &declare::<Reference>(config);
    file += &declare::<Diagnostic>(config);
    file
}
