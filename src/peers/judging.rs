//! From what an agent finds to the verdict.

use crate::detector::PeerDetector;
use crate::report::{Detection, PeerVerdict};
use crate::texts;
use turnkeeper_loop_detector::rules::Action;

impl PeerDetector {
    /// Makes a detection the verdict. `goes_on` says that it is the stop that held before the event, and
    /// `is_call` that the event is a call, which a stop holds back.
    pub(crate) fn set_verdict(&mut self, detection: Detection, goes_on: bool, is_call: bool) {
        let Detection {
            action,
            mut report,
            texts,
        } = detection;
        let is_new = action == Action::Nudge || !(goes_on || self.state.verdict.is_stop());
        if is_new {
            self.state.prompt.strikes += 1;
        }
        report.strike = self.state.prompt.strikes;
        report.profile = self.options.profile();
        debug_assert!(report.is_consistent(), "{report:?}");
        report.wasted = self.state.spending.wasted(&report, self.state.prompt.calls);
        let user_messages = self.options.of_agent().messages();
        texts::add_texts(&mut report, texts, user_messages, action, is_call);
        self.told += 1;
        if is_new {
            self.feedback.add(&report.feedback);
        }
        self.state.verdict = match action {
            Action::Nudge => PeerVerdict::Nudge { report },
            Action::Stop => PeerVerdict::Stop { report },
        };
    }
}
