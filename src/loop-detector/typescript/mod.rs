//! The shapes that the loop detector and JavaScript exchange, as TypeScript.

mod loop_report;

use turnkeeper_base::typescript::{Config, TS, declare, enums};

use crate::detecting::DetectorSettings;
use crate::{
    AgentEvent, Channel, Counts, LoopDetectorOptions, LoopProfile, LoopType, LoopVerdict,
    MessageTexts, ModelCheckOptions, ModelCheckRequest, PromptInfo, RuleName, ToolLists, Wasted,
};

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::objects::<AgentEvent>(config, "type");
    file += &event_names(config);
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

/// The types of events and the names of their fields, by which JavaScript tells what is no event.
fn event_names(config: &Config) -> String {
    let declared = without_comments(&AgentEvent::inline(config));
    let (mut types, mut fields) = (Vec::new(), vec!["type"]);
    for variant in declared.split("{ \"type\": \"").skip(1) {
        let (name, rest) = variant.split_once('"').expect("a type ends");
        types.push(name);
        let of_variant = rest.split(',').filter_map(|field| field.split_once(':'));
        for (field, _) in of_variant {
            let field = field.trim().trim_end_matches('?');
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
    }
    format!(
        "\n/** All types of events. */\n\
         export const EVENT_TYPES: readonly AgentEvent[\"type\"][] = {types:?};\n\
         \n/** The fields that an event may have. */\n\
         export const EVENT_FIELDS: readonly string[] = {fields:?};\n"
    )
}

fn without_comments(text: &str) -> String {
    let mut pieces = text.split("/**");
    let first = pieces.next().expect("a split has a first part").to_owned();
    let rest = pieces.filter_map(|piece| piece.split_once("*/"));
    rest.fold(first, |all, (_, code)| all + code)
}
