//! All that events change: what is saved, copied for a turn that is tried again, and restored.

use super::conversation::Conversation;
use super::detecting::{DetectorOptions, Rules, Setup};
use super::detector::Detector;
use super::model_check::{ModelCheck, ModelCheckLimits};
use super::progress::Progress;
use super::prompt::PromptState;
use super::report::LoopVerdict;
use super::spending::Spending;
use super::unanswered::Unanswered;

/// Everything that events change.
#[derive(Debug)]
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

impl<O: DetectorOptions> DetectorState<O> {
    /// Before the first event.
    pub(super) fn new(
        rules: Box<dyn Rules<O::Rule, O::Profile>>,
        model_check: Option<&ModelCheckLimits>,
    ) -> Self {
        Self {
            conversation: Conversation::default(),
            prompt: PromptState::default(),
            rules,
            unanswered: Unanswered::default(),
            model_check: ModelCheck::new(model_check),
            spending: Spending::default(),
            progress: Progress::default(),
            verdict: LoopVerdict::Ok,
        }
    }

    /// The same for a detector of these options, which it was made of; none would mean that they are refused now.
    fn of(options: &mut O, model_check: Option<&ModelCheckLimits>) -> Option<Self> {
        let Setup { rules, .. } = options.set_up().ok()?;
        Some(Self::new(rules, model_check))
    }

    /// Becomes a copy of another of the same options.
    fn copy_from(&mut self, other: &Self) {
        self.conversation.clone_from(&other.conversation);
        self.prompt.clone_from(&other.prompt);
        self.rules.as_mut().copy_from(&*other.rules);
        self.unanswered.clone_from(&other.unanswered);
        self.model_check.clone_from(&other.model_check);
        self.spending.clone_from(&other.spending);
        self.progress.clone_from(&other.progress);
        self.verdict.clone_from(&other.verdict);
    }
}

impl<O: DetectorOptions> Detector<O> {
    /// The state before the first event.
    pub(super) fn fresh_state(&mut self) -> Option<DetectorState<O>> {
        DetectorState::of(&mut self.options, self.model_check.as_ref())
    }

    /// Remembers the state with which a turn begins.
    pub(super) fn start_turn(&mut self) {
        let last = self.turn_start.take().or(self.room.take());
        self.turn_start = last.or_else(|| self.fresh_state().map(Box::new));
        if let Some(start) = &mut self.turn_start {
            start.copy_from(&self.state);
        }
    }

    /// Takes back what the turn has counted, but not that the model was told of a loop: the next
    /// detection has a strike more. What has become known of the prompt stays known. Without a turn there
    /// is nothing to go back to.
    pub(super) fn take_turn_back(&mut self) {
        let Some(start) = &self.turn_start else {
            return;
        };
        let conversation = std::mem::take(&mut self.state.conversation);
        let now = std::mem::take(&mut self.state.prompt);
        self.state.copy_from(start);
        self.state.conversation = conversation;
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
    pub(super) fn clear_turn_start(&mut self) {
        if self.turn_start.is_some() {
            self.start_turn();
        }
    }
}

impl<O: DetectorOptions> Clone for Detector<O> {
    fn clone(&self) -> Self {
        let mut options = self.options.clone();
        let mut copy_of = |state: &DetectorState<O>| {
            let fresh = DetectorState::of(&mut options, self.model_check.as_ref());
            let mut copy = fresh.expect("the detector was made of these options");
            copy.copy_from(state);
            copy
        };
        Self {
            state: copy_of(&self.state),
            turn_start: (self.turn_start.as_deref()).map(|start| Box::new(copy_of(start))),
            room: None,
            profile: self.profile,
            prompts: self.prompts,
            preview_models: self.preview_models.clone(),
            model_check: self.model_check,
            reads_results: self.reads_results,
            is_enabled: self.is_enabled,
            told: self.told,
            feedback: self.feedback.clone(),
            encoded: Vec::new(),
            units: Vec::new(),
            options,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};

    #[test]
    fn a_turn_that_takes_the_room_of_the_last_one_begins_with_the_same() {
        let mut detector = LoopDetector::new(LoopDetectorOptions::default()).expect("valid");
        for at in 0..30 {
            let id = format!("beds-{}", at / 12);
            detector.start_prompt(Prompt::new(&id).user_prompt("Water the beds."));
            let path = format!("garden/bed-{}.md", at % 7);
            let text = "I look at the next bed, which may be dry. ".repeat(at % 4);
            let output = format!("Bed {at} is dry.\n").repeat(at % 5);
            for event in [
                AgentEvent::TurnStarted,
                AgentEvent::Reasoning { text: text.clone() },
                AgentEvent::Text { text },
                AgentEvent::ToolCall {
                    key: None,
                    id: None,
                    name: "read_file".to_owned(),
                    args: Some(serde_json::json!({ "path": path })),
                },
                AgentEvent::ToolResult {
                    id: None,
                    output,
                    is_error: None,
                    exit_code: None,
                },
            ] {
                detector.observe(&event).expect("short");
                let (mut fresh, mut again) = (detector.clone(), detector.clone());
                assert_eq!(again.snapshot(), detector.snapshot(), "{event:?}, bed {at}");
                fresh.turn_start = None;
                if event == AgentEvent::TurnStarted {
                    fresh.start_turn();
                    assert_eq!(detector.snapshot(), fresh.snapshot(), "{event:?}, bed {at}");
                }
                fresh.start_turn();
                again.start_turn();
                assert_eq!(again.snapshot(), fresh.snapshot(), "{event:?}, bed {at}");
            }
        }
    }
}
