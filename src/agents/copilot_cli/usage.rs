//! The tokens in sessions of Copilot CLI: each answer records what the model wrote, and the end of a run what the run
//! used, model by model. A session that is resumed has several runs, and each sums up itself alone.

use std::collections::HashSet;

use turnkeeper_base::json::Json;
use turnkeeper_base::text::hash::fingerprint;

use crate::sessions::given::text_at;
use crate::sessions::record::Usage;
use crate::sessions::tokens::Tokens;
use crate::sessions::usage::{amount, inclusive, tokens};

/// Adds up the answers of a run, so that its end says only the rest.
#[derive(Default)]
pub(crate) struct CopilotUsage {
    /// The model that answers, as far as it was told.
    model: Option<String>,
    /// The answers since the last run.
    answers: Vec<Usage>,
    /// What the end of the last run said of each model.
    ends: Vec<(String, Tokens)>,
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
        let models = models.iter().map(|(model, metrics)| OfModel {
            model: model.as_ref().to_owned(),
            rest: Tokens::of(&tokens_of(metrics.get("usage").unwrap_or(&Json::Null))),
            answers: Vec::new(),
        });
        let mut models: Vec<OfModel> = models.collect();
        self.without_runs_before(&mut models, &answers);
        let named = |answer: &Usage, models: &[OfModel]| {
            let mut models = models.iter();
            models.position(|it| answer.model.as_deref() == Some(&it.model))
        };
        let places = answers.into_iter().enumerate();
        let (known, mut unknown): (Vec<_>, Vec<_>) =
            places.partition(|(_, it)| named(it, &models).is_some());
        for (place, answer) in known {
            let at = named(&answer, &models).unwrap_or_default();
            models[at].take(place, answer);
        }
        // Which of the models gave an answer is not always said: the largest first, where there is room for it.
        unknown.sort_by(|(_, a), (_, b)| b.output.total_cmp(&a.output));
        for (place, mut answer) in unknown {
            let fits = |it: &OfModel| it.rest.output() >= answer.output;
            let at = models.iter().position(fits).unwrap_or_else(|| {
                let places = 0..models.len();
                let most = places.max_by(|a, b| {
                    models[*a]
                        .rest
                        .output()
                        .total_cmp(&models[*b].rest.output())
                });
                most.unwrap_or_default()
            });
            let Some(model) = models.get_mut(at) else {
                break;
            };
            answer.model = Some(model.model.clone());
            model.take(place, answer);
        }
        let id = text_at(line, &["id"]);
        models
            .into_iter()
            .flat_map(|it| self.of_model(it, id))
            .collect()
    }

    /// In older versions the sums of the runs before go on. They do where what is more is what the answers say.
    fn without_runs_before(&mut self, models: &mut [OfModel], answers: &[Usage]) {
        let ends = models
            .iter()
            .map(|it| (it.model.clone(), it.rest))
            .collect();
        let before = std::mem::replace(&mut self.ends, ends);
        let of_model = |model: &str| {
            let of_model = before.iter().find(|(name, _)| name == model);
            of_model.map(|(_, tokens)| *tokens).unwrap_or_default()
        };
        let written =
            |tokens: &mut dyn Iterator<Item = Tokens>| tokens.map(Tokens::output).sum::<f64>();
        let more = written(&mut models.iter().map(|it| it.rest))
            - written(&mut before.iter().map(|(_, tokens)| *tokens));
        let is_known = |(name, _): &(String, Tokens)| models.iter().any(|it| it.model == *name);
        let are_more = models
            .iter()
            .all(|it| of_model(&it.model).without(it.rest).total() <= 0.0);
        let own = written(&mut answers.iter().map(Tokens::of));
        let go_on = own > 0.0 && more == own && are_more && before.iter().all(is_known);
        for model in models.iter_mut().filter(|_| go_on) {
            model.rest = model.rest.without(of_model(&model.model));
        }
    }

    /// The answers of a model whose model was not said, and the rest of what it used, which is the last one's.
    fn of_model(&mut self, of: OfModel, id: Option<&str>) -> Vec<Usage> {
        let OfModel {
            model,
            rest,
            mut answers,
        } = of;
        answers.sort_by_key(|(place, _)| *place);
        let mut answers: Vec<Usage> = answers.into_iter().map(|(_, answer)| answer).collect();
        if rest.total() > 0.0 {
            let last = answers.pop().unwrap_or_else(|| {
                let id = id.map(|id| format!("{id} {model}"));
                self.named(id.as_deref())
            });
            answers.push(Usage {
                is_of_several: true,
                model: Some(model),
                ..Tokens::of(&last).plus(rest).put_into(last)
            });
        }
        answers
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

/// A model of a run: what the run's end says of it, without the answers that are known to be its own.
struct OfModel {
    model: String,
    rest: Tokens,
    /// Each with its place in the run.
    answers: Vec<(usize, Usage)>,
}

impl OfModel {
    fn take(&mut self, place: usize, answer: Usage) {
        self.rest = self.rest.without(Tokens::of(&answer));
        self.answers.push((place, answer));
    }
}

fn tokens_of(used: &Json) -> Usage {
    let names = [
        "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens",
    ];
    inclusive(tokens(used, names))
}
