//! The usage of a session's answers.

use rustc_hash::FxHashMap;
use turnkeeper_agents::sessions::Usage as Recorded;
use turnkeeper_base::text::hash::fingerprint;

use super::marks::Mark;
use super::prices::{Cost, Prices, PricesByLength, Service, TokenPrices, Tokens, in_millionths};
use super::report::{Unpriced, Usage};
use super::requests::Estimate;

/// One answer of a model, or what a file says of all of them.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The same in every copy of the answer, in whatever file; none if it has no id.
    pub(crate) key: Option<u64>,
    /// The record that it stands in.
    pub(crate) mark: Mark,
    /// In milliseconds since 1970.
    pub(crate) time: Option<f64>,
    /// The place of the model among the session's.
    pub(crate) model: u16,
    pub(crate) tokens: Tokens,
    /// By its record alone.
    pub(crate) recorded_dollars: Option<f64>,
    /// Its dollars are those of the whole session.
    pub(crate) is_sum: bool,
    /// The length of its request is not known, since it was several.
    is_of_several: bool,
    /// Another file may have it, too, and then counts.
    pub(crate) is_retold: bool,
    /// Nothing has said which model it was.
    is_models_unsaid: bool,
    /// The part of the session's texts that it answered, where the record says nothing of what was sent.
    pub(crate) sent: Option<Estimate>,
}

impl Answer {
    /// Its tokens, those that are not recorded estimated.
    pub(crate) fn all_tokens(&self) -> Tokens {
        match self.sent {
            None => self.tokens,
            Some(sent) => Tokens {
                cache_write: sent.sent,
                cache_read: sent.again,
                ..self.tokens
            },
        }
    }

    /// Whether the session's texts are needed to tell what it used, or of how many requests it is.
    pub(crate) fn needs_texts(&self) -> bool {
        self.sent.is_some() || self.is_sum || self.tokens.all() == 0
    }

    /// The prices of its model, its service and the length of its request.
    pub(crate) fn prices<'m>(&self, models: &'m Models) -> Option<&'m TokenPrices> {
        let is_length_known = !self.is_sum && !self.is_of_several && self.sent.is_none();
        let sent = if is_length_known {
            self.tokens.sent()
        } else {
            0
        };
        models.get(self.model)?.prices.as_ref()?.at(sent)
    }

    /// Its cost: as recorded, else by the list of prices.
    pub(crate) fn cost(&self, models: &Models) -> Cost {
        let tokens = self.all_tokens();
        if self.recorded_dollars.is_some() {
            return Cost {
                dollars: self.recorded_dollars,
                unpriced: 0,
            };
        }
        let prices = self.prices(models);
        prices.map_or_else(|| Cost::unknown(&tokens), |prices| prices.cost(&tokens))
    }

    /// The name of its model and what of it has no known price, for those of its tokens that have none.
    pub(crate) fn unpriced_name(&self, models: &Models) -> Option<String> {
        let model = models.get(self.model)?;
        let name = model.name.as_deref()?;
        let what = match (&model.prices, self.prices(models)) {
            (_, Some(_)) => "cache",
            (Some(_), None) => "long requests",
            (None, None) if !model.is_listed => return Some(name.to_owned()),
            (None, None) => model.tier.as_deref()?,
        };
        Some(format!("{name}: {what}"))
    }
}

/// A model, and how it was served.
#[derive(Debug, Clone)]
struct Served {
    name: Option<String>,
    provider: Option<String>,
    tier: Option<String>,
    region: Option<String>,
    prices: Option<PricesByLength>,
    /// Whether the table has the model at all.
    is_listed: bool,
}

/// The models of a session, and their prices.
#[derive(Debug, Clone, Default)]
pub(crate) struct Models(Vec<Served>);

