//! The shapes that the history deduper and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use turnkeeper_messages::TOOLS_IN_TEXT;

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

/// The table of tools that the readers of messages in TypeScript have from here.
fn tools() -> String {
    let in_text = TOOLS_IN_TEXT.iter().map(|name| format!("  \"{name}\",\n"));
    format!(
        "\n/**\n * The tools that Cline, Roo Code and Kilo Code have had as tags in a text; any other name in angle\n \
         * brackets is text.\n */\n\
         export const TOOLS_IN_TEXT: readonly string[] = [\n{}];\n",
        in_text.collect::<String>(),
    )
}
