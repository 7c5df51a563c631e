//! The detection of other agents, as plainly as it can be said: each goes through the whole history at every
//! event.

use std::collections::{HashMap, HashSet};

use regex::Regex;
use serde_json::Value;
use turnkeeper_loop_detector::AgentEvent;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Ok,
    Nudge,
    Stop,
}

/// The loop of a history; the last event is the one that has just come.
type Judge = Box<dyn FnMut(&[AgentEvent]) -> Action>;

pub struct Naive {
    /// Since the prompt began, or since a clear.
    history: Vec<AgentEvent>,
    prompt: Option<u8>,
    judge: Judge,
    latches: bool,
    clear_keeps_counts: bool,
    last: Action,
}

impl Naive {
    fn new(latches: bool, judge: impl FnMut(&[AgentEvent]) -> Action + 'static) -> Self {
        Self {
            history: Vec::new(),
            prompt: None,
            judge: Box::new(judge),
            latches,
            clear_keeps_counts: false,
            last: Action::Ok,
        }
    }

    pub fn observe(&mut self, event: &AgentEvent) -> Action {
        if !(self.latches && self.last == Action::Stop) {
            self.history.push(event.clone());
            self.last = (self.judge)(&self.history);
        }
        self.last
    }

    pub fn start_prompt(&mut self, id: u8) -> Action {
        if self.prompt != Some(id) {
            self.prompt = Some(id);
            self.history.clear();
            (self.judge)(&[]);
            self.last = Action::Ok;
        }
        self.last
    }

    pub fn clear(&mut self) -> Action {
        if !self.clear_keeps_counts {
            self.history.clear();
            (self.judge)(&[]);
        }
        self.last = Action::Ok;
        self.last
    }

    pub fn gemini_cli(limits: [i64; 7]) -> Self {
        let [
            rounds,
            max_period,
            unit,
            copies,
            history,
            mean_distance,
            gaps,
        ] = limits;
        let mut prose = Prose::new(unit, copies, history, mean_distance, gaps as usize);
        let markdown = Markdown::new();
        let mut in_code = false;
        let mut this = Self::new(true, move |events| {
            let Some(event) = events.last() else {
                prose.reset();
                return Action::Ok;
            };
            match event {
                AgentEvent::ToolCall { .. } => {
                    prose.reset();
                    let calls: Vec<String> = calls(events, in_order).collect();
                    let is_loop = (1..=max_period as usize).any(|period| {
                        let length = period * rounds as usize;
                        let Some(from) = calls.len().checked_sub(length) else {
                            return false;
                        };
                        let last = &calls[from..];
                        (period..length).all(|at| last[at] == last[at - period])
                    });
                    stop_if(is_loop)
                }
                AgentEvent::Text { text } => {
                    let (fences, resets, is_divider) = markdown.of(text);
                    if resets {
                        prose.reset();
                    }
                    let was_in_code = in_code;
                    in_code ^= fences % 2 == 1;
                    stop_if(!(was_in_code || in_code || is_divider) && prose.push(text, |_| true))
                }
                _ => Action::Ok,
            }
        });
        this.clear_keeps_counts = true;
        this
    }

    pub fn deepv([calls_limit, monitored, unit, copies, history]: [i64; 5]) -> Self {
        let mut prose = Prose::new(unit, copies, history, 750, 20);
        Self::new(true, move |events| {
            match events.last() {
                None => prose.reset(),
                Some(AgentEvent::ToolCall { name, .. }) => {
                    prose.reset();
                    let keys: Vec<String> = calls(events, in_order).collect();
                    let names: Vec<&str> = events.iter().filter_map(name_of).collect();
                    let is_watched = ["read_file", "ls"].contains(&name.as_str());
                    // Every prompt here is a preview model's, but for what comes before the first.
                    let is_one_tool = is_watched && row(&names) >= monitored as usize;
                    return stop_if(row(&keys) >= calls_limit as usize || is_one_tool);
                }
                Some(AgentEvent::Text { text }) => {
                    return stop_if(prose.push(text, says_something));
                }
                _ => {}
            }
            Action::Ok
        })
    }

    pub fn roo(limit: i64) -> Self {
        Self::new(false, move |events| {
            let (mut previous, mut count, mut fired) = (None, 0, false);
            for event in events {
                fired = false;
                let AgentEvent::ToolCall { name, args, .. } = event else {
                    continue;
                };
                let key = format!("{name} {}", as_params(args.as_ref()));
                if previous.as_ref() == Some(&key) {
                    count += 1;
                } else {
                    (previous, count) = (Some(key), 0);
                }
                if limit > 0 && count >= limit {
                    (previous, count, fired) = (None, 0, true);
                }
            }
            stop_if(fired)
        })
    }

    pub fn cline(soft: u64, hard: u64) -> Self {
        Self::new(false, move |events| {
            // Anything else ends what was told.
            let Some(AgentEvent::ToolCall { .. }) = events.last() else {
                return Action::Ok;
            };
            // A string stands for itself, anything else for its JSON; no arguments are null.
            let keys: Vec<String> = calls(events, |args| match args {
                Some(Value::String(text)) => text.clone(),
                args => sorted(Some(args.unwrap_or(&Value::Null))),
            })
            .collect();
            let count = row(&keys) as u64;
            match count {
                count if count >= hard => Action::Stop,
                count if count == soft => Action::Nudge,
                _ => Action::Ok,
            }
        })
    }
}

fn stop_if(is_loop: bool) -> Action {
    if is_loop { Action::Stop } else { Action::Ok }
}

fn name_of(event: &AgentEvent) -> Option<&str> {
    match event {
        AgentEvent::ToolCall { name, .. } => Some(name),
        _ => None,
    }
}