impl Models {
    /// The place of a model. Of more than anybody has the last ones are one.
    fn place(&mut self, model: Option<&str>, service: Service, prices: &Prices) -> u16 {
        let is_same =
            |served: &Served| served.name.as_deref() == model && served.service() == service;
        let known = self.0.iter().rposition(is_same);
        let at = known.unwrap_or_else(|| {
            if self.0.len() < usize::from(u16::MAX) {
                self.0.push(Served {
                    name: model.map(str::to_owned),
                    provider: service.provider.map(str::to_owned),
                    tier: service.tier.map(str::to_owned),
                    region: service.region.map(str::to_owned),
                    prices: prices.of(model, service),
                    is_listed: prices.knows(model),
                });
            }
            self.0.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    fn get(&self, at: u16) -> Option<&Served> {
        self.0.get(usize::from(at))
    }

    pub(crate) fn name(&self, at: u16) -> Option<&str> {
        self.get(at)?.name.as_deref()
    }
}

impl Served {
    fn service(&self) -> Service<'_> {
        Service {
            tier: self.tier.as_deref(),
            region: self.region.as_deref(),
            provider: self.provider.as_deref(),
        }
    }
}

/// The sums so far, to tell what a part of the session cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SpentSoFar {
    pub(crate) tokens: u64,
    pub(crate) dollars: f64,
}

/// Collects what a session's answers used, each once.
#[derive(Debug, Default)]
pub(crate) struct UsageCount {
    pub(crate) answers: Vec<Answer>,
    pub(crate) models: Models,
    by_id: FxHashMap<u64, usize>,
    pub(crate) spent: SpentSoFar,
}

impl UsageCount {
    /// Takes what a record says.
    pub(crate) fn take(&mut self, given: Given, prices: &Prices) {
        let id = key_of(given.usage);
        let mut answer = self.answer_of(&given, id, prices);
        let at = id.and_then(|id| self.by_id.get(&id).copied());
        match at.map(|at| &mut self.answers[at]) {
            None => {
                self.spend(&answer, true);
                if let Some(id) = id {
                    self.by_id.insert(id, self.answers.len());
                }
                self.answers.push(answer);
            }
            // An answer's lines grow; of sums and of messages that are written again the last one counts.
            Some(known) if answer.tokens.output < known.tokens.output && !answer.is_sum => {
                known.is_retold &= answer.is_retold;
            }
            Some(known) => {
                let tells_prompt = known.sent.is_some() && answer.sent.is_none();
                answer.sent = answer.sent.and(known.sent);
                answer.time = known.time.or(answer.time);
                answer.mark = known.mark;
                answer.is_retold &= known.is_retold;
                let before = std::mem::replace(known, answer.clone());
                self.spend(&before, false);
                self.spend(&answer, true);
                if let Some(at) = at.filter(|_| tells_prompt) {
                    self.tell_prompts_before(at);
                }
            }
        }
    }

    /// The prompts that the end of a run tells of are those of all its answers, which are those before it that say nothing of theirs.
    fn tell_prompts_before(&mut self, at: usize) {
        for at in (0..at).rev() {
            let mut answer = self.answers[at].clone();
            if answer.sent.take().is_none() {
                break;
            }
            self.replace(at, answer);
        }
    }

    /// Gives the answers whose model nothing has said the model that is named later.
    pub(crate) fn name_model(&mut self, model: &str, prices: &Prices) {
        for at in 0..self.answers.len() {
            if !self.answers[at].is_models_unsaid {
                continue;
            }
            let mut answer = self.answers[at].clone();
            if let Some(served) = self.models.get(answer.model).cloned() {
                answer.model = self.models.place(Some(model), served.service(), prices);
            }
            answer.is_models_unsaid = false;
            self.replace(at, answer);
        }
    }

    fn replace(&mut self, at: usize, answer: Answer) {
        let before = std::mem::replace(&mut self.answers[at], answer.clone());
        self.spend(&before, false);
        self.spend(&answer, true);
    }

    fn answer_of(&mut self, given: &Given, id: Option<u64>, prices: &Prices) -> Answer {
        let usage = given.usage;
        let tokens = Tokens {
            input: whole(usage.input),
            cache_read: whole(usage.cache_read),
            cache_write: whole(usage.cache_write),
            cache_write_hour: whole(usage.cache_write_long),
            output: whole(usage.output),
        };
        let is_answers_own = !usage.is_local && !usage.is_sum;
        let lacks_prompt = usage.is_output_alone && tokens.sent() == 0;
        let said = usage.model.as_deref().or(given.model);
        let service = Service {
            tier: usage.tier.as_deref(),
            region: usage.region.as_deref(),
            provider: usage.provider.as_deref(),
        };
        Answer {
            key: id.filter(|_| is_answers_own),
            mark: given.mark,
            time: usage.time.or(given.time),
            model: self
                .models
                .place(said.or(given.assumed_model), service, prices),
            tokens,
            // Agents write 0 where they do not know the price.
            recorded_dollars: usage.dollars.filter(|dollars| *dollars > 0.0),
            is_sum: usage.is_sum,
            is_of_several: usage.is_of_several,
            is_retold: usage.is_retold,
            is_models_unsaid: said.is_none(),
            sent: lacks_prompt.then_some(given.since),
        }
    }

