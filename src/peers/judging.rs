//! From an event to the verdict: every rule is asked, and one of what they found is told.

use crate::detector::PeerDetector;
use crate::rules::{Action, Context, Detection, Event, Restart};
use crate::settings::AfterFiring;
use crate::state::State;
use turnkeeper_loop_detector::{LoopVerdict, texts};

impl PeerDetector {
    /// Shows an event to every rule, and makes the verdict of what they say.
    pub(crate) fn judge(&mut self, event: &Event) {
        let is_stateless = self.settings.after_firing == AfterFiring::Stateless;
        // A message is compared anew with each delta, so a loop that it would make longer is one that held
        // before it began.
        let is_text = matches!(event, Event::Text { .. });
        let held_before = is_stateless && (self.state.is_held || (!is_text && self.holds()));
        let State { history, rules, .. } = &mut self.state;
        history.observe(event);
        let context = Context { history };
        // A stop before a nudge, and what is first in the list before what comes after it.
        let mut found: Option<(usize, Detection)> = None;
        for (place, rule) in rules.iter_mut().enumerate() {
            if let Some(detection) = rule.observe(event, &context)
                && found
                    .as_ref()
                    .is_none_or(|(_, best)| !best.is_stop() && detection.is_stop())
            {
                found = Some((place, detection));
            }
        }
        if is_stateless && !is_text {
            self.state.is_held = self.holds();
        }
        if held_before && !self.is_evidence(event) {
            // The loop goes on, but this event is none of it.
            return self.clear_verdict();
        }
        if is_stateless
            && let Some(holding) = self.state.rules.iter().position(|rule| rule.still_holds())
        {
            // The first stop that holds is the verdict, whatever else was found.
            let is_told_now = found.as_ref().is_some_and(|(place, _)| *place == holding);
            if !is_told_now {
                if self.state.verdict.is_stop() && self.state.verdict_rule == Some(holding) {
                    return;
                }
                let State { history, rules, .. } = &self.state;
                let again = rules[holding].tell_again(event, &Context { history });
                match again {
                    Some(detection) => found = Some((holding, detection)),
                    None if found.as_ref().is_none_or(|(_, best)| !best.is_stop()) => return,
                    None => {}
                }
            }
        }
        match found {
            Some((place, detection)) => {
                let is_call = matches!(event, Event::Call(_));
                if held_before && detection.is_stop() {
                    // A stop that goes on is the same detection.
                    self.state.prompt.strikes = self.state.prompt.strikes.saturating_sub(1);
                    self.state.verdict = LoopVerdict::Ok;
                    let feedback = std::mem::take(&mut self.feedback);
                    self.set_verdict(detection, Some(place), is_call);
                    self.feedback = feedback;
                } else {
                    self.set_verdict(detection, Some(place), is_call);
                }
            }
            None => self.clear_verdict(),
        }
    }

    fn holds(&self) -> bool {
        self.state.rules.iter().any(|rule| rule.still_holds())
    }

    /// Whether an event can be part of a loop of calls that goes on: a call, and where rules look at
    /// results, what comes of it.
    fn is_evidence(&self, event: &Event) -> bool {
        match event {
            Event::Call(_) => true,
            Event::Result(_) => self.looks_at_results,
            // Where condensations in a row are a loop of their own.
            Event::Condensation => self.settings.repeated_condensations.is_some(),
            _ => false,
        }
    }

    /// Makes a detection the verdict. `rule` is the place of the rule that found it; `is_call` says that
    /// the event is a call, which a stop holds back.
    pub(crate) fn set_verdict(&mut self, detection: Detection, rule: Option<usize>, is_call: bool) {
        let Detection {
            action,
            mut report,
            texts,
        } = detection;
        // A stop that goes on is the same detection.
        let is_new = !self.state.verdict.is_stop() || action == Action::Nudge;
        if is_new {
            self.state.prompt.strikes += 1;
        }
        report.strike = self.state.prompt.strikes;
        report.profile = self.options.profile().in_report();
        debug_assert!(report.is_consistent(), "{report:?}");
        report.wasted = self.state.spending.wasted(&report, self.state.prompt.calls);
        let user_messages = self.settings.messages.as_ref();
        texts::add_texts(&mut report, texts, user_messages, action, is_call);
        self.told += 1;
        if is_new {
            self.feedback.add(&report.feedback);
        }
        self.state.verdict_rule = rule;
        self.state.verdict = match action {
            Action::Nudge => LoopVerdict::Nudge { report },
            Action::Stop => LoopVerdict::Stop { report },
        };
        if self.settings.after_firing == AfterFiring::Reset
            && action == Action::Stop
            && let Some(rule) = rule
        {
            self.restart_rule(rule);
        }
    }

    pub(crate) fn clear_verdict(&mut self) {
        self.state.verdict = LoopVerdict::Ok;
        self.state.verdict_rule = None;
    }

    /// A rule that fired starts afresh; one over the history does so with all that look at it.
    fn restart_rule(&mut self, place: usize) {
        if !self.state.rules[place].is_over_history() {
            self.state.rules[place].restart(Restart::Cleared);
            return;
        }
        self.state.history.restart(Restart::Cleared);
        for rule in self
            .state
            .rules
            .iter_mut()
            .filter(|rule| rule.is_over_history())
        {
            rule.restart(Restart::Cleared);
        }
    }
}
