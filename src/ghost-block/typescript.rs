//! The shapes that the ghost-block assembler and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::assembled::{AssembledPrompt, Image, PreparedSkill, ResolvedPrompt};
use crate::context_item::{ContextItem, ItemType};
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::history::ScannedHistory;
use crate::host_request::HostRequest;
use crate::inspect::PreprocessedText;
use crate::options::{AssemblerOptions, Placement, RememberTools};
use crate::origin::{ItemOrigin, OriginSource};
use crate::syntax::reference::{Reference, ReferenceKind};

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