    fn spend(&mut self, answer: &Answer, is_more: bool) {
        let tokens = answer.all_tokens().all();
        let dollars = answer.cost(&self.models).dollars;
        let dollars = dollars.filter(|_| !answer.is_sum).unwrap_or(0.0);
        let spent = &mut self.spent;
        match is_more {
            true => {
                spent.tokens = spent.tokens.saturating_add(tokens);
                spent.dollars += dollars;
            }
            false => {
                spent.tokens = spent.tokens.saturating_sub(tokens);
                spent.dollars -= dollars;
            }
        }
    }
}

/// A record of what was used, and where it stands.
pub(crate) struct Given<'a> {
    pub(crate) usage: &'a Recorded,
    /// The model that answers by what the file has said so far, and by what the user has said.
    pub(crate) model: Option<&'a str>,
    pub(crate) assumed_model: Option<&'a str>,
    pub(crate) mark: Mark,
    /// When the record was written, in milliseconds since 1970.
    pub(crate) time: Option<f64>,
    /// An estimate of everything sent since the answer before it.
    pub(crate) since: Estimate,
}

/// The same in every copy of an answer with an id.
fn key_of(usage: &Recorded) -> Option<u64> {
    let id = usage.id.as_deref()?;
    Some(fingerprint(id.as_bytes()))
}

/// A number of tokens; of what is none, none.
fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// The usage of answers together; none if they say nothing.
pub(crate) fn usage_of<'a>(
    answers: impl Iterator<Item = &'a Answer>,
    models: &Models,
) -> Option<Usage> {
    let mut sum = UsageSum::default();
    for answer in answers {
        sum.add(answer, models);
    }
    sum.end()
}

/// Adds answers up.
#[derive(Debug, Default)]
struct UsageSum {
    usage: Usage,
    /// By the list and by the answers' own records; and of the whole session.
    listed: Option<f64>,
    recorded: Option<f64>,
    unpriced: Unpriced,
    is_priced_by_estimate: bool,
}

impl UsageSum {
    fn add(&mut self, answer: &Answer, models: &Models) {
        let tokens = answer.all_tokens();
        let usage = &mut self.usage;
        usage.input = usage.input.saturating_add(tokens.input);
        usage.cache_read = usage.cache_read.saturating_add(tokens.cache_read);
        usage.cache_write = usage.cache_write.saturating_add(tokens.cache_write);
        usage.output = usage.output.saturating_add(tokens.output);
        usage.tokens = usage.tokens.saturating_add(tokens.all());
        usage.requests += u64::from(!answer.is_sum);
        usage.is_estimated |= answer.sent.is_some();
        let cost = answer.cost(models);
        note_unpriced(&mut self.unpriced, answer, cost.unpriced, models);
        let Some(dollars) = cost.dollars else {
            return;
        };
        self.is_priced_by_estimate |= answer.sent.is_some() && answer.recorded_dollars.is_none();
        let sum = match answer.is_sum && answer.recorded_dollars.is_some() {
            true => &mut self.recorded,
            false => &mut self.listed,
        };
        *sum = Some(sum.unwrap_or(0.0) + dollars);
    }

    fn end(self) -> Option<Usage> {
        let dollars = self.recorded.or(self.listed);
        if self.usage.tokens == 0 && dollars.is_none() {
            return None;
        }
        // A record of the whole session is the cost of all of it.
        let is_partly_priced = self.recorded.is_none() && self.unpriced.tokens > 0;
        Some(Usage {
            dollars: dollars.map(in_millionths),
            is_cost_estimated: self.recorded.is_none() && self.is_priced_by_estimate,
            unpriced: is_partly_priced.then_some(self.unpriced),
            ..self.usage
        })
    }
}

/// Notes the tokens of an answer that have no price.
pub(crate) fn note_unpriced(sum: &mut Unpriced, answer: &Answer, tokens: u64, models: &Models) {
    if tokens > 0 {
        sum.requests += u64::from(!answer.is_sum);
        sum.tokens = sum.tokens.saturating_add(tokens);
        note_model(&mut sum.models, answer.unpriced_name(models).as_deref());
    }
}

/// Notes a model among others in alphabetical order.
pub(crate) fn note_model(models: &mut Vec<String>, model: Option<&str>) {
    let Some(model) = model else {
        return;
    };
    if let Err(at) = models.binary_search_by(|known| known.as_str().cmp(model)) {
        models.insert(at, model.to_owned());
    }
}
