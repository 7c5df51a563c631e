//! What other agents do, as plainly as it can be said: each goes through the whole history at every
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

/// What of a history is a loop; the last event is the one that has just come.
type Judge = Box<dyn FnMut(&[AgentEvent]) -> Action>;

pub struct Naive {
    /// Since the prompt began, or since a clear.
    history: Vec<AgentEvent>,
    prompt: Option<u8>,
    judge: Judge,
    latches: bool,
    /// Where a stop lasts as long as its reason: whether results are part of that.
    lasts: Option<Evidence>,
    clear_keeps_counts: bool,
    last: Action,
    /// Whether the history was a loop after the last event, and after the last that is no text.
    was_loop: bool,
    was_loop_before_text: bool,
}

/// What goes on with a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    Calls,
    CallsAndResults,
    /// Condensations are a loop of their own there.
    AndCondensations,
}

impl Naive {
    pub fn new(latches: bool, judge: impl FnMut(&[AgentEvent]) -> Action + 'static) -> Self {
        Self {
            history: Vec::new(),
            prompt: None,
            judge: Box::new(judge),
            latches,
            lasts: None,
            clear_keeps_counts: false,
            last: Action::Ok,
            was_loop: false,
            was_loop_before_text: false,
        }
    }

    pub fn lasting(
        evidence: Evidence,
        judge: impl FnMut(&[AgentEvent]) -> Action + 'static,
    ) -> Self {
        Self {
            lasts: Some(evidence),
            ..Self::new(false, judge)
        }
    }

    pub fn observe(&mut self, event: &AgentEvent) -> Action {
        if !(self.latches && self.last == Action::Stop) {
            self.history.push(event.clone());
            self.last = (self.judge)(&self.history);
            let is_loop = self.last == Action::Stop;
            let is_text = matches!(
                event,
                AgentEvent::Text { .. } | AgentEvent::Reasoning { .. }
            );
            let was_loop = self.was_loop_before_text || (!is_text && self.was_loop);
            self.was_loop = is_loop;
            if !is_text {
                self.was_loop_before_text = is_loop;
            }
            let goes_on = match event {
                AgentEvent::ToolCall { .. } => true,
                AgentEvent::ToolResult { .. } => self.lasts != Some(Evidence::Calls),
                AgentEvent::Condensation => self.lasts == Some(Evidence::AndCondensations),
                _ => false,
            };
            if self.lasts.is_some() && was_loop && !goes_on {
                self.last = Action::Ok;
            }
        }
        self.last
    }

    pub fn start_prompt(&mut self, id: u8) -> Action {
        if self.prompt != Some(id) {
            self.prompt = Some(id);
            self.history.clear();
            (self.judge)(&[]);
            (self.was_loop, self.was_loop_before_text) = (false, false);
            self.last = Action::Ok;
        }
        self.last
    }

