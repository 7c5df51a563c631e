//! The shapes that the loop detector and JavaScript exchange, as TypeScript.

mod loop_report;

use turnkeeper_base::typescript::{Config, declare, enums};

use crate::detecting::DetectorSettings;
use crate::{
    AgentEvent, Channel, Counts, LoopDetectorOptions, LoopProfile, LoopType, LoopVerdict,
    MessageTexts, ModelCheckOptions, ModelCheckRequest, PromptInfo, RuleName, ToolLists, Wasted,
};

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::objects::<AgentEvent>(config, "type");
    file += &enums::strings::<LoopType>(config);
    file += &enums::strings::<RuleName>(config);
    file += &enums::strings::<LoopProfile>(config);
    file += &enums::strings::<Channel>(config);
    file += &declare::<Wasted>(config);
    file += &loop_report::declarations(config);
    file += &enums::objects::<LoopVerdict>(config, "action");
    file += &declare::<MessageTexts>(config);
    file += &declare::<ModelCheckOptions>(config);
    file += &declare::<ToolLists>(config);
    file += &declare::<LoopDetectorOptions>(config);
    file += &declare::<ModelCheckRequest>(config);
    file += &declare::<Counts>(config);
    file += &declare::<PromptInfo>(config);
    file += &declare::<DetectorSettings>(config);
    file
}
