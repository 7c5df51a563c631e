//! From an event to the verdict: the rules are asked, and what they have found is told.

use super::detecting::DetectorOptions;
use super::detector::Detector;
use super::report::LoopVerdict;
use super::rules::{Action, Context, Detection, Event};
use super::texts;

impl<O: DetectorOptions> Detector<O> {
    /// Shows an event to the rules, and makes the verdict of what they say.
    pub(super) fn judge(&mut self, event: &Event) {
        let state = &mut self.state;
        let context = Context {
            user_prompt: &state.prompt.user_prompt,
            asked_repeats: state.prompt.asked_repeats,
            progress: &state.progress,
        };
        let goes_on = state.rules.still_holds();
        match state.rules.observe(event, &context) {
            Some(detection) => {
                self.set_verdict(detection, goes_on, matches!(event, Event::Call(_)));
            }
            None => self.state.verdict = LoopVerdict::Ok,
        }
    }

    /// Makes a detection the verdict. `goes_on` says that it is the stop that held before the event, and
    /// `is_call` that the event is a call, which a stop holds back.
    pub(super) fn set_verdict(
        &mut self,
        detection: Detection<O::Rule, O::Profile>,
        goes_on: bool,
        is_call: bool,
    ) {
        let Detection {
            action,
            mut report,
            texts,
            quoted,
        } = detection;
        let is_new = action == Action::Nudge || !(goes_on || self.state.verdict.is_stop());
        if is_new {
            self.state.prompt.strikes += 1;
        }
        report.strike = self.state.prompt.strikes;
        report.profile = self.profile;
        debug_assert!(report.is_consistent(), "{report:?}");
        report.wasted = self.state.spending.wasted(&report, self.state.prompt.calls);
        let user_messages = self.options.messages();
        texts::add_texts(&mut report, texts, &quoted, user_messages, action, is_call);
        self.told += 1;
        if is_new {
            self.feedback.add(&report.feedback);
        }
        self.state.verdict = match action {
            Action::Nudge => LoopVerdict::Nudge { report },
            Action::Stop => LoopVerdict::Stop { report },
        };
    }
}
