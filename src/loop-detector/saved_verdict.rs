//! A verdict in a snapshot: data by position, where JSON has names.

use serde::{Deserialize, Serialize};

use super::report::{Channel, LoopReport, LoopType, LoopVerdict, RuleNames, Wasted};
use turnkeeper_base::snapshot::Corrupt;

/// Declares the saved form of a report, whose fields these are, and how each becomes the other.
macro_rules! saved_report {
    ($($field:ident: $type:ty,)*) => {
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        struct SavedReport {
            is_stop: bool,
            loop_type: LoopType,
            /// By its name, for builds have other rules.
            rule: String,
            $($field: $type,)*
        }

        impl SavedReport {
            fn of<R: RuleNames, P>(report: &LoopReport<R, P>, is_stop: bool) -> Self {
                Self {
                    is_stop,
                    loop_type: report.loop_type,
                    rule: report.rule.to_string(),
                    $($field: report.$field.clone(),)*
                }
            }

            fn load<R, P>(self, rule: R, profile: P) -> Box<LoopReport<R, P>> {
                Box::new(LoopReport {
                    loop_type: self.loop_type,
                    rule,
                    profile,
                    $($field: self.$field,)*
                })
            }
        }
    };
}

saved_report! {
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

/// A verdict without its profile, which is that of the detector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedVerdict(Option<SavedReport>);

impl SavedVerdict {
    /// The part of a verdict that is saved.
    pub(crate) fn of<R: RuleNames, P>(verdict: &LoopVerdict<R, P>) -> Self {
        let report = verdict.report();
        Self(report.map(|report| SavedReport::of(report, verdict.is_stop())))
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
        let mut rules = R::NAMES.iter().copied();
        let Some(rule) = rules.find(|rule| rule.to_string() == saved.rule) else {
            return Ok(LoopVerdict::Ok);
        };
        let is_stop = saved.is_stop;
        let report = saved.load(rule, profile);
        Corrupt::unless(report.is_consistent())?;
        Ok(match is_stop {
            true => LoopVerdict::Stop { report },
            false => LoopVerdict::Nudge { report },
        })
    }
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
