//! Asks the host's model for the summary of a turn, and says what the answer lacks.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::diagnostic::{Diagnostic, DiagnosticCode};
use super::message::TurnMessage;
use super::prompt::in_quotation;
use super::sizes::tokens;
use super::summary_answer::SummaryAnswer;
use super::{MACHINE, SummaryInjector};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::text::{Size, lossy};

/// Comes between the messages of a request.
const SEPARATOR: &str = "\n\n";
/// The note that something is left out has at most this many tokens.
const NOTE_TOKENS: u64 = 20;
/// The task in a request's prompt has at most this many tokens.
const TASK_TOKENS: u64 = 500;
/// The JSON schema of an answer.
const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "goal": { "type": "string", "description": "The user's goal, in the user's words." },
        "done": { "type": "string", "description": "What was done, and what came of it." },
        "decisions": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Each decision, and why."
        },
        "files": {
            "type": "array",
            "items": { "type": "string" },
            "description": "The paths of files that were read or changed and matter later."
        },
        "openPoints": {
            "type": "array",
            "items": { "type": "string" },
            "description": "What is left to do for the goal."
        },
        "insights": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Short facts that later turns need."
        }
    },
    "required": ["goal", "done", "decisions", "files", "openPoints", "insights"],
    "additionalProperties": false
}"#;

/// Asks the host's model for the summary of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SummaryRequest {
    /// The number of the turn.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn: u64,
    /// What the model should do.
    pub prompt: String,
    /// The JSON schema of its answer: `goal`, `done`, `decisions`, `files`, `openPoints`, `insights`.
    #[cfg_attr(feature = "typescript", ts(type = "object"))]
    pub schema: Value,
    /// What the model should sum up: the messages and the thinking of the turn, each in tags with the name
    /// of its role, cut to [`maxRequestTokens`](super::SummaryInjectorOptions::max_request_tokens).
    pub text: String,
}

/// Whether the user's goal is reached, which the host knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskState {
    /// Something is left to do, so a summary must name it.
    #[default]
    Open,
    /// The goal is reached.
    Finished,
}

/// A request that is not answered yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RequestedSummary {
    pub(super) turn: u64,
    /// The user's goal in that turn.
    task: Option<String>,
    /// Tokens of everything that is summed up, before the limit is applied.
    tokens: u64,
}

impl SummaryInjector {
    /// A request for the summary of the open turn, or, if none is open, of the newest. There is none
    /// if nothing was said or thought in the turn, if it has a summary, and while a request is
    /// unanswered.
    #[must_use]
    pub fn take_summary_request(&mut self) -> Option<SummaryRequest> {
        let turn = self.newest_turn();
        let place = self
            .entries
            .binary_search_by_key(&turn, |entry| entry.first_turn);
        if self.requested_summary.is_some() || place.is_ok() {
            return None;
        }
        let messages = self.messages.iter().filter(|kept| kept.turn == turn);
        let messages = messages.map(|kept| kept.message.tagged());
        let thinking = self.thinking_as_message();
        let said: Vec<String> = messages
            .chain(thinking.as_ref().map(TurnMessage::tagged))
            .collect();
        if said.is_empty() {
            return None;
        }
        self.requested_summary = Some(RequestedSummary {
            turn,
            task: self.task.clone(),
            tokens: tokens(&said.join(SEPARATOR)),
        });
        Some(SummaryRequest {
            turn,
            prompt: self.summary_prompt(turn),
            schema: serde_json::from_str(SCHEMA).expect("the schema is JSON"),
            text: within(&said, "messages", self.options.request_tokens()),
        })
    }

    /// Takes the model's answer to the request that was taken, even if turns came since, and stores it
    /// as the summary of its turn. What is wrong with it is told and is no error, since a model wrote
    /// it: it is too long, it drops the goal, it names no open point. One that cannot be read is told,
    /// too; then nothing is stored, and the request still waits for its answer.
    ///
    /// The answer is an object as the schema says, or its JSON as a text.
    ///
    /// # Errors
    /// `wrong_order` if no request is unanswered.
    pub fn answer_summary_request(
        &mut self,
        answer: &Value,
        task_state: TaskState,
    ) -> Result<Vec<Diagnostic>, Error> {
        let Some(requested) = self.requested_summary.clone() else {
            let message = "no summary request was taken";
            return Err(Error::new(ErrorCode::WrongOrder, MACHINE, message));
        };
        let mut diagnostics = Vec::new();
        let Some(answer) = SummaryAnswer::read(answer, &mut diagnostics) else {
            let message = "this is no summary: an object with at least one text is needed";
            diagnostics.push(told(DiagnosticCode::UnreadableSummary, None, message));
            return Ok(diagnostics);
        };
        if let Some(task) = &requested.task {
            if !answer.keeps_goal(task) {
                let message = "the summary does not name the user's goal";
                diagnostics.push(told(DiagnosticCode::GoalDropped, Some("goal"), message));
            }
            if task_state == TaskState::Open && !answer.has_open_points() {
                let message = "the task is not finished, and the summary names no open point";
                let diagnostic = told(DiagnosticCode::NoOpenPoint, Some("openPoints"), message);
                diagnostics.push(diagnostic);
            }
        }
        let summary = answer.into_summary(requested.turn);
        let length = tokens(&summary.summary) + tokens(&summary.insights.join("; "));
        if length > requested.tokens {
            let message = format!(
                "the summary has {length} tokens, more than the {} that it sums up",
                requested.tokens
            );
            diagnostics.push(told(DiagnosticCode::SummaryTooLong, None, &message));
        }
        self.store_summary(&summary)?;
        self.requested_summary = None;
        Ok(diagnostics)
    }

