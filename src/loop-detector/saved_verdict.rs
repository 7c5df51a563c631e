//! A verdict in a snapshot: data by position, where JSON has names.

use serde::{Deserialize, Serialize};

use super::report::{Channel, LoopReport, LoopType, LoopVerdict, RuleNames, Wasted};
use turnkeeper_base::snapshot::Corrupt;

/// A verdict without its profile, which is that of the detector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedVerdict(Option<SavedReport>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SavedReport {
    is_stop: bool,
    loop_type: LoopType,
    /// By its name, for builds have other rules.
    rule: String,
    tool: Option<String>,
    call_key: Option<String>,
    count: u64,
    threshold: u64,
    period: Option<u64>,
    strike: u64,
    channel: Option<Channel>,
    first_index: u64,
    last_index: u64,
    wasted: Wasted,
    evidence: String,
    fact: String,
    message: String,
    feedback: String,
}

impl SavedVerdict {
    /// The part of a verdict that is saved.
    pub(crate) fn of<R: RuleNames, P>(verdict: &LoopVerdict<R, P>) -> Self {
        Self(verdict.report().map(|report| SavedReport {
            is_stop: verdict.is_stop(),
            loop_type: report.loop_type,
            rule: report.rule.to_string(),
            tool: report.tool.clone(),
            call_key: report.call_key.clone(),
            count: report.count,
            threshold: report.threshold,
            period: report.period,
            strike: report.strike,
            channel: report.channel,
            first_index: report.first_index,
            last_index: report.last_index,
            wasted: report.wasted,
            evidence: report.evidence.clone(),
            fact: report.fact.clone(),
            message: report.message.clone(),
            feedback: report.feedback.clone(),
        }))
    }

    #[cfg(test)]
    pub(crate) fn rename_rule(&mut self, name: &str) {
        self.0.as_mut().expect("a report").rule = name.to_owned();
    }

    /// The verdict, of a detector with this profile; `ok` if a rule gave it that this build does not know.
    pub(crate) fn load<R: RuleNames, P: Default>(
        self,
        profile: P,
    ) -> Result<LoopVerdict<R, P>, Corrupt> {
        let Some(saved) = self.0 else {
            return Ok(LoopVerdict::Ok);
        };
        let Some(rule) = rule_named(&saved.rule) else {
            return Ok(LoopVerdict::Ok);
        };
        let report = Box::new(LoopReport {
            loop_type: saved.loop_type,
            rule,
            profile,
            tool: saved.tool,
            call_key: saved.call_key,
            count: saved.count,
            threshold: saved.threshold,
            period: saved.period,
            strike: saved.strike,
            channel: saved.channel,
            first_index: saved.first_index,
            last_index: saved.last_index,
            wasted: saved.wasted,
            evidence: saved.evidence,
            fact: saved.fact,
            message: saved.message,
            feedback: saved.feedback,
        });
        Corrupt::unless(report.is_consistent())?;
        Ok(match saved.is_stop {
            true => LoopVerdict::Stop { report },
            false => LoopVerdict::Nudge { report },
        })
    }
}

fn rule_named<R: RuleNames>(name: &str) -> Option<R> {
    let mut rules = R::NAMES.iter().copied();
    rules.find(|rule| rule.to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoopProfile, RuleName};

    #[test]
    fn a_verdict_survives_and_one_that_no_rule_gives_is_refused() {
        let mut report: Box<LoopReport> =
            LoopReport::new(LoopType::Monologue, RuleName::IdleMessages);
        report.channel = Some(Channel::Reasoning);
        report.period = Some(3);
        report.fact = "A message came 3 times.".to_owned();
        report.feedback = "Look up.".to_owned();
        let verdicts = [
            LoopVerdict::Ok,
            LoopVerdict::Nudge {
                report: report.clone(),
            },
            LoopVerdict::Stop {
                report: report.clone(),
            },
        ];
        for verdict in verdicts {
            let saved = SavedVerdict::of(&verdict);
            assert_eq!(saved.load(report.profile), Ok(verdict));
        }
        report.channel = None;
        let saved = SavedVerdict::of(&LoopVerdict::Stop { report });
        assert_eq!(
            saved.load::<RuleName, _>(LoopProfile::Standard),
            Err(Corrupt)
        );
    }
}
