//! A loop's report, as TypeScript: what there is in it follows from what the loop is made of.
//!
//! Rust has one struct for all reports, whose fields are options. The union that JavaScript gets says
//! which of them are there; `LoopReport::is_consistent` holds every report to it.

use turnkeeper_base::typescript::{Config, TS};

use crate::report::RuleNames;
use crate::{LoopReport, LoopType, RuleName, Subject};

/// Reports about one subject.
struct Kind {
    subject: Subject,
    /// The start of its names.
    prefix: &'static str,
    about: &'static str,
    /// The subject in the middle of a sentence.
    repeats: &'static str,
    /// The rules of other agents' detectors that report one.
    of_peers: &'static str,
    /// The fields that these reports have, or lack, of those that not every report has.
    fields: &'static str,
}

const KINDS: [Kind; 3] = [
    Kind {
        subject: Subject::Calls,
        prefix: "Call",
        about: "Tool calls that repeat. Indexes count the calls of the prompt, from 0.",
        repeats: "calls",
        of_peers: " | PeerCallRule",
        fields: "tool: string; callKey: string; channel?: never;",
    },
    Kind {
        subject: Subject::Text,
        prefix: "Text",
        about: "Text that repeats. Indexes are offsets into the prompt's prose, or into its reasoning, in UTF-16 code \
                units.",
        repeats: "text",
        of_peers: " | PeerTextRule",
        fields: "channel: Channel; tool?: never; callKey?: never;",
    },
    Kind {
        subject: Subject::Judgement,
        prefix: "Judged",
        about: "The conversation goes in circles, as someone else judges: a model that was asked, or the host's own \
                detector.",
        repeats: "the whole conversation",
        of_peers: "",
        fields: "tool?: never; callKey?: never; period?: never; channel?: never;",
    },
];

/// The declarations of all reports, and of the names that each can have.
pub(super) fn declarations(config: &Config) -> String {
    let mut file = format!(
        "\n/** A report, whatever it is about. */\nexport interface LoopReportFields {}\n",
        <LoopReport>::inline(config)
    );
    file += &KINDS.iter().map(Kind::declarations).collect::<String>();
    file += "\n/** Why an agent was found stuck; `type` tells what it is about. */\n\
             export type LoopReport = CallLoopReport | TextLoopReport | JudgedLoopReport;\n";
    file
}

impl Kind {
    fn declarations(&self) -> String {
        let Self {
            subject,
            prefix,
            about,
            repeats,
            of_peers,
            fields,
        } = self;
        let types = LoopType::ALL.iter().filter(|one| one.subject() == *subject);
        let rules = RuleName::ALL.iter();
        let rules = rules.filter(|one| one.subjects().contains(subject));
        format!(
            "\n/** The types of a loop that is about {repeats}. */\n\
             export type {prefix}LoopType = {};\n\
             \n/** The rules that report one. */\n\
             export type {prefix}Rule = {};\n\
             \n/** {about} */\n\
             export interface {prefix}LoopReport extends LoopReportFields {{\n\
             type: {prefix}LoopType; rule: {prefix}Rule{of_peers}; {fields}\n}}\n",
            union_of(types),
            union_of(rules)
        )
    }
}

/// Names as TypeScript writes one of them.
fn union_of(names: impl Iterator<Item = impl serde::Serialize>) -> String {
    let quoted = names.map(|name| serde_json::to_string(&name).expect("a name is a string"));
    quoted.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_tells_only_of_fields_that_reports_have() {
        let all = <LoopReport>::inline(&Config::default());
        for kind in KINDS {
            for field in kind.fields.split_terminator(';') {
                let (name, _) = field.split_once(':').expect("a name and a type");
                let name = name.trim().trim_end_matches('?');
                assert!(all.contains(&format!("\n{name}?:")), "{name}: {all}");
            }
        }
    }
}
