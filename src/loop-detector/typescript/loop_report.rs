//! A loop's report, as TypeScript: what there is in it follows from what the loop is made of.
//!
//! Rust has one struct for all reports, whose fields are options. The union that JavaScript gets says
//! which of them are there; `LoopReport::is_consistent` holds every report to it.

use turnkeeper_base::typescript::{Config, TS};

use crate::report::RuleNames;
use crate::{Channel, LoopProfile, LoopType, RuleName, Subject, Wasted};

/// What every report says.
#[derive(TS)]
#[ts(rename_all = "camelCase")]
#[allow(dead_code)]
struct LoopReportFields {
    /// The profile that the rule belongs to.
    #[ts(type = "LoopProfile | PeerProfile")]
    profile: LoopProfile,
    /// How many repeats were counted; for `model_check` the turns of the prompt, or in doubt its calls.
    #[ts(type = "number")]
    count: u64,
    /// The count at which the rule fires.
    #[ts(type = "number")]
    threshold: u64,
    /// Which detection in this prompt this is, counting from 1; `clear()` does not reset it.
    #[ts(type = "number")]
    strike: u64,
    /// What has been spent since the loop began, the event that fired included; nothing where it is
    /// not known when it began.
    wasted: Wasted,
    /// An excerpt of what repeats, or of the reasons for a judgement; at most 300 UTF-16 code units.
    evidence: String,
    /// What was found, as one sentence without advice, for a context that takes facts and no orders; at
    /// most 300 UTF-16 code units.
    fact: String,
    /// For the user, at most 500 UTF-16 code units.
    message: String,
    /// For the model's history: what was repeated, how often, and what to do differently; at most
    /// 2,000 UTF-16 code units.
    feedback: String,
}

/// Tool calls that repeat. Indexes count the calls of the prompt, from 0.
#[derive(TS)]
#[ts(rename_all = "camelCase")]
#[allow(dead_code)]
struct CallLoopReport {
    /// The way in which the agent is stuck.
    #[ts(rename = "type", type = "CallLoopType")]
    loop_type: LoopType,
    /// The rule that fired.
    #[ts(type = "CallRule | PeerCallRule")]
    rule: RuleName,
    /// The tool of the last call.
    tool: String,
    /// SHA-256 over `name:arguments` of that call, the arguments as JSON with sorted keys: 64
    /// lower-case hexadecimal characters.
    call_key: String,
    /// How many calls a round has; left out if it is one.
    #[ts(optional, type = "number")]
    period: Option<u64>,
    /// The call with which the repeats begin.
    #[ts(type = "number")]
    first_index: u64,
    /// The call at which the rule fired.
    #[ts(type = "number")]
    last_index: u64,
    /// Only reports about text have it.
    #[ts(optional, type = "undefined")]
    channel: Option<Channel>,
}

/// Text that repeats. Indexes are offsets into the prompt's prose, or into its reasoning, in UTF-16
/// code units.
#[derive(TS)]
#[ts(rename_all = "camelCase")]
#[allow(dead_code)]
struct TextLoopReport {
    /// The way in which the agent is stuck.
    #[ts(rename = "type", type = "TextLoopType")]
    loop_type: LoopType,
    /// The rule that fired.
    #[ts(type = "TextRule | PeerTextRule")]
    rule: RuleName,
    /// Which text.
    channel: Channel,
    /// The length of what repeats, in UTF-16 code units; for messages that take turns, their number.
    #[ts(optional, type = "number")]
    period: Option<u64>,
    /// Where the repeats begin.
    #[ts(type = "number")]
    first_index: u64,
    /// The code unit at which the rule fired.
    #[ts(type = "number")]
    last_index: u64,
    /// Only reports about calls have it.
    #[ts(optional, type = "undefined")]
    tool: Option<String>,
    /// Only reports about calls have it.
    #[ts(optional, type = "undefined")]
    call_key: Option<String>,
}

