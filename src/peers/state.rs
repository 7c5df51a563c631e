//! All that events change: what is saved, copied for a retry, and restored.

use crate::agent::Agent;
use crate::detector::PeerDetector;
use crate::report::PeerVerdict;
use turnkeeper_loop_detector::model_check::ModelCheck;
use turnkeeper_loop_detector::progress::Progress;
use turnkeeper_loop_detector::prompt::PromptState;
use turnkeeper_loop_detector::spending::Spending;

/// Everything that events change.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) prompt: PromptState,
    pub(crate) agent: Box<dyn Agent>,
    pub(crate) model_check: ModelCheck,
    pub(crate) spending: Spending,
    pub(crate) progress: Progress,
    pub(crate) verdict: PeerVerdict,
}

impl PeerDetector {
    /// Remembers the state with which a turn begins.
    pub(crate) fn begin_turn(&mut self) {
        self.turn_start = Some(Box::new(self.state.clone()));
    }

    /// Takes back what the turn has counted, but not that the model was told of a loop: the next
    /// detection has a strike more. What has become known of the prompt stays known. Without a turn there
    /// is nothing to go back to.
    pub(crate) fn take_turn_back(&mut self) {
        let Some(start) = self.turn_start.as_deref().cloned() else {
            return;
        };
        let now = std::mem::replace(&mut self.state, start).prompt;
        let prompt = &mut self.state.prompt;
        *prompt = PromptState {
            calls: prompt.calls,
            last_tool: std::mem::take(&mut prompt.last_tool),
            saw_arguments: prompt.saw_arguments,
            saw_results: prompt.saw_results,
            is_at_work: prompt.is_at_work,
            ..now
        };
    }

    /// Begins the turn here, so that trying it again does not bring back what was cleared.
    pub(crate) fn clear_turn_start(&mut self) {
        if self.turn_start.is_some() {
            self.begin_turn();
        }
    }
}
