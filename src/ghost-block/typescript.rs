//! The shapes that the ghost-block assembler and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::host_request::HostRequest;
use crate::*;

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    [
        enums::strings::<Placement>(config),
        enums::strings::<RememberTools>(config),
        declare::<AssemblerOptions>(config),
        enums::objects::<HostRequest>(config, "method"),
        enums::strings::<ItemType>(config),
        enums::strings::<OriginSource>(config),
        declare::<ItemOrigin>(config),
        declare::<ContextItem>(config),
        enums::strings::<ReferenceKind>(config),
        declare::<Reference>(config),
        enums::strings::<DiagnosticCode>(config),
        declare::<Diagnostic>(config),
        declare::<Image>(config),
        declare::<AssembledPrompt>(config),
        declare::<ResolvedPrompt>(config),
        declare::<PreparedSkill>(config),
        declare::<PreprocessedText>(config),
        declare::<ScannedHistory>(config),
    ]
    .concat()
}
