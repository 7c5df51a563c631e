//! What the detector knew when a turn began, to go back to when the turn is tried again.

use super::detector::LoopDetector;
use super::model_check::ModelCheck;
use super::progress::Progress;
use super::prompt::PromptState;
use super::report::LoopVerdict;
use super::rules::{History, Rule};
use super::spending::Spending;
use super::unanswered::Unanswered;

/// Everything that events change.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    pub(super) prompt: PromptState,
    pub(super) history: History,
    pub(super) rules: Vec<Box<dyn Rule>>,
    pub(super) unanswered: Unanswered,
    pub(super) model_check: ModelCheck,
    pub(super) spending: Spending,
    pub(super) progress: Progress,
    pub(super) verdict: LoopVerdict,
    pub(super) verdict_rule: Option<usize>,
    pub(super) is_held: bool,
}

impl LoopDetector {
    /// Remembers the state with which a turn begins.
    pub(super) fn begin_turn(&mut self) {
        self.turn_start = Some(Box::new(self.checkpoint()));
    }

    /// Takes back what the turn has counted, but not that the model was told of a loop: the next
    /// detection has a strike more. What has become known of the prompt stays known. Without a turn there
    /// is nothing to go back to.
    pub(super) fn take_turn_back(&mut self) {
        let Some(start) = self.turn_start.as_deref().cloned() else {
            return;
        };
        let now = std::mem::take(&mut self.prompt);
        self.set_checkpoint(start);
        self.prompt = PromptState {
            calls: self.prompt.calls,
            last_tool: std::mem::take(&mut self.prompt.last_tool),
            saw_arguments: self.prompt.saw_arguments,
            saw_results: self.prompt.saw_results,
            is_at_work: self.prompt.is_at_work,
            ..now
        };
    }

    /// What was cleared does not come back when the turn is tried again.
    pub(super) fn clear_turn_start(&mut self) {
        if self.turn_start.is_some() {
            self.begin_turn();
        }
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            prompt: self.prompt.clone(),
            history: self.history.clone(),
            rules: self.rules.clone(),
            unanswered: self.unanswered.clone(),
            model_check: self.model_check.clone(),
            spending: self.spending.clone(),
            progress: self.progress.clone(),
            verdict: self.verdict.clone(),
            verdict_rule: self.verdict_rule,
            is_held: self.is_held,
        }
    }

    pub(super) fn set_checkpoint(&mut self, checkpoint: Checkpoint) {
        let Checkpoint {
            prompt,
            history,
            rules,
            unanswered,
            model_check,
            spending,
            progress,
            verdict,
            verdict_rule,
            is_held,
        } = checkpoint;
        self.prompt = prompt;
        self.history = history;
        self.rules = rules;
        self.unanswered = unanswered;
        self.model_check = model_check;
        self.spending = spending;
        self.progress = progress;
        self.verdict = verdict;
        self.verdict_rule = verdict_rule;
        self.is_held = is_held;
    }
}
