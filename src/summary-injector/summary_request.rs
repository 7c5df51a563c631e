//! Asks the host's model for the summary of a turn, and says what the answer lacks.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{SummaryAnswer, told};
use super::diagnostic::{Diagnostic, DiagnosticCode};
use super::prompt::{BLANK_LINE, in_quotation};
use super::shortening::{cut, within};
use super::sizes::tokens;
use super::tools::schema;
use super::turns::TurnSummary;

/// The task in a request's prompt has at most this many tokens.
const TASK_TOKENS: u64 = 500;
/// The [schema] of an answer.
const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "goal": { "type": "string", "description": "The user's goal, in the user's words." },
        "done": { "type": "string", "description": "What was done, and what came of it." },
        "decisions": { STRINGS, "description": "Each decision, and why." },
        "files": {
            STRINGS,
            "description": "The paths of files that were read or changed and matter later."
        },
        "openPoints": { STRINGS, "description": "What is left to do for the goal." },
        "insights": { STRINGS, "description": "Short facts that later turns need." }
    },
    "required": ["goal", "done", "decisions", "files", "openPoints", "insights"],
    "additionalProperties": false
}"#;

/// Asks the host's model for the summary of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SummaryRequest {
    /// The number of the turn.
    pub turn: u64,
    /// The task for the model.
    pub prompt: String,
    /// The JSON schema of its answer: `goal`, `done`, `decisions`, `files`, `openPoints`, `insights`.
    #[cfg_attr(feature = "typescript", ts(type = "object"))]
    pub schema: Value,
    /// The text to sum up: the messages and the thinking of the turn, each in tags with the name
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

impl RequestedSummary {
    pub(super) fn new(turn: u64, task: Option<&str>, said: &[String]) -> Self {
        Self {
            turn,
            task: task.map(str::to_owned),
            tokens: tokens(&said.join(BLANK_LINE)),
        }
    }

    /// The request itself, with what was said in at most `limit` tokens.
    pub(super) fn request(&self, said: &[String], limit: u64) -> SummaryRequest {
        SummaryRequest {
            turn: self.turn,
            prompt: self.prompt(),
            schema: schema(SCHEMA),
            text: within(said, "messages", limit),
        }
    }

    fn prompt(&self) -> String {
        let mut prompt = format!(
            "These are the messages of turn {} of work that goes on. Sum them up for a model that \
             will not see them. Answer with one JSON object that fits the given schema: the user's \
             `goal` in the user's words, what was `done` and what came of it, the `decisions` and \
             why they were made, the `files` that matter, the `openPoints` that are left to do, and \
             `insights`, short facts that later turns need. Be shorter than the messages, and make \
             nothing up.",
            self.turn
        );
        if let Some(task) = &self.task {
            let task = cut(&in_quotation(task), TASK_TOKENS);
            prompt += &format!(" The user's goal: \"{task}\".");
        }
        prompt
    }

    /// The summary that a model answered, if it can be read, and what is wrong with it.
    pub(super) fn read(
        &self,
        answer: &Value,
        task_state: TaskState,
    ) -> (Option<TurnSummary>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let Some(answer) = SummaryAnswer::read(answer, &mut diagnostics) else {
            let message = "this is no summary: an object with at least one text is needed";
            diagnostics.push(told(DiagnosticCode::UnreadableSummary, None, message));
            return (None, diagnostics);
        };
        if let Some(task) = &self.task {
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
        let summary = answer.into_summary(self.turn);
        let length = tokens(&summary.summary) + tokens(&summary.insights.join("; "));
        if length > self.tokens {
            let message = format!(
                "the summary has {length} tokens, more than the {} that it sums up",
                self.tokens
            );
            diagnostics.push(told(DiagnosticCode::SummaryTooLong, None, &message));
        }
        (Some(summary), diagnostics)
    }
}