/// The conversation goes in circles, as someone else judges: a model that was asked, or the
/// host's own detector.
#[derive(TS)]
#[ts(rename_all = "camelCase")]
#[allow(dead_code)]
struct JudgedLoopReport {
    /// The way in which the agent is stuck.
    #[ts(rename = "type", type = "JudgedLoopType")]
    loop_type: LoopType,
    /// What asked for the judgement.
    #[ts(type = "JudgedRule")]
    rule: RuleName,
    /// 0: it is about the whole prompt.
    #[ts(type = "number")]
    first_index: u64,
    /// The newest call of the prompt, counting from 0.
    #[ts(type = "number")]
    last_index: u64,
    /// Only reports about calls have it.
    #[ts(optional, type = "undefined")]
    tool: Option<String>,
    /// Only reports about calls have it.
    #[ts(optional, type = "undefined")]
    call_key: Option<String>,
    /// Only reports about calls and text have it.
    #[ts(optional, type = "undefined")]
    period: Option<u64>,
    /// Only reports about text have it.
    #[ts(optional, type = "undefined")]
    channel: Option<Channel>,
}

/// The declarations of all reports, and of the names that each can have.
pub(super) fn declarations(config: &Config) -> String {
    let mut file = String::new();
    for (subject, prefix, repeats) in [
        (Subject::Calls, "Call", "calls"),
        (Subject::Text, "Text", "text"),
        (Subject::Judgement, "Judged", "the whole conversation"),
    ] {
        let types = LoopType::ALL.iter().filter(|one| one.subject() == subject);
        let types = types.map(quoted).collect::<Vec<_>>().join(" | ");
        let rules = RuleName::ALL.iter();
        let rules = rules.filter(|one| one.subjects().contains(&subject));
        let rules = rules.map(quoted).collect::<Vec<_>>().join(" | ");
        file += &format!(
            "\n/** The types of a loop that is about {repeats}. */\n\
             export type {prefix}LoopType = {types};\n\
             \n/** The rules that report one. */\n\
             export type {prefix}Rule = {rules};\n"
        );
    }
    let all = [
        interface::<LoopReportFields>(config, ""),
        interface::<CallLoopReport>(config, " extends LoopReportFields"),
        interface::<TextLoopReport>(config, " extends LoopReportFields"),
        interface::<JudgedLoopReport>(config, " extends LoopReportFields"),
    ];
    file += &all.concat();
    file += "\n/** Why an agent was found stuck; `type` tells what it is about. */\n\
             export type LoopReport = CallLoopReport | TextLoopReport | JudgedLoopReport;\n";
    file
}

fn interface<T: TS>(config: &Config, extends: &str) -> String {
    let docs = T::docs().expect("every shape is documented");
    format!(
        "\n{}\nexport interface {}{extends} {}\n",
        docs.trim_end(),
        T::name(config),
        T::inline(config)
    )
}

/// A name as TypeScript writes it.
fn quoted(name: &impl serde::Serialize) -> String {
    serde_json::to_string(name).expect("a name is a string")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LoopReport;

    /// The names of the properties that a declaration has.
    fn properties(declaration: &str) -> Vec<String> {
        let lines = declaration.lines().map(str::trim);
        let code = lines.filter(|line| !line.starts_with(['/', '*']));
        let code = code.collect::<Vec<_>>().join(" ");
        let mut names: Vec<String> = code
            .split(['{', ',', '}'])
            .filter_map(|property| property.split_once(':'))
            .map(|(name, _)| {
                name.trim()
                    .trim_end_matches('?')
                    .trim_matches('"')
                    .to_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn every_report_has_the_fields_of_rusts() {
        let config = Config::default();
        let common = LoopReportFields::inline(&config);
        let expected = properties(&<LoopReport>::inline(&config));
        assert!(expected.contains(&"callKey".to_owned()), "{expected:?}");
        for (name, shape) in [
            ("CallLoopReport", CallLoopReport::inline(&config)),
            ("TextLoopReport", TextLoopReport::inline(&config)),
            ("JudgedLoopReport", JudgedLoopReport::inline(&config)),
        ] {
            let mut all = properties(&common);
            all.extend(properties(&shape));
            all.sort();
            assert_eq!(all, expected, "{name}");
        }
    }
}
