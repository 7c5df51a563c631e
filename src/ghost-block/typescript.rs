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
    list_reference_kinds(&mut file);
    file
}

fn list_reference_kinds(file: &mut String) {
    let kinds = ReferenceKind::ALL.map(|kind| format!("{kind:?}").to_lowercase());
    file.push_str(&format!(
        "\n/** The kinds of references, each at its number. */\n\
         export const REFERENCE_KINDS = {kinds:?} as const;\n"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_at_its_number() {
        for (number, kind) in ReferenceKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }
}
