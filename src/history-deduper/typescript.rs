//! The shapes that the history deduper and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use turnkeeper_messages::{TOOLS_IN_TEXT, known_tools};

use crate::*;

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::strings::<KeepBlock>(config);
    file += &enums::strings::<KeepSections>(config);
    file += &enums::strings::<KeepFiles>(config);
    file += &enums::strings::<Economy>(config);
    file += &declare::<CachePrices>(config);
    file += &declare::<CacheState>(config);
    file += &declare::<DedupeOptions>(config);
    file += &declare::<DedupeSettings>(config);
    file += &declare::<FreshBlock>(config);
    file += &declare::<BlockPlacement>(config);
    file += &enums::strings::<DedupeReason>(config);
    file += &declare::<DedupeChange>(config);
    file += &declare::<KindTotals>(config);
    file += &declare::<DedupeKinds>(config);
    file += &enums::strings::<SupersededKind>(config);
    file += &enums::strings::<CopySource>(config);
    file += &declare::<PlaceKey>(config);
    file += &declare::<Place>(config);
    file += &declare::<Superseded>(config);
    file += &declare::<DedupeWaiting>(config);
    file += &declare::<DedupeReport>(config);
    file + &tools()
}

/// The tables of tools, which the readers of messages and sessions in TypeScript have from here.
fn tools() -> String {
    let mut kinds: Vec<&str> = known_tools().map(|(_, kind)| kind.name()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let kinds: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
    let known = known_tools().map(|(name, kind)| format!("  [\"{name}\", \"{}\"],\n", kind.name()));
    let in_text = TOOLS_IN_TEXT.iter().map(|name| format!("  \"{name}\",\n"));
    format!(
        "\n/** The work of a tool of the agents that there are. */\n\
         export type KnownTool = {};\n\
         \n/** The tools of the agents that there are, in lower case without `_` and `-`. */\n\
         export const KNOWN_TOOLS: readonly (readonly [string, KnownTool])[] = [\n{}];\n\
         \n/**\n * The tools that Cline, Roo Code and Kilo Code have had as tags in a text; any other name in angle\n \
         * brackets is text.\n */\n\
         export const TOOLS_IN_TEXT: readonly string[] = [\n{}];\n",
        kinds.join(" | "),
        known.collect::<String>(),
        in_text.collect::<String>(),
    )
}
