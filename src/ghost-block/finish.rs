//! The end of a prompt: its block within the budget, and what the conversation remembers of it.

use super::assembled::{AssembledPrompt, CountTokens};
use super::block::estimate_tokens;
use super::diagnostic::{DiagnosticCode, Problem};
use super::draft::{Before, Draft};
use super::job::Evaluated;
use super::{GhostBlockAssembler, LastPrompt, MACHINE};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::text::Text;

/// The UTF-16 code units that a string has at most in V8.
const LONGEST_STRING: usize = (1 << 29) - 24;

impl GhostBlockAssembler {
    /// Ends the prompt that is ready. `count` counts the tokens of a text; left out, they are
    /// estimated: one for four UTF-16 code units, one for each Han, Kana or Hangul character.
    ///
    /// # Errors
    /// `wrong_order` if no prompt is ready; `invalid_argument` if `count` gives up; `limit_exceeded` for a
    /// block of half a gigabyte. Nothing has happened then, and the prompt still is ready.
    pub fn finish_prompt(&mut self, count: Option<CountTokens>) -> Result<AssembledPrompt, Error> {
        let (job, mut prompt) = match self.take_result() {
            Some((job, Evaluated::Prompt(prompt))) if job.is_turn() => (job, prompt),
            other => {
                self.put_back(other);
                let message = "no prompt is ready; begin one, and answer every request first";
                return Err(Error::new(ErrorCode::WrongOrder, MACHINE, message));
            }
        };
        // A prompt that comes back is compared with the blocks before it, not with its own.
        let last = self.conversation.last_prompt.as_ref();
        let repeated = last.filter(|_| prompt.is_repeat);
        let sent_before = match repeated {
            Some(last) => last.sent_before.clone(),
            None => self.conversation.sent.clone(),
        };
        let was_changed = prompt.is_changed || repeated.is_some_and(|last| last.was_changed);
        let before = Before {
            sent: &sent_before,
            forgotten: &self.conversation.forgotten,
        };
        let mut draft = Draft::new(&prompt, before, &self.settings);
        let mut estimate = |text: &Text| Some(estimate_tokens(text));
        let count = count.unwrap_or(&mut estimate);
        let max_tokens = self.settings.max_tokens;
        let Some(fitted) = draft.fit(max_tokens, count) else {
            self.put_back(Some((job, Evaluated::Prompt(prompt))));
            let message = "must answer with a number of at least 0";
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, message);
            return Err(error.at("countTokens"));
        };
        let units = prompt.user.len() + fitted.block.len();
        if units > LONGEST_STRING {
            self.put_back(Some((job, Evaluated::Prompt(prompt))));
            let message = format!("and its block would have {units} UTF-16 code units");
            let error = Error::new(ErrorCode::LimitExceeded, MACHINE, message);
            return Err(error.at("prompt"));
        }
        if let (Some(tokens), Some(budget)) = (fitted.tokens_over_budget, max_tokens) {
            let tokens = match tokens {
                // A host's counter may say so.
                u64::MAX => "infinitely many".to_owned(),
                _ => tokens.to_string(),
            };
            let message =
                format!("what must stay in the block has {tokens} tokens; the budget is {budget}");
            let problem = Problem::new(0, DiagnosticCode::OverBudget, message);
            prompt.diagnostics.push(problem.at(1, 1, None));
        }
        let omitted = draft.omitted();
        let user = Text::from_units(&prompt.user);
        self.remember(&job.answers);
        let conversation = &mut self.conversation;
        let is_new = u64::from(!prompt.is_repeat);
        conversation.turn += is_new;
        conversation.texts += is_new;
        conversation.scope = prompt.scope_after;
        conversation.items = prompt.items;
        conversation.excess = prompt.excess;
        conversation.expanded_rules = prompt.rules;
        conversation.sent = draft.into_sent(&self.settings);
        // The prompt may come back, and then the same is told again.
        let forgotten = &mut conversation.forgotten;
        forgotten.retain(|identity, _| sent_before.contains_key(identity));
        for item in &conversation.items {
            forgotten.remove(&item.source.identity);
        }
        conversation.last_prompt = Some(LastPrompt {
            user_fingerprint: user.fingerprint(),
            was_changed,
            literals: prompt.literals,
            scope_before: prompt.scope_before,
            scope_of_files: prompt.scope_of_files,
            sent_before,
        });
        Ok(AssembledPrompt {
            user,
            block: fitted.block,
            images: prompt.images,
            omitted,
            diagnostics: prompt.diagnostics,
        })
    }
}
