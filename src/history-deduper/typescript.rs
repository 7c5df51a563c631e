//! The shapes that the history deduper and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};

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
    file += &declare::<Superseded>(config);
    file += &declare::<DedupeWaiting>(config);
    file += &declare::<DedupeReport>(config);
    file
}