    /// Gives up the request that was taken, because its model failed, say. It can be taken again.
    /// Without a request nothing happens.
    pub fn drop_summary_request(&mut self) {
        self.requested_summary = None;
    }

    fn summary_prompt(&self, turn: u64) -> String {
        let mut prompt = format!(
            "These are the messages of turn {turn} of work that goes on. Sum them up for a model that \
             will not see them. Answer with one JSON object that fits the given schema: the user's \
             `goal` in the user's words, what was `done` and what came of it, the `decisions` and \
             why they were made, the `files` that matter, the `openPoints` that are left to do, and \
             `insights`, short facts that later turns need. Be shorter than the messages, and make \
             nothing up."
        );
        if let Some(task) = &self.task {
            let task = cut(&in_quotation(task), TASK_TOKENS);
            prompt += &format!(" The user's goal: \"{task}\".");
        }
        prompt
    }
}

/// A diagnostic of an answer, or of one of its fields.
pub(super) fn told(code: DiagnosticCode, field: Option<&str>, message: &str) -> Diagnostic {
    Diagnostic::new(code, message.to_owned(), (1, 1), field.map(str::to_owned))
}

/// Messages or summaries in at most that many tokens: the first and the newest, long ones without their middle.
pub(super) fn within(messages: &[String], what: &str, limit: u64) -> String {
    let whole = messages.join(SEPARATOR);
    if tokens(&whole) <= limit {
        return whole;
    }
    let most = (limit / 4).max(1);
    let first = cut(&messages[0], most);
    let mut left = limit.saturating_sub(tokens(&first) + NOTE_TOKENS);
    let mut newest = Vec::new();
    for message in messages[1..].iter().rev() {
        let message = cut(message, most);
        let cost = tokens(&message) + 1;
        let Some(rest) = left.checked_sub(cost) else {
            break;
        };
        left = rest;
        newest.push(message);
    }
    let left_out = messages.len() - 1 - newest.len();
    let mut kept = vec![first];
    if left_out > 0 {
        kept.push(format!("[{left_out} {what} left out]"));
    }
    kept.extend(newest.into_iter().rev());
    // A limit of a few tokens leaves no room for notes.
    let units: Vec<u16> = kept.join(SEPARATOR).encode_utf16().collect();
    lossy(&units[..longest(units.len(), limit, |length| &units[..length])])
}

/// A text in at most that many tokens: its beginning and its end, on lines of their own.
fn cut(text: &str, limit: u64) -> String {
    without_middle(text, limit, "\n", NOTE_TOKENS)
}

/// A text in at most that many tokens: its beginning, a note, and its end. With what is `around` it the note
/// has at most `note` tokens.
pub(super) fn without_middle(text: &str, limit: u64, around: &str, note: u64) -> String {
    if tokens(text) <= limit {
        return text.to_owned();
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let room = limit.saturating_sub(note);
    let mut start = longest(units.len(), room * 2 / 3, |length| &units[..length]);
    let mut end = units.len()
        - longest(units.len() - start, room / 3, |length| {
            &units[units.len() - length..]
        });
    // No surrogate pair is taken apart.
    start -= usize::from(start > 0 && (0xd800..0xdc00).contains(&units[start - 1]));
    end += usize::from(end < units.len() && (0xdc00..0xe000).contains(&units[end]));
    let note = format!("{around}[{} characters left out]{around}", end - start);
    lossy(&units[..start]) + &note + &lossy(&units[end..])
}

/// The largest length up to `most` whose units have at most that many tokens.
fn longest<'a>(most: usize, limit: u64, units: impl Fn(usize) -> &'a [u16]) -> usize {
    let (mut fits, mut exceeds) = (0, most + 1);
    while fits + 1 < exceeds {
        let middle = fits.midpoint(exceeds);
        if u64::from(Size::of(units(middle)).tokens()) <= limit {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_keeps_to_its_limit_and_shows_the_first_message_and_the_newest() {
        let messages: Vec<String> = (0..50)
            .map(|number| {
                format!(
                    "<user>\n{number} {} 思考😀\n</user>",
                    "word ".repeat(number * 9)
                )
            })
            .collect();
        let whole = messages.join(SEPARATOR);
        assert_eq!(within(&messages, "messages", tokens(&whole)), whole);
        for limit in [1, 2, 19, 20, 21, 40, 100, 399, 1_000, tokens(&whole) - 1] {
            let text = within(&messages, "messages", limit);
            assert!(tokens(&text) <= limit, "{limit}: {text}");
            if limit >= 100 {
                assert!(text.starts_with("<user>\n0 "), "{text}");
                let has_room = limit >= 399;
                assert!(!has_room || text.ends_with("思考😀\n</user>"), "{text}");
                assert!(text.contains("left out]"), "{text}");
            }
        }
    }
}