    pub fn clear(&mut self) -> Action {
        if !self.clear_keeps_counts {
            self.history.clear();
            (self.judge)(&[]);
            (self.was_loop, self.was_loop_before_text) = (false, false);
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
        let markdown = Markdown::new(false);
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
        Self::lasting(Evidence::Calls, move |events| {
            // A string stands for itself, anything else for its JSON; no arguments are null.
            let keys: Vec<String> = calls(events, |args| match args {
                Some(Value::String(text)) => text.clone(),
                args => sorted(Some(args.unwrap_or(&Value::Null))),
            })
            .collect();
            let count = row(&keys) as u64;
            let is_call = matches!(events.last(), Some(AgentEvent::ToolCall { .. }));
            match count {
                count if count >= hard => Action::Stop,
                // Said once.
                count if count == soft && is_call => Action::Nudge,
                _ => Action::Ok,
            }
        })
    }

    pub fn crush(window: usize, repeats: usize) -> Self {
        Self::lasting(Evidence::CallsAndResults, move |events| {
            let mut steps: Vec<Vec<(String, Option<Option<String>>)>> = Vec::new();
            let mut unanswered = Unanswered::default();
            let mut is_open = false;
            let mut has_begun = false;
            for event in events {
                match event {
                    AgentEvent::TurnStarted => {
                        if has_begun && !is_open {
                            steps.push(Vec::new());
                        }
                        (is_open, has_begun) = (false, true);
                    }
                    AgentEvent::Text { .. } | AgentEvent::Reasoning { .. } if !is_open => {
                        steps.push(Vec::new());
                        is_open = true;
                    }
                    AgentEvent::ToolCall { id, name, args } => {
                        if !is_open {
                            steps.push(Vec::new());
                            is_open = true;
                        }
                        let step = steps.last_mut().expect("just pushed");
                        step.push((format!("{name} {}", as_written(args.as_ref())), None));
                        let call = (steps.len() - 1, steps[steps.len() - 1].len() - 1);
                        unanswered.add(id.as_deref(), call);
                    }
                    AgentEvent::ToolResult { id, output, .. } => {
                        if let Some((step, call)) = unanswered.take(id.as_deref()) {
                            steps[step][call].1 =
                                Some(Some(output.clone()).filter(|it| !it.is_empty()));
                        }
                    }
                    _ => {}
                }
            }
            let Some(from) = steps.len().checked_sub(window) else {
                return Action::Ok;
            };
            let mut last = &steps[from..];
            // A step is compared when it is over, or has all its results.
            let waits = |step: &Vec<(String, Option<Option<String>>)>| {
                step.iter().any(|(_, result)| result.is_none())
            };
            let is_result = |event: &&AgentEvent| matches!(event, AgentEvent::ToolResult { .. });
            let results = events.iter().filter(is_result).count();
            let calls = events.iter().filter_map(name_of).count();
            let is_blind = results == 0 && calls >= 6;
            if is_open && !is_blind && last.last().is_some_and(waits) {
                last = &last[..last.len() - 1];
            }
            let said = |(call, result): &(String, Option<Option<String>>)| {
                (call.clone(), result.clone().flatten())
            };
            let last: Vec<Vec<(String, Option<String>)>> = last
                .iter()
                .map(|step| step.iter().map(said).collect())
                .collect();
            stop_if(last.iter().any(|step| {
                let times = last.iter().filter(|other| *other == step).count();
                !step.is_empty() && times > repeats
            }))
        })
    }

    pub fn openhands(headless: bool) -> Self {
        Self::lasting(Evidence::AndCondensations, move |events| {
            let mut from = 0;
            if !headless {
                let last = events
                    .iter()
                    .rposition(|event| matches!(event, AgentEvent::UserMessage));
                from = last.map_or(0, |last| last + 1);
            }
            stop_if(is_stuck(&seen(events, from)))
        })
    }
}

pub fn stop_if(is_loop: bool) -> Action {
    if is_loop { Action::Stop } else { Action::Ok }
}

fn name_of(event: &AgentEvent) -> Option<&str> {
    match event {
        AgentEvent::ToolCall { name, .. } => Some(name),
        _ => None,
    }
}

/// What the calls are compared by.
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
pub fn row<T: PartialEq>(items: &[T]) -> usize {
    let last = items.last();
    items
        .iter()
        .rev()
        .take_while(|item| Some(*item) == last)
        .count()
}

pub fn parsed(args: Value) -> Value {
    match &args {
        Value::String(text) => serde_json::from_str(text).unwrap_or(args),
        _ => args,
    }
}

/// With numbers as JavaScript has them.
pub fn in_order(args: Option<&Value>) -> String {
    match args {
        None => "none".to_owned(),
        Some(args) => doubles(parsed(args.clone())).to_string(),
    }
}

pub fn sorted(args: Option<&Value>) -> String {
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

fn as_written(args: Option<&Value>) -> String {
    match args {
        Some(Value::String(text)) => format!("text {text}"),
        args => in_order(args),
    }
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

/// The calls that no result has answered, by their ids.
pub struct Unanswered<T>(Vec<(Option<String>, T)>);

impl<T> Default for Unanswered<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Unanswered<T> {
    pub fn add(&mut self, id: Option<&str>, call: T) {
        self.0.push((id.map(str::to_owned), call));
    }

    pub fn take(&mut self, id: Option<&str>) -> Option<T> {
        let found = match id {
            Some(id) => {
                let newest = self
                    .0
                    .iter()
                    .rposition(|call| call.0.as_deref() == Some(id));
                newest.or_else(|| self.0.iter().position(|call| call.0.is_none()))
            }
            None => (!self.0.is_empty()).then_some(0),
        };
        found.map(|at| self.0.remove(at).1)
    }
}

/// An entry of OpenHands' history.
#[derive(Debug, Clone, PartialEq)]
enum Seen {
    Call(String),
    Message(String),
    Result {
        key: String,
        is_error: bool,
        output: String,
    },
    Condensation,
}

/// The history from a place on, and the calls before it, for their results may come after it.
fn seen(events: &[AgentEvent], from: usize) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut unanswered = Unanswered::default();
    let mut message = String::new();
    for (at, event) in events.iter().enumerate() {
        let mut next = Vec::new();
        match event {
            AgentEvent::Text { text } => {
                message.push_str(text);
                continue;
            }
            AgentEvent::Reasoning { .. } | AgentEvent::Other => continue,
            AgentEvent::ToolCall { id, name, args } => {
                let key = format!("{name} {}", sorted(args.as_ref()));
                unanswered.add(id.as_deref(), (name.clone(), key.clone()));
                // The message in front of it is its thought.
                let thought = std::mem::take(&mut message);
                next.push(match replacing_edit(args.as_ref()) {
                    Some(Some(lines)) => Seen::Call(format!("{name} edits {lines:?}")),
                    Some(None) => Seen::Call(format!("edit {at}")),
                    None if thought.trim().is_empty() => Seen::Call(key),
                    None => Seen::Call(format!("{key} because {thought}")),
                });
            }
            AgentEvent::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } => {
                let call = unanswered.take(id.as_deref());
                let key = match (call, exit_code) {
                    (Some((name, key)), Some(exit_code)) if name == "bash" => {
                        format!("{key} exits with {exit_code}")
                    }
                    _ => format!("says {output}"),
                };
                next.push(Seen::Result {
                    key,
                    is_error: *is_error == Some(true),
                    output: output.clone(),
                });
            }
            AgentEvent::Condensation => next.push(Seen::Condensation),
            _ => {}
        }
        if !message.trim().is_empty() {
            all.push((at, Seen::Message(std::mem::take(&mut message))));
        }
        message.clear();
        all.extend(next.into_iter().map(|entry| (at, entry)));
    }
    if !message.trim().is_empty() {
        all.push((events.len(), Seen::Message(message)));
    }
    // A message that the user's ends comes after what counts.
    let counts = |at: &usize| from == 0 || *at >= from;
    all.into_iter()
        .filter(|(at, _)| counts(at))
        .map(|(_, entry)| entry)
        .collect()
}

fn is_stuck(history: &[Seen]) -> bool {
    let is_action = |entry: &&Seen| matches!(entry, Seen::Call(_) | Seen::Message(_));
    // From the last to the first.
    let actions: Vec<&Seen> = history.iter().rev().filter(is_action).collect();
    let results: Vec<&Seen> = history
        .iter()
        .rev()
        .filter(|entry| !is_action(entry))
        .collect();
    let equal = |of: &[&Seen], count: usize| {
        of.len() >= count && of[..count].iter().all(|entry| *entry == of[0])
    };
    let comparable: Vec<Seen> = results.iter().map(|entry| compared(entry)).collect();
    let comparable: Vec<&Seen> = comparable.iter().collect();

    if equal(&actions, 4) && equal(&comparable, 4) {
        return true;
    }
    if equal(&actions, 3) && results.len() >= 3 {
        let errors = |entry: &&Seen| matches!(entry, Seen::Result { is_error: true, .. });
        if results[..3].iter().all(errors) {
            return true;
        }
        let syntax: Vec<Option<String>> = results[..3].iter().map(|it| syntax_error(it)).collect();
        if syntax[0].is_some() && syntax.iter().all(|error| *error == syntax[0]) {
            return true;
        }
    }
    let messages: Vec<usize> = (0..history.len())
        .filter(|at| matches!(history[*at], Seen::Message(_)))
        .collect();
    if let Some(from) = messages.len().checked_sub(3) {
        let last = &messages[from..];
        let are_equal = last.iter().all(|at| history[*at] == history[last[0]]);
        let between = &history[last[0]..last[2]];
        if are_equal && between.iter().all(|entry| is_action(&entry)) {
            return true;
        }
    }
    let alternate = |of: &[&Seen]| of.len() >= 6 && (2..6).all(|at| of[at] == of[at - 2]);
    if alternate(&actions) && alternate(&comparable) {
        return true;
    }
    let condensations: Vec<usize> = (0..history.len())
        .filter(|at| history[*at] == Seen::Condensation)
        .collect();
    condensations.len().checked_sub(10).is_some_and(|from| {
        condensations[from..]
            .windows(2)
            .all(|pair| pair[1] == pair[0] + 1)
    })
}

/// Of a result, what is compared.
fn compared(entry: &Seen) -> Seen {
    match entry {
        Seen::Result { key, is_error, .. } => Seen::Result {
            key: key.clone(),
            is_error: *is_error,
            output: String::new(),
        },
        other => other.clone(),
    }
}

/// The first three lines of a cell that edits by replacing, if it has as many.
fn replacing_edit(args: Option<&Value>) -> Option<Option<Vec<String>>> {
    let args = args.cloned().map(parsed)?;
    let code = args.get("code")?.as_str()?;
    code.contains("edit_file_by_replace(").then(|| {
        let lines: Vec<String> = code.split('\n').map(str::to_owned).collect();
        (lines.len() > 2).then(|| lines[..3].to_vec())
    })
}

/// The syntax error that an output ends in, with what has to be equal.
fn syntax_error(entry: &Seen) -> Option<String> {
    let Seen::Result { output, .. } = entry else {
        return None;
    };
    let lines: Vec<&str> = output.trim().lines().collect();
    let [.., error, folder, interpreter] = lines[..] else {
        return None;
    };
    if !folder.starts_with("[Jupyter current working directory:")
        || !interpreter.starts_with("[Jupyter Python interpreter:")
    {
        return None;
    }
    if error.contains("SyntaxError: unterminated string literal (detected at line") {
        return Some(error.to_owned());
    }
    let is_other = [
        "invalid syntax. Perhaps you forgot a comma?",
        "incomplete input",
    ]
    .iter()
    .any(|words| error.contains(&format!("SyntaxError: {words}")));
    let is_cell = lines.len() >= 6 && lines[0].starts_with("Cell In[1], line");
    (is_other && is_cell).then(|| format!("{} {error}", lines[0]))
}

/// The text of gemini-cli and its descendants, with a map of every window.
pub struct Prose {
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
    pub fn new(unit: i64, copies: i64, longest: i64, mean_distance: i64, gaps: usize) -> Self {
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

    pub fn reset(&mut self) {
        self.history.clear();
        self.places.clear();
        self.next = 0;
    }

    pub fn push(&mut self, delta: &str, counts: impl Fn(&[u16]) -> bool) -> bool {
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

/// gemini-cli's expressions, or those that Qwen Code has mended.
pub struct Markdown {
    resets: Vec<Regex>,
    divider: Regex,
}

impl Markdown {
    pub fn new(is_strict: bool) -> Self {
        let (bullets, lines) = match is_strict {
            true => (r"(^|\n)\s*[-*+]\s", r"^[-+_=*\u2500-\u257F]+$"),
            false => (r"(^|\n)\s*[*-+]\s", r"^[+-_=*\u2500-\u257F]+$"),
        };
        let resets = [
            "```",
            r"(^|\n)\s*(\|.*\||[|+-]{3,})",
            bullets,
            r"(^|\n)\s*[0-9]+\.\s",
            r"(^|\n)#+\s",
            r"(^|\n)>\s",
        ];
        let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
        Self {
            resets: resets.into_iter().map(regex).collect(),
            divider: regex(lines),
        }
    }

    /// How many fences there are, whether the text starts afresh, and whether it is a divider.
    pub fn of(&self, text: &str) -> (usize, bool, bool) {
        let is_divider = self.divider.is_match(text);
        let resets = is_divider || self.resets.iter().any(|pattern| pattern.is_match(text));
        (text.matches("```").count(), resets, is_divider)
    }
}
