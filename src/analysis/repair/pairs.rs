//! Calls and their results: which results have no call, which calls have no result, and where a result would be in its
//! place. Providers refuse a history in which the two do not fit.

use rustc_hash::{FxHashMap, FxHashSet};
use turnkeeper_base::json::Json;
use turnkeeper_history_deduper::MessageRole;
use turnkeeper_history_deduper::shapes::{Shape, View};

use super::results::{Call, kind_of};

/// The changes that give each call its result.
#[derive(Debug, Clone, Default)]
pub(super) struct PairRepairs {
    /// The parts that are results without a call, by messages.
    pub(super) orphans: FxHashMap<u32, Vec<usize>>,
    /// The parts that are results whose place is elsewhere, by messages.
    pub(super) moved: FxHashMap<u32, Vec<usize>>,
    /// The results that a message lacks, and the part after which they come.
    pub(super) within: FxHashMap<u32, (usize, Vec<Json<'static>>)>,
    /// The messages that come after one.
    pub(super) after: FxHashMap<u32, Vec<Json<'static>>>,
    /// The number of results that say that none was recorded.
    pub(super) missing: u32,
    /// The calls at the end of the history that have no result yet.
    pub(super) waiting: u32,
}

impl PairRepairs {
    /// Whether there is nothing to be done within the message.
    pub(super) fn leaves(&self, index: u32) -> bool {
        let Self {
            orphans,
            moved,
            within,
            ..
        } = self;
        let is_named = orphans.contains_key(&index) || moved.contains_key(&index);
        !is_named && !within.contains_key(&index)
    }

    /// The messages within which there is something to be done.
    pub(super) fn messages(&self) -> impl Iterator<Item = u32> {
        let named = self.orphans.keys().chain(self.moved.keys());
        named.chain(self.within.keys()).copied()
    }

    /// Adds those of other messages.
    pub(super) fn add(&mut self, others: Self) {
        self.orphans.extend(others.orphans);
        self.moved.extend(others.moved);
        self.within.extend(others.within);
        self.after.extend(others.after);
        self.missing += others.missing;
        self.waiting += others.waiting;
    }
}

/// Looks for the result of each call, message by message.
#[derive(Debug, Clone, Default)]
pub(super) struct Pairs {
    /// The ids of all calls. That a call has no second result is the deduper's business.
    known: FxHashSet<String>,
    /// The calls of the turn, and whether each has its result.
    open: Vec<(Call, bool)>,
    /// The last message of the turn that is the model's, and the last result after it: its message and its part.
    last: u32,
    answered: Option<(u32, usize)>,
    /// Whether anything but the model has spoken since.
    is_between: bool,
    /// Whether the host asks a person about the calls.
    asks: bool,
    /// The calls of earlier turns without a result, by their ids; several may have the same.
    lacking: FxHashMap<String, Vec<usize>>,
    lacks: Vec<Lack>,
    repairs: PairRepairs,
}

/// A call without a result, in a turn that is over.
#[derive(Debug, Clone)]
struct Lack {
    call: Call,
    place: ResultPlace,
    /// The result that came too late.
    late: Option<Json<'static>>,
}

/// The place where a result belongs.
#[derive(Debug, Clone, Copy)]
enum ResultPlace {
    /// In a message, after that part.
    Within(u32, usize),
    /// In a message after that one.
    After(u32),
}

impl Pairs {
    /// Takes in the message with that index, in a history whose provider wants the results right after their calls.
    pub(super) fn take(&mut self, index: u32, view: &View) {
        let is_chat = view.shape == Shape::OpenAi;
        if view.role == MessageRole::Model {
            // Others put the messages of one speaker together.
            if self.is_between || is_chat {
                self.end_turn();
            }
            self.last = index;
        }
        let parts = view.content().items();
        let mut has_words = view.content().as_text().is_some() || view.role == MessageRole::Other;
        for (at, part) in parts.iter().enumerate() {
            if let Some(call) = Call::of(view, part, at) {
                self.known.insert(call.id.clone());
                self.open.push((call, false));
            } else if let Some(id) = id_of_result(part) {
                self.take_result(index, at, id, view);
            } else {
                has_words = true;
                let kind = kind_of(part).unwrap_or_default();
                self.asks |= kind.starts_with("tool-approval-");
            }
        }
        if view.role != MessageRole::Model {
            self.is_between = true;
            if has_words {
                self.end_turn();
            }
        }
    }

    fn take_result(&mut self, index: u32, at: usize, id: &str, view: &View) {
        let mut open = self.open.iter_mut();
        if let Some((_, is_answered)) = open.find(|(call, answered)| call.id == id && !answered) {
            *is_answered = true;
            if view.role != MessageRole::Model {
                self.answered = Some((index, at));
            }
            return;
        }
        let late = self.lacking.get_mut(id).and_then(Vec::pop);
        if let Some(lack) = late {
            self.lacks[lack].late = original(view, at);
            self.repairs.moved.entry(index).or_default().push(at);
        } else if !self.known.contains(id) && view.role != MessageRole::Model {
            self.repairs.orphans.entry(index).or_default().push(at);
        }
    }

    /// The turn is over: what has no result by now was never answered, or is answered too late.
    fn end_turn(&mut self) {
        for (call, is_answered) in std::mem::take(&mut self.open) {
            if is_answered || self.asks {
                continue;
            }
            let place = match self.answered {
                Some((message, part)) if !call.is_answered_alone() => {
                    ResultPlace::Within(message, part)
                }
                Some((message, _)) => ResultPlace::After(message),
                None => ResultPlace::After(self.last),
            };
            let lacking = self.lacking.entry(call.id.clone()).or_default();
            lacking.insert(0, self.lacks.len());
            self.lacks.push(Lack {
                call,
                place,
                late: None,
            });
        }
        (self.answered, self.is_between, self.asks) = (None, false, false);
    }

