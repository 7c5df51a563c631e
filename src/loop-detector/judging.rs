//! From an event to the verdict: every rule is asked, and one of what they found is told.

use super::detector::LoopDetector;
use super::report::LoopVerdict;
use super::rules::{Action, Context, Detection, Event};
use super::texts;

impl LoopDetector {
    /// Shows an event to every rule, and makes the verdict of what they say.
    pub(super) fn judge(&mut self, event: &Event) {
        let state = &mut self.state;
        let context = Context {
            user_prompt: &state.prompt.user_prompt,
            asked_repeats: state.prompt.asked_repeats,
            progress: &state.progress,
        };
        // A stop before a nudge, and what is first in the list before what comes after it.
        let mut found: Option<Detection> = None;
        for rule in &mut state.rules {
            if let Some(detection) = rule.observe(event, &context)
                && found
                    .as_ref()
                    .is_none_or(|best| !best.is_stop() && detection.is_stop())
            {
                found = Some(detection);
            }
        }
        match found {
            Some(detection) => self.set_verdict(detection, matches!(event, Event::Call(_))),
            None => self.state.verdict = LoopVerdict::Ok,
        }
    }

    /// Makes a detection the verdict. `is_call` says that the event is a call, which a stop holds back.
    pub(super) fn set_verdict(&mut self, detection: Detection, is_call: bool) {
        let Detection {
            action,
            mut report,
            texts,
        } = detection;
        self.state.prompt.strikes += 1;
        report.strike = self.state.prompt.strikes;
        report.profile = self.settings.profile;
        debug_assert!(report.is_consistent(), "{report:?}");
        report.wasted = self.state.spending.wasted(&report, self.state.prompt.calls);
        let user_messages = self.user_options.messages.as_ref();
        texts::add_texts(&mut report, texts, user_messages, action, is_call);
        self.told += 1;
        self.feedback.add(&report.feedback);
        self.state.verdict = match action {
            Action::Nudge => LoopVerdict::Nudge { report },
            Action::Stop => LoopVerdict::Stop { report },
        };
    }
}
