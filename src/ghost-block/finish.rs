//! The end of a prompt: its block within the budget, and what the conversation remembers of it.

use super::assembled::{AssembledPrompt, CountTokens};
use super::block::estimate_tokens;
use super::conversation::{Conversation, LastPrompt};
use super::diagnostic::{Diagnostic, DiagnosticCode, Problem};
use super::draft::Draft;
use super::items::{Outcomes, Sent};
use super::options::MACHINE;
use super::prompt::EvaluatedPrompt;
use super::settings::Settings;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::text::Text;

/// The UTF-16 code units that a string has at most in V8.
const LONGEST_STRING: usize = (1 << 29) - 24;

/// The block of a prompt, which the conversation does not have yet.
pub(crate) struct Block {
    text: Text,
    /// The keys of the items that the budget left out.
    omitted: Vec<String>,
    /// The outcomes in the blocks before this one, and in those up to it.
    sent_before: Sent,
    sent: Sent,
    over_budget: Option<Diagnostic>,
}

impl Block {
    /// The block of a prompt within the budget.
    ///
    /// # Errors
    /// `invalid_argument` if `count` gives up; `limit_exceeded` for one that is too long.
    pub(crate) fn new(
        prompt: &EvaluatedPrompt,
        conversation: &Conversation,
        settings: &Settings,
        count: Option<CountTokens>,
    ) -> Result<Self, Error> {
        // A prompt that comes back is compared with the blocks before it, not with its own.
        let sent_before = match repeated(prompt, conversation) {
            Some(last) => last.sent_before.clone(),
            None => conversation.sent.clone(),
        };
        let mut draft = Draft::new(prompt, &sent_before, &conversation.forgotten, settings);
        let mut estimate = |text: &Text| Some(estimate_tokens(text));
        let count = count.unwrap_or(&mut estimate);
        let Some(fitted) = draft.fit(settings.max_tokens, count) else {
            let message = "must answer with a number of at least 0";
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, message);
            return Err(error.at("countTokens"));
        };
        let units = prompt.user.len() + fitted.block.len();
        if units > LONGEST_STRING {
            let message = format!("and its block would have {units} UTF-16 code units");
            let error = Error::new(ErrorCode::LimitExceeded, MACHINE, message);
            return Err(error.at("prompt"));
        }
        let over_budget = fitted.tokens_over_budget.zip(settings.max_tokens);
        Ok(Self {
            text: fitted.block,
            omitted: draft.omitted(),
            sent: draft.into_sent(settings),
            sent_before,
            over_budget: over_budget.map(|(tokens, budget)| over_budget_by(tokens, budget)),
        })
    }

    /// Adds the prompt to the conversation as its newest turn.
    pub(crate) fn end_turn(
        self,
        prompt: EvaluatedPrompt,
        answers: &Outcomes,
        conversation: &mut Conversation,
    ) -> AssembledPrompt {
        let last = repeated(&prompt, conversation);
        let was_changed = prompt.is_changed || last.is_some_and(|last| last.was_changed);
        conversation.remember_tools(answers);
        conversation.remember_files(answers);
        let is_new = u64::from(!prompt.is_repeat);
        conversation.turn += is_new;
        conversation.texts += is_new;
        conversation.scope = prompt.scope_after;
        conversation.items = prompt.items;
        conversation.excess = prompt.excess;
        conversation.expanded_rules = prompt.rules;
        conversation.sent = self.sent;
        // The prompt may come back, and then the same is told again.
        let forgotten = &mut conversation.forgotten;
        forgotten.retain(|identity, _| self.sent_before.contains_key(identity));
        for item in &conversation.items {
            forgotten.remove(&item.source.identity);
        }
        let user = Text::from_units(&prompt.user);
        conversation.last_prompt = Some(LastPrompt {
            user_fingerprint: user.fingerprint(),
            was_changed,
            literals: prompt.literals,
            scope_before: prompt.scope_before,
            scope_of_files: prompt.scope_of_files,
            sent_before: self.sent_before,
        });
        let mut diagnostics = prompt.diagnostics;
        diagnostics.extend(self.over_budget);
        AssembledPrompt {
            user,
            block: self.text,
            images: prompt.images,
            omitted: self.omitted,
            diagnostics,
        }
    }
}

/// The turn before, if a prompt is that again.
fn repeated<'a>(
    prompt: &EvaluatedPrompt,
    conversation: &'a Conversation,
) -> Option<&'a LastPrompt> {
    let last = conversation.last_prompt.as_ref();
    last.filter(|_| prompt.is_repeat)
}

fn over_budget_by(tokens: u64, budget: u64) -> Diagnostic {
    let tokens = match tokens {
        // A host's counter may say so.
        u64::MAX => "infinitely many".to_owned(),
        _ => tokens.to_string(),
    };
    let message =
        format!("what must stay in the block has {tokens} tokens; the budget is {budget}");
    Problem::new(0, DiagnosticCode::OverBudget, message).at(1, 1, None)
}
