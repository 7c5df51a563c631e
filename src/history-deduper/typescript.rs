//! The shapes that the history deduper and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

use turnkeeper_messages::TOOLS_IN_TEXT;
use turnkeeper_messages::openai::{HOST_CALLS, OTHER_ITEMS, PROVIDER_CALLS};
use turnkeeper_messages::tool_output::MEDIA;

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
    file + &tables()
}

/// The tables that the readers of messages in TypeScript have from here.
fn tables() -> String {
    let tables: [(&str, &str, &[&str]); 5] = [
        (
            "TOOLS_IN_TEXT",
            "The tools that Cline, Roo Code and Kilo Code have had as tags in a text; any other name in angle\n \
             * brackets is text.",
            &TOOLS_IN_TEXT,
        ),
        (
            "HOST_CALLS",
            "The calls of OpenAI's Responses that the host runs, without `_call`.",
            &HOST_CALLS,
        ),
        (
            "PROVIDER_CALLS",
            "Those that the provider runs, which have their results in themselves.",
            &PROVIDER_CALLS,
        ),
        (
            "OTHER_ITEMS",
            "The other items of the Responses that are not messages.",
            &OTHER_ITEMS,
        ),
        (
            "MEDIA",
            "The fields in which the providers' parts have the bytes of a picture or a file, or its address.",
            &MEDIA,
        ),
    ];
    let declared = tables.map(|(name, about, of)| {
        format!("\n/**\n * {about}\n */\nexport const {name}: readonly string[] = {of:?};\n")
    });
    declared.concat()
}
