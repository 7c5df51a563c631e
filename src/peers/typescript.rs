//! The shapes that a peer's detector and JavaScript exchange, as TypeScript.

use turnkeeper_base::typescript::{Config, declare, enums};
use turnkeeper_loop_detector::{RuleNames, Subject};

use crate::{ClineOptions, DeepvOptions, GeminiCliOptions, PeerProfile, PeerRule, RooOptions};

/// The shapes of this crate.
pub fn declarations(config: &Config) -> String {
    let mut file = String::new();
    file += &enums::strings::<PeerProfile>(config);
    for (subject, name, repeats) in [
        (Subject::Calls, "PeerCallRule", "calls"),
        (Subject::Text, "PeerTextRule", "text"),
    ] {
        let rules = PeerRule::NAMES.iter();
        let rules = rules.filter(|rule| rule.subjects().contains(&subject));
        let rules: Vec<String> = rules.map(|rule| format!("\"{rule}\"")).collect();
        file += &format!(
            "\n/** The rules of these agents that report a loop that is about {repeats}. */\n\
             export type {name} = {};\n",
            rules.join(" | ")
        );
    }
    file += &declare::<GeminiCliOptions>(config);
    file += &declare::<DeepvOptions>(config);
    file += &declare::<RooOptions>(config);
    file += &declare::<ClineOptions>(config);
    file += "\n/** The options of a peer's detector: an agent, and what its detection has. */\n";
    file += "export type PeerOptions =\n";
    for profile in PeerProfile::ALL {
        let name = serde_json::to_string(profile).expect("a name is a string");
        file += &format!("  | ({{ profile: {name} }} & {profile:?}Options)\n");
    }
    file.truncate(file.trim_end().len());
    file += ";\n";
    file
}