/// The keys that the calls are compared by.
fn calls<'a>(
    events: &'a [AgentEvent],
    key: impl Fn(Option<&Value>) -> String + 'a,
) -> impl Iterator<Item = String> + 'a {
    events.iter().filter_map(move |event| match event {
        AgentEvent::ToolCall { name, args, .. } => Some(format!("{name} {}", key(args.as_ref()))),
        _ => None,
    })
}

/// The number of equal items at the end.
fn row<T: PartialEq>(items: &[T]) -> usize {
    let last = items.last();
    items
        .iter()
        .rev()
        .take_while(|item| Some(*item) == last)
        .count()
}

fn parsed(args: Value) -> Value {
    match &args {
        Value::String(text) => serde_json::from_str(text).unwrap_or(args),
        _ => args,
    }
}

/// With numbers as JavaScript has them.
fn in_order(args: Option<&Value>) -> String {
    match args {
        None => "none".to_owned(),
        Some(args) => doubles(parsed(args.clone())).to_string(),
    }
}

fn sorted(args: Option<&Value>) -> String {
    match args {
        None => "none".to_owned(),
        Some(args) => sorted_value(parsed(args.clone())),
    }
}

fn sorted_value(value: Value) -> String {
    let mut value = doubles(value);
    value.sort_all_objects();
    value.to_string()
}

/// `params` and, unless it is empty, `nativeArgs`, with keys in any order.
fn as_params(args: Option<&Value>) -> String {
    let args = args.cloned().map(parsed);
    let field = |name| args.as_ref().and_then(|args| args.get(name)).cloned();
    let (mut params, native) = (field("params"), field("nativeArgs"));
    if params.is_none() && native.is_none() {
        params = args;
    }
    let native = native.filter(|native| match native {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    });
    format!(
        "{:?} {:?}",
        params.map(sorted_value),
        native.map(sorted_value)
    )
}

/// Numbers as JavaScript prints them.
fn doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(double) if double.fract() == 0.0 => (double as i64).into(),
            double => double.into(),
        },
        Value::Array(items) => items.into_iter().map(doubles).collect(),
        Value::Object(fields) => fields.into_iter().map(|(k, v)| (k, doubles(v))).collect(),
        other => other,
    }
}

/// The text of gemini-cli and its descendants, with a map of every window.
struct Prose {
    unit: usize,
    copies: usize,
    longest: usize,
    mean_distance: i64,
    gaps: usize,
    history: Vec<u16>,
    places: HashMap<Vec<u16>, Vec<i64>>,
    next: usize,
}

impl Prose {
    fn new(unit: i64, copies: i64, longest: i64, mean_distance: i64, gaps: usize) -> Self {
        Self {
            unit: unit as usize,
            copies: copies as usize,
            longest: longest as usize,
            mean_distance,
            gaps,
            history: Vec::new(),
            places: HashMap::new(),
            next: 0,
        }
    }

    fn reset(&mut self) {
        self.history.clear();
        self.places.clear();
        self.next = 0;
    }

    fn push(&mut self, delta: &str, counts: impl Fn(&[u16]) -> bool) -> bool {
        self.history.extend(delta.encode_utf16());
        if let Some(cut) = self.history.len().checked_sub(self.longest) {
            self.history.drain(..cut);
            self.next = self.next.saturating_sub(cut);
            for places in self.places.values_mut() {
                places.iter_mut().for_each(|place| *place -= cut as i64);
                places.retain(|place| *place >= 0);
            }
            self.places.retain(|_, places| !places.is_empty());
        }
        while self.next + self.unit <= self.history.len() {
            let window = &self.history[self.next..self.next + self.unit];
            if counts(window) {
                let places = self.places.entry(window.to_vec()).or_default();
                places.push(self.next as i64);
                if places.len() > 1 && self.is_loop(&self.places[window]) {
                    return true;
                }
            }
            self.next += 1;
        }
        false
    }

    fn is_loop(&self, places: &[i64]) -> bool {
        let Some(from) = places.len().checked_sub(self.copies) else {
            return false;
        };
        let places = &places[from..];
        let distance = places[self.copies - 1] - places[0];
        let gaps: HashSet<&[u16]> = places
            .windows(2)
            .map(|pair| &self.history[pair[0] as usize..pair[1] as usize])
            .collect();
        distance <= self.mean_distance * (self.copies as i64 - 1) && gaps.len() <= self.gaps
    }
}

fn says_something(window: &[u16]) -> bool {
    let window = String::from_utf16_lossy(window);
    let trimmed = window.trim();
    trimmed.encode_utf16().count() >= 15
        && !window
            .chars()
            .all(|c| c.is_whitespace() || "-=*_+|#.`/\\~".contains(c))
        && !window
            .chars()
            .all(|c| c.is_whitespace() || ('\u{2500}'..='\u{257f}').contains(&c))
}

/// gemini-cli's expressions.
struct Markdown {
    resets: Vec<Regex>,
    divider: Regex,
}

impl Markdown {
    fn new() -> Self {
        let resets = [
            "```",
            r"(^|\n)\s*(\|.*\||[|+-]{3,})",
            r"(^|\n)\s*[*-+]\s",
            r"(^|\n)\s*[0-9]+\.\s",
            r"(^|\n)#+\s",
            r"(^|\n)>\s",
        ];
        let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
        Self {
            resets: resets.into_iter().map(regex).collect(),
            divider: regex(r"^[+-_=*\u2500-\u257F]+$"),
        }
    }

    /// The number of fences, whether the text starts afresh, and whether it is a divider.
    fn of(&self, text: &str) -> (usize, bool, bool) {
        let is_divider = self.divider.is_match(text);
        let resets = is_divider || self.resets.iter().any(|pattern| pattern.is_match(text));
        (text.matches("```").count(), resets, is_divider)
    }
}
