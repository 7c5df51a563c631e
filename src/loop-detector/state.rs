//! All that events change: what is saved, copied for a turn that is tried again, and restored.

use super::conversation::Conversation;
use super::detecting::{DetectorOptions, Rules};
use super::detector::Detector;
use super::model_check::ModelCheck;
use super::progress::Progress;
use super::prompt::PromptState;
use super::report::LoopVerdict;
use super::spending::Spending;
use super::unanswered::Unanswered;

/// Everything that events change.
#[derive(Debug, Clone)]
pub(super) struct DetectorState<O: DetectorOptions> {
    pub(super) conversation: Conversation,
    pub(super) prompt: PromptState,
    pub(super) rules: Box<dyn Rules<O::Rule, O::Profile>>,
    pub(super) unanswered: Unanswered,
    pub(super) model_check: ModelCheck,
    pub(super) spending: Spending,
    pub(super) progress: Progress,
    pub(super) verdict: LoopVerdict<O::Rule, O::Profile>,
}

impl<O: DetectorOptions> Detector<O> {
    /// Remembers the state with which a turn begins.
    pub(super) fn start_turn(&mut self) {
        self.turn_start = Some(Box::new(self.state.clone()));
    }

    /// Takes back what the turn has counted, but not that the model was told of a loop: the next
    /// detection has a strike more. What has become known of the prompt stays known. Without a turn there
    /// is nothing to go back to.
    pub(super) fn take_turn_back(&mut self) {
        let Some(start) = self.turn_start.as_deref().cloned() else {
            return;
        };
        let now = std::mem::replace(&mut self.state, start);
        self.state.conversation = now.conversation;
        let prompt = &mut self.state.prompt;
        *prompt = PromptState {
            calls: prompt.calls,
            last_tool: std::mem::take(&mut prompt.last_tool),
            saw_arguments: prompt.saw_arguments,
            saw_results: prompt.saw_results,
            is_at_work: prompt.is_at_work,
            ..now.prompt
        };
    }

    /// Begins the turn here, so that trying it again does not bring back what was cleared.
    pub(super) fn clear_turn_start(&mut self) {
        if self.turn_start.is_some() {
            self.start_turn();
        }
    }
}