    /// The plan. The calls at the end wait: whoever goes on with the history answers them.
    pub(super) fn end(mut self) -> PairRepairs {
        let waiting = self.open.iter().filter(|(_, is_answered)| !is_answered);
        self.repairs.waiting = waiting.count() as u32;
        let mut after: FxHashMap<u32, (Call, Vec<Json<'static>>)> = FxHashMap::default();
        for Lack { call, place, late } in self.lacks {
            let result = late.unwrap_or_else(|| {
                self.repairs.missing += 1;
                call.missing()
            });
            match place {
                ResultPlace::Within(message, part) => {
                    let within = self.repairs.within.entry(message);
                    within.or_insert((part, Vec::new())).1.push(result);
                }
                ResultPlace::After(message) => {
                    let results = after.entry(message);
                    results.or_insert((call, Vec::new())).1.push(result);
                }
            }
        }
        for (message, (call, results)) in after {
            let messages = match call.is_answered_alone() {
                true => results,
                false => vec![call.message_of(results)],
            };
            self.repairs.after.insert(message, messages);
        }
        self.repairs
    }
}

/// The call that a part answers.
pub(super) fn id_of_result<'a>(part: &'a Json<'a>) -> Option<&'a str> {
    let is_result = kind_of(part) == Some("tool_result");
    is_result
        .then(|| part.get("tool_use_id")?.as_text())
        .flatten()
}

/// A result as the provider has it: a part, or a message of its own.
fn original(view: &View, at: usize) -> Option<Json<'static>> {
    let message = view.message();
    let given = match view.shape {
        Shape::OpenAi => Some(message),
        _ => message.get(view.list()).and_then(|it| it.items().get(at)),
    };
    given.map(|it| it.clone().into_owned())
}

/// Looks for the result of each call where a result may be anywhere after it: among the items of OpenAI's Responses, and in
/// Claude Code's sessions.
#[derive(Debug, Clone, Default)]
pub(super) struct FreePairs {
    calls: FxHashMap<String, FreeCall>,
    /// The ids of calls in their order.
    order: Vec<String>,
    orphans: FxHashMap<u32, Vec<usize>>,
    /// The last message that is neither a call nor a result.
    last_words: Option<u32>,
    /// Whether calls may be elsewhere.
    has_references: bool,
}

#[derive(Debug, Clone)]
struct FreeCall {
    call: Call,
    message: u32,
    is_answered: bool,
    /// Whether it is in what is sent again.
    is_sent: bool,
}

/// A call without a result.
#[derive(Debug, Clone)]
pub(super) struct Unanswered {
    pub(super) call: Call,
    pub(super) message: u32,
}

impl FreePairs {
    /// Takes in the message, or the item, with that index.
    pub(super) fn take(&mut self, index: u32, view: &View) {
        let kind = kind_of(view.message());
        self.has_references |= kind == Some("item_reference");
        let mut has_words = view.content().as_text().is_some();
        for (at, part) in view.content().items().iter().enumerate() {
            if let Some(call) = Call::of(view, part, at) {
                let made = FreeCall {
                    call: call.clone(),
                    message: index,
                    is_answered: false,
                    is_sent: true,
                };
                self.order.push(call.id.clone());
                self.calls.insert(call.id, made);
            } else if let Some(id) = id_of_result(part) {
                match self.calls.get_mut(id) {
                    Some(call) if call.is_sent => call.is_answered = true,
                    _ => self.orphans.entry(index).or_default().push(at),
                }
            } else if kind_of(part) != Some("tool_use") {
                has_words = true;
            }
        }
        if has_words {
            self.said(index);
        }
    }

    /// Somebody has spoken in the message with that index.
    pub(super) fn said(&mut self, index: u32) {
        self.last_words = Some(index);
    }

    /// The messages before are not sent any more.
    pub(super) fn forget(&mut self) {
        for call in self.calls.values_mut() {
            call.is_sent = false;
        }
    }

    /// The results without a call, by messages; and the calls without a result.
    pub(super) fn end(self) -> (FxHashMap<u32, Vec<usize>>, Vec<Unanswered>, Option<u32>) {
        let orphans = match self.has_references {
            true => FxHashMap::default(),
            false => self.orphans,
        };
        let mut calls = self.calls;
        let made = self.order.into_iter().filter_map(|id| calls.remove(&id));
        let unanswered = made.filter(|call| call.is_sent && !call.is_answered);
        let unanswered = unanswered.map(|it| Unanswered {
            call: it.call,
            message: it.message,
        });
        (orphans, unanswered.collect(), self.last_words)
    }
}

/// The repairs of items of OpenAI's Responses. A call waits if nobody has said anything since.
pub(super) fn of_items(pairs: FreePairs) -> PairRepairs {
    let (orphans, unanswered, last_words) = pairs.end();
    let mut repairs = PairRepairs {
        orphans,
        ..PairRepairs::default()
    };
    for Unanswered { call, message } in unanswered {
        if last_words.is_none_or(|last| last < message) {
            repairs.waiting += 1;
            continue;
        }
        repairs.missing += 1;
        repairs
            .after
            .entry(message)
            .or_default()
            .push(call.missing());
    }
    repairs
}
