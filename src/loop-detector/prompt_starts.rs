//! When a prompt begins, and when a new id only goes on with the running one.

use super::detecting::{DetectorOptions, Prompts};
use super::detector::Detector;
use super::model_check::ModelCheck;
use super::prompt::{Newcomer, Prompt};
use super::report::LoopVerdict;
use super::rules::Restart;
use super::spending::Spending;

impl<O: DetectorOptions> Detector<O> {
    /// Starts a prompt and forgets the one before. With the running prompt's id no count changes; what was
    /// not known of the prompt, its model and the user's words, is taken over, but for the profile
    /// `standard`.
    ///
    /// In `adaptive` a new id continues the prompt, too, while the model works, which it does if the last
    /// thing that it did is a call or has got a result, unless the user's words come with it or a
    /// `user_message` has come: some agents give each batch of results an id of its own. That holds only once the
    /// conversation has shown words of the user or text of the model, for otherwise nobody sees where an answer ends.
    ///
    /// After a stop the model is not at work: the next id begins a new prompt, for the stop was told to whoever
    /// showed the event. The hint for the model outlasts it.
    pub fn start_prompt(&mut self, prompt: Prompt) {
        let is_running = self.state.prompt.id() == Some(prompt.id);
        if !is_running {
            self.state.conversation.takes_turns(prompt.id);
        }
        if is_running || self.is_continued_by(&prompt) {
            self.continue_prompt(&prompt);
        } else {
            self.state.conversation.has_unknown_ids |= self.may_be_continued_by(&prompt);
            self.start_new_prompt(&prompt);
        }
        let words = prompt.user_prompt.unwrap_or_default();
        self.state.conversation.shows_who_speaks |= !words.is_empty();
    }

    fn start_new_prompt(&mut self, prompt: &Prompt) {
        let model = prompt.model.unwrap_or_default();
        let is_preview = prompt.is_preview;
        let is_preview = is_preview.unwrap_or_else(|| self.preview_models.include(model));
        self.state.conversation.begin(prompt.id);
        self.state.prompt = self.state.prompt.next(prompt, is_preview);
        self.state.verdict = LoopVerdict::Ok;
        self.state.unanswered.clear();
        self.state.spending = Spending::default();
        self.room = self.turn_start.take().or(self.room.take());
        self.restart(Restart::NewPrompt);
        self.state.model_check = ModelCheck::new(self.model_check.as_ref());
    }

    /// The user's message ends the model's work. If it is the first thing under a new id, that is the
    /// id of a new prompt.
    pub(super) fn user_speaks(&mut self) {
        let newcomer = self.state.prompt.newcomer.take();
        self.state.prompt.model_rests();
        self.state.conversation.shows_who_speaks = true;
        if let (Some(newcomer), Some(id)) = (newcomer, self.state.prompt.id()) {
            let id = id.to_owned();
            let mut prompt = Prompt::new(&id);
            prompt.model = newcomer.model.as_deref();
            prompt.is_preview = newcomer.is_preview;
            self.start_new_prompt(&prompt);
        }
    }

    fn is_continued_by(&self, prompt: &Prompt) -> bool {
        // The first id names what has come before it.
        let is_first = self.state.prompt.id().is_none();
        (is_first || self.state.conversation.shows_who_speaks) && self.may_be_continued_by(prompt)
    }

    fn may_be_continued_by(&self, prompt: &Prompt) -> bool {
        self.prompts == Prompts::Continued
            && self.state.prompt.is_at_work
            && !self.state.verdict.is_stop()
            && prompt.user_prompt.is_none()
    }

    fn continue_prompt(&mut self, prompt: &Prompt) {
        let is_running = self.state.prompt.id() == Some(prompt.id);
        if is_running && self.prompts == Prompts::Fixed {
            return;
        }
        if !is_running {
            self.state.prompt.newcomer = Some(Newcomer {
                model: prompt.model.map(str::to_owned),
                is_preview: prompt.is_preview,
            });
            self.state.prompt.add_id(prompt.id);
        }
        if let (None, Some(model)) = (&self.state.prompt.model, prompt.model) {
            let is_preview = prompt.is_preview;
            self.state.prompt.is_preview =
                is_preview.unwrap_or_else(|| self.preview_models.include(model));
            self.state.prompt.model = Some(model.to_owned());
        }
        self.state
            .prompt
            .add_user_prompt(prompt.user_prompt.unwrap_or_default());
    }
}
