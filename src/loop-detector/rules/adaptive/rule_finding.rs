//! The findings of the rules, and the one of several that counts.

use super::step_rule::{ActiveRule, Finding, StepRuleInfo};
use crate::report::LoopReport;
use crate::rules::{Action, Detection, RuleName};
use crate::texts::Texts;

/// Asks every rule. Of what they find, a stop comes first, and otherwise what the first rule found.
pub(super) fn first_of(
    rules: &mut [Box<dyn ActiveRule>],
    mut ask: impl FnMut(&mut dyn ActiveRule) -> Option<Finding>,
) -> Option<RuleFinding> {
    let mut best: Option<RuleFinding> = None;
    for rule in rules {
        let Some(finding) = ask(&mut **rule) else {
            continue;
        };
        let is_better = match &best {
            None => true,
            Some(best) => finding.is_stop && !best.finding.is_stop,
        };
        if is_better {
            best = Some(RuleFinding {
                finding,
                rule: rule.name(),
                info: rule.info(),
            });
        }
    }
    best
}

/// A finding, and the rule that it is of.
pub(super) struct RuleFinding {
    pub(super) finding: Finding,
    rule: RuleName,
    info: &'static StepRuleInfo,
}

impl RuleFinding {
    /// A report of what the finding says.
    pub(super) fn report(&self) -> Box<LoopReport> {
        let Self {
            finding,
            rule,
            info,
        } = self;
        let mut report = LoopReport::new(info.loop_type, *rule);
        report.count = finding.count;
        report.threshold = finding.threshold;
        report.first_index = finding.first_index;
        report.period = finding.period;
        report
    }

    pub(super) fn detection(self, report: Box<LoopReport>) -> Detection {
        let StepRuleInfo {
            message, feedback, ..
        } = *self.info;
        Detection {
            action: match self.finding.is_stop {
                true => Action::Stop,
                false => Action::Nudge,
            },
            report,
            texts: Texts { message, feedback },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::STEP_RULES;
    use super::*;
    use crate::LoopProfile;

    #[test]
    fn of_two_findings_a_stop_comes_first_and_then_the_first_rule() {
        let options = LoopProfile::Adaptive.defaults();
        let rules = STEP_RULES.iter().filter_map(|entry| (entry.make)(&options));
        let mut rules: Vec<_> = rules.collect();
        let mut ask = |stops: &[usize], nudges: &[usize]| {
            let mut place = 0;
            let found = first_of(&mut rules, |_| {
                place += 1;
                let is_stop = stops.contains(&(place - 1));
                (is_stop || nudges.contains(&(place - 1))).then_some(Finding {
                    is_stop,
                    threshold: 1,
                    count: 1,
                    first_index: 0,
                    period: None,
                })
            });
            found.map(|found| found.rule)
        };
        assert_eq!(ask(&[], &[]), None);
        let name = |place: usize| Some(STEP_RULES[place].name);
        assert_eq!(ask(&[], &[2, 5]), name(2));
        assert_eq!(ask(&[5, 6], &[2]), name(5));
    }
}
