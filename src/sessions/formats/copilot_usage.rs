//! The tokens in sessions of Copilot CLI: each answer records what the model wrote, and the end of a run what the run
//! used, model by model. A session that is resumed has several runs, and each sums up itself alone.

use std::collections::HashSet;

use turnkeeper_base::json::Json;
use turnkeeper_base::text::hash::fingerprint;

use crate::given::text_at;
use crate::record::Usage;
use crate::tokens::Tokens;
use crate::usage::{amount, inclusive};

/// Adds up the answers of a run, so that its end says only the rest.
#[derive(Default)]
pub(crate) struct CopilotUsage {
    /// The model that answers, as far as it was told.
    model: Option<String>,
    /// The answers since the last run.
    answers: Vec<Usage>,
    /// The lines that have been read.
    seen: HashSet<u64>,
    /// The number of answers without an id of their own.
    nameless: u32,
}

impl CopilotUsage {
    /// The record of a line.
    pub(crate) fn read(&mut self, line: &Json) -> Vec<Usage> {
        let id = text_at(line, &["id"]).map(|id| fingerprint(id.as_bytes()));
        if id.is_some_and(|id| !self.seen.insert(id)) {
            return Vec::new();
        }
        let told = line.get("data").unwrap_or(&Json::Null);
        let named = match text_at(line, &["type"]) {
            Some("session.start" | "session.resume") => text_at(told, &["selectedModel"]),
            Some("session.model_change") => text_at(told, &["newModel"]),
            Some("session.tools_updated" | "tool.execution_complete") => text_at(told, &["model"]),
            Some("assistant.message") => return self.answer(line, told),
            Some("assistant.usage") => return self.used(line, told),
            Some("session.shutdown") => return self.end_of_run(line, told),
            _ => None,
        };
        if let Some(model) = named.filter(|model| !model.is_empty()) {
            self.model = Some(model.into());
        }
        Vec::new()
    }

    fn answer(&mut self, line: &Json, told: &Json) -> Vec<Usage> {
        let output = amount(told.get("outputTokens"));
        if output <= 0.0 {
            return Vec::new();
        }
        let mut answer = self.named(text_at(told, &["messageId"]).or(text_at(line, &["id"])));
        let model = text_at(told, &["model"]).map(str::to_owned);
        answer.model = model.or_else(|| self.model.clone());
        answer.output = output;
        self.give(answer)
    }

    /// A stream says after an answer all of what it used.
    fn used(&mut self, line: &Json, told: &Json) -> Vec<Usage> {
        let tokens = tokens_of(told);
        // Of an answer that has only said what the model wrote it says the rest.
        let is_of = |answer: &mut Usage| {
            Tokens::of(answer).total() <= answer.output && answer.output <= tokens.output
        };
        let before = self.answers.pop_if(is_of);
        let id = text_at(told, &["apiCallId"]).or(text_at(line, &["id"]));
        let mut answer = before.unwrap_or_else(|| self.named(id));
        let model = text_at(told, &["model"]).map(str::to_owned);
        answer.model = model.or(answer.model);
        self.give(Tokens::of(&tokens).put_into(answer))
    }

    fn end_of_run(&mut self, line: &Json, told: &Json) -> Vec<Usage> {
        let answers = std::mem::take(&mut self.answers);
        let Some(Json::Object(models)) = told.get("modelMetrics") else {
            return Vec::new();
        };
        let is_listed = |answer: &Usage| {
            let mut models = models.iter();
            models.any(|(model, _)| answer.model.as_deref() == Some(model))
        };
        let mut found = Vec::new();
        for (index, (model, metrics)) in models.iter().enumerate() {
            // Of what no listed model is said to have answered it was the first.
            let is_models = |answer: &&Usage| match is_listed(answer) {
                true => answer.model.as_deref() == Some(model),
                false => index == 0,
            };
            let own: Vec<&Usage> = answers.iter().filter(is_models).collect();
            let given = own.iter().map(|answer| Tokens::of(answer));
            let given = given.fold(Tokens::default(), Tokens::plus);
            let all = tokens_of(metrics.get("usage").unwrap_or(&Json::Null));
            let rest = Tokens::of(&all).without(given);
            if rest.total() <= 0.0 {
                continue;
            }
            let mut usage = match own.last() {
                Some(last) => Tokens::of(last).plus(rest).put_into((*last).clone()),
                None => {
                    let id = text_at(line, &["id"]).map(|id| format!("{id} {model}"));
                    rest.put_into(self.named(id.as_deref()))
                }
            };
            usage.model = Some(model.clone().into_owned());
            found.push(usage);
        }
        found
    }

    fn give(&mut self, answer: Usage) -> Vec<Usage> {
        if Tokens::of(&answer).total() <= 0.0 {
            return Vec::new();
        }
        self.answers.push(answer.clone());
        vec![answer]
    }

    /// An answer with an id, by which it is known when more of it is said.
    fn named(&mut self, id: Option<&str>) -> Usage {
        let id = id.filter(|id| !id.is_empty());
        if id.is_none() {
            self.nameless += 1;
        }
        Usage {
            is_local: id.is_none(),
            is_output_alone: true,
            id: Some(id.map_or_else(|| format!("answer {}", self.nameless), str::to_owned)),
            ..Usage::default()
        }
    }
}

fn tokens_of(used: &Json) -> Usage {
    let parts = inclusive(
        used.get("inputTokens"),
        used.get("cacheReadTokens"),
        used.get("cacheWriteTokens"),
    );
    Usage {
        input: parts.input,
        cache_read: parts.cache_read,
        cache_write: parts.cache_write,
        output: amount(used.get("outputTokens")),
        ..Usage::default()
    }
}
