//! What five more agents do, read from their sources, as plainly as it can be said: each goes through the
//! whole history at every event.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use turnkeeper_loop_detector::AgentEvent;

use super::super::peers::naive::{
    Action, Evidence, Markdown, Naive, Prose, Unanswered, in_order, parsed, sorted, stop_if,
};

fn key_of(name: &str, args: Option<&Value>) -> String {
    format!("{name} {}", sorted(args))
}

// ---------- OpenHands' software agent SDK

/// An event of the SDK, as far as it is compared.
#[derive(Debug, Clone, PartialEq)]
enum SdkEvent {
    User,
    Message,
    Action(String),
    Observation(String),
    AgentError(String),
    Condensation,
}

fn sdk_events(events: &[AgentEvent]) -> Vec<SdkEvent> {
    let mut all = Vec::new();
    let mut calls = Unanswered::default();
    let mut message = String::new();
    for event in events {
        match event {
            AgentEvent::Text { text } => {
                message.push_str(text);
                continue;
            }
            AgentEvent::Reasoning { .. } | AgentEvent::Other => continue,
            AgentEvent::ToolCall { id, name, args } => {
                calls.add(id.as_deref(), name.clone());
                let mut action = key_of(name, args.as_ref());
                if !message.trim().is_empty() {
                    action = format!("{message:?} {action}");
                }
                all.push(SdkEvent::Action(action));
                message.clear();
                continue;
            }
            _ => {}
        }
        if !std::mem::take(&mut message).trim().is_empty() {
            all.push(SdkEvent::Message);
        }
        match event {
            AgentEvent::ToolResult {
                id,
                output,
                is_error,
                ..
            } => {
                let tool = calls.take(id.as_deref());
                all.push(match is_error {
                    Some(true) => SdkEvent::AgentError(output.clone()),
                    _ => SdkEvent::Observation(format!("{tool:?} {output}")),
                });
            }
            AgentEvent::Condensation => all.push(SdkEvent::Condensation),
            AgentEvent::UserMessage => all.push(SdkEvent::User),
            _ => {}
        }
    }
    all
}

/// `[pairs, errors, messages, rounds, window]`.
pub fn openhands_sdk(limits: [usize; 5]) -> Naive {
    let [pairs, errors, messages, rounds, window] = limits;
    Naive::lasting(Evidence::CallsAndResults, move |events| {
        let all = sdk_events(events);
        let from = all.iter().rposition(|event| *event == SdkEvent::User);
        let all = &all[from.map_or(0, |user| user + 1)..];
        let recent = &all[all.len().saturating_sub(window)..];
        // From the last to the first.
        let is_action = |event: &&SdkEvent| matches!(event, SdkEvent::Action(_));
        let is_error = |event: &&SdkEvent| matches!(event, SdkEvent::AgentError(_));
        let is_result =
            |event: &&SdkEvent| matches!(event, SdkEvent::Observation(_) | SdkEvent::AgentError(_));
        let actions: Vec<&SdkEvent> = recent.iter().rev().filter(is_action).collect();
        let results: Vec<&SdkEvent> = recent.iter().rev().filter(is_result).collect();
        let equal = |of: &[&SdkEvent], count: usize| {
            of.len() >= count && of[..count].iter().all(|event| *event == of[0])
        };
        let fails = |count: usize| {
            equal(&actions, count)
                && results.len() >= count
                && results[..count].iter().all(is_error)
        };
        let alternate = |of: &[&SdkEvent]| {
            of.len() >= 2 * rounds && (0..2 * rounds - 2).all(|at| of[at] == of[at + 2])
        };
        let monologue = recent
            .iter()
            .rev()
            .filter(|event| **event != SdkEvent::Condensation)
            .take_while(|event| **event == SdkEvent::Message)
            .count();
        if (equal(&actions, pairs) && equal(&results, pairs))
            || fails(errors)
            || monologue >= messages
            || (alternate(&actions) && alternate(&results))
        {
            return Action::Stop;
        }
        let is_told = matches!(events.last(), Some(AgentEvent::ToolResult { .. }));
        match errors > 1 && is_told && fails(errors - 1) {
            true => Action::Nudge,
            false => Action::Ok,
        }
    })
}

// ---------- opencode

/// A part of opencode's messages.
#[derive(PartialEq)]
enum Part {
    Tool(String),
    Other,
}

pub fn opencode(threshold: usize) -> Naive {
    Naive::lasting(Evidence::Calls, move |events| {
        let parts: Vec<Part> = events
            .iter()
            .filter_map(|event| match event {
                AgentEvent::ToolCall { name, args, .. } => {
                    Some(Part::Tool(format!("{name} {}", in_order(args.as_ref()))))
                }
                AgentEvent::Text { .. }
                | AgentEvent::Reasoning { .. }
                | AgentEvent::TurnStarted
                | AgentEvent::Finished
                | AgentEvent::UserMessage => Some(Part::Other),
                _ => None,
            })
            .collect();
        let Some(from) = parts.len().checked_sub(threshold) else {
            return Action::Ok;
        };
        let last = &parts[from..];
        stop_if(
            last.iter()
                .all(|part| *part != Part::Other && *part == last[0]),
        )
    })
}

// ---------- Qwen Code

#[derive(Debug, Clone, Copy)]
pub struct QwenLimits {
    pub identical: usize,
    pub overviews: usize,
    pub cap: usize,
    pub cap_repeats: usize,
    pub heuristics: Option<QwenHeuristics>,
}

#[derive(Debug, Clone, Copy)]
pub struct QwenHeuristics {
    pub duplicates: usize,
    pub rounds: usize,
    pub reads: usize,
    pub window: usize,
    pub same_tool: usize,
    pub thoughts: usize,
    pub copies: i64,
    pub unit: i64,
}

/// What is known of the results of one stateful call.
#[derive(Default)]
struct Stateful {
    observed: usize,
    unchanged: usize,
    identical: usize,
    last: Option<String>,
    all: Vec<String>,
    in_flight: usize,
}

pub fn qwen_code(limits: QwenLimits) -> Naive {
    let heuristics = limits.heuristics;
    let mut prose = heuristics.map(|it| Prose::new(it.unit, it.copies, 1_000, 75, usize::MAX));
    let markdown = Markdown::new(true);
    let mut in_code = false;
    Naive::new(true, move |events| {
        let mut chants = false;
        if let Some(prose) = &mut prose {
            match events.last() {
                None | Some(AgentEvent::ToolCall { .. }) => prose.reset(),
                Some(AgentEvent::Text { text }) => {
                    let (fences, resets, is_divider) = markdown.of(text);
                    if resets {
                        prose.reset();
                    }
                    let was_in_code = in_code;
                    in_code ^= fences % 2 == 1;
                    chants = !(was_in_code || in_code || is_divider) && prose.push(text, |_| true);
                }
                _ => {}
            }
        }
        stop_if(chants || qwen_fires(events, limits))
    })
}

/// Whether the last event is a loop, if none before it was.
fn qwen_fires(events: &[AgentEvent], limits: QwenLimits) -> bool {
    let mut fires = false;
    let mut unanswered: Unanswered<(String, String)> = Unanswered::default();
    let (mut last_key, mut repeats) = (String::new(), 0);
    let mut overviews = 0;
    let (mut total, mut counts) = (0, HashMap::<String, usize>::new());
    let mut stateful: HashMap<String, Stateful> = HashMap::new();
    let mut answered: HashSet<String> = HashSet::new();
    let mut recent: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut same_tool = 0;
    let mut thoughts: Vec<String> = Vec::new();
    for event in events {
        fires = false;
        match event {
            AgentEvent::ToolCall { id, name, args } => {
                let key = key_of(name, args.as_ref());
                let is_stateful = name == "task_list";
                unanswered.add(id.as_deref(), (name.clone(), key.clone()));
                // Identical calls.
                if repeats > 0 && last_key == key {
                    repeats += 1;
                } else {
                    for key in [&last_key, &key] {
                        if let Some(state) = stateful.get_mut(key) {
                            (state.observed, state.unchanged) = (0, 0);
                        }
                    }
                    (last_key, repeats) = (key.clone(), 1);
                }
                if repeats >= limits.identical {
                    let expected = repeats - 1;
                    match stateful.get_mut(&key).filter(|_| is_stateful) {
                        Some(state)
                            if state.observed >= expected && state.unchanged + 1 < expected =>
                        {
                            (state.observed, state.unchanged) = (0, 0);
                            repeats = 1;
                        }
                        _ => fires = true,
                    }
                }
                // Overviews.
                overviews = if is_overview(name, args.as_ref()) {
                    overviews + 1
                } else {
                    0
                };
                fires |= overviews >= limits.overviews;
                // The cap.
                total += 1;
                if !is_stateful {
                    *counts.entry(key.clone()).or_default() += 1;
                }
                let identical = stateful.values().map(|state| state.identical).max();
                let most = counts.values().copied().max().max(identical).unwrap_or(0);
                fires |= total > limits.cap && most >= limits.cap_repeats;
                // The optional rules.
                thoughts.clear();
                same_tool = if names.last() == Some(name) {
                    same_tool + 1
                } else {
                    1
                };
                names.push(name.clone());
                if is_stateful {
                    stateful.entry(key.clone()).or_default().in_flight += 1;
                }
                let Some(optional) = limits.heuristics else {
                    continue;
                };
                fires |= !is_stateful && counts[&key] >= optional.duplicates;
                recent.push(key.clone());
                if alternates(&recent, optional.rounds) {
                    let pair = &recent[recent.len() - 2..];
                    let has_changed = pair.iter().any(|key| {
                        let Some(state) = stateful.get(key) else {
                            return false;
                        };
                        let expected = optional.rounds - state.in_flight.min(optional.rounds);
                        let from = state.all.len().checked_sub(expected);
                        from.is_some_and(|from| {
                            state.all[from..].iter().any(|it| *it != state.all[from])
                        })
                    });
                    match has_changed {
                        true => recent.clear(),
                        false => fires = true,
                    }
                }
                let is_read = |name: &String| {
                    name.starts_with("read_") || name.starts_with("list_") || name == "zoom_image"
                };
                let window = &names[names.len().saturating_sub(optional.window)..];
                let reads = window.iter().filter(|name| is_read(name)).count();
                fires |= reads >= optional.reads && !names.iter().all(is_read);
                fires |= same_tool >= optional.same_tool;
            }
            AgentEvent::ToolResult {
                id,
                output,
                is_error,
                ..
            } => {
                let Some((name, key)) = unanswered.take(id.as_deref()) else {
                    continue;
                };
                if name != "task_list" {
                    continue;
                }
                answered.insert(key.clone());
                let result = format!("{:?} {output}", *is_error == Some(true));
                let state = stateful.entry(key.clone()).or_default();
                state.in_flight = state.in_flight.saturating_sub(1);
                state.all.push(result.clone());
                let is_first = state.last.is_none();
                let has_changed = !is_first && state.last.as_ref() != Some(&result);
                if repeats > 0 && last_key == key {
                    state.observed += 1;
                    match has_changed {
                        true => state.unchanged = 0,
                        false if !is_first => state.unchanged += 1,
                        false => {}
                    }
                }
                state.last = Some(result);
                if has_changed && names.last() == Some(&name) {
                    same_tool = 1;
                }
                state.identical = if has_changed { 1 } else { state.identical + 1 };
                fires = limits
                    .heuristics
                    .is_some_and(|it| state.identical >= it.duplicates);
            }
            AgentEvent::Finished => {
                for (key, state) in &mut stateful {
                    if !answered.contains(key) {
                        (state.observed, state.unchanged, state.identical) = (0, 0, 0);
                    }
                }
                answered.clear();
            }
            AgentEvent::Reasoning { text } if !text.trim().is_empty() => {
                let Some(optional) = limits.heuristics else {
                    continue;
                };
                let (subject, description) = thought(text);
                let description: String = description.to_lowercase().chars().take(200).collect();
                thoughts.push(format!("{}|{description}", subject.to_lowercase()));
                let from = thoughts.len().checked_sub(optional.thoughts);
                fires = from.is_some_and(|from| {
                    let last = &thoughts[from..];
                    last.iter().all(|thought| *thought == last[0])
                });
            }
            _ => {}
        }
    }
    fires
}

fn alternates(keys: &[String], rounds: usize) -> bool {
    let Some(from) = keys.len().checked_sub(2 * rounds) else {
        return false;
    };
    let last = &keys[from..];
    last[0] != last[1] && (2..last.len()).all(|at| last[at] == last[at - 2])
}

/// The commands that the conversations here have.
fn is_overview(name: &str, args: Option<&Value>) -> bool {
    let args = args.cloned().map(parsed);
    let command = args.as_ref().and_then(|args| args.get("command")?.as_str());
    let known = [
        "git status",
        "git diff HEAD && git ls-files",
        "GIT --no-pager Diff",
    ];
    name == "run_shell_command" && command.is_some_and(|command| known.contains(&command))
}

fn thought(text: &str) -> (String, String) {
    let Some((before, rest)) = text.split_once("**") else {
        return (String::new(), text.trim().to_owned());
    };
    match rest.split_once("**") {
        Some((subject, after)) => (
            subject.trim().to_owned(),
            format!("{before}{after}").trim().to_owned(),
        ),
        None => (String::new(), text.trim().to_owned()),
    }
}

// ---------- OpenClaw

struct ClawCall {
    tool: String,
    signature: String,
    args: Option<Value>,
    result: Option<String>,
    unknown: Option<String>,
}

/// `[same, polls, in turn, unknown, window]`.
pub fn openclaw(limits: [usize; 5]) -> Naive {
    let [same, polls, in_turn, unknown, window] = limits;
    Naive::new(false, move |events| {
        if !matches!(events.last(), Some(AgentEvent::ToolCall { .. })) {
            return Action::Ok;
        }
        let mut all: Vec<ClawCall> = Vec::new();
        let mut unanswered = Unanswered::default();
        for event in events {
            match event {
                AgentEvent::ToolCall { id, name, args } => {
                    unanswered.add(id.as_deref(), all.len());
                    all.push(ClawCall {
                        tool: name.clone(),
                        signature: key_of(name, args.as_ref()),
                        args: args.clone().map(parsed),
                        result: None,
                        unknown: None,
                    });
                }
                AgentEvent::ToolResult {
                    id,
                    output,
                    is_error,
                    ..
                } => {
                    if let Some(call) = unanswered.take(id.as_deref()) {
                        let is_error = *is_error == Some(true);
                        all[call].result = Some(format!("{is_error} {output}"));
                        // The errors that the conversations here have.
                        let name = output.strip_prefix("Unknown tool: ").filter(|_| is_error);
                        all[call].unknown = name.map(str::to_lowercase);
                    }
                }
                _ => {}
            }
        }
        let recent = &all[all.len().saturating_sub(window)..];
        let (now, history) = recent.split_last().expect("a call");
        // Every count has the call at hand in it.
        let mut unknown_streak = 0;
        for call in history.iter().rev() {
            let is_first = unknown_streak == 0;
            let last = &history[history.len() - 1].unknown;
            if call.tool != now.tool || call.unknown.is_none() || call.unknown != *last {
                break;
            }
            unknown_streak += if is_first { 2 } else { 1 };
        }
        let mut no_progress = 1;
        let mut latest: Option<&String> = None;
        for call in history.iter().rev() {
            if call.signature != now.signature {
                continue;
            }
            let Some(result) = &call.result else {
                continue;
            };
            if latest.is_some_and(|latest| latest != result) {
                break;
            }
            latest = Some(result);
            no_progress += 1;
        }
        let (turns, no_change) = ping_pong(history, &now.signature);
        let repeats = recent
            .iter()
            .filter(|call| call.signature == now.signature)
            .count();
        let action = now
            .args
            .as_ref()
            .and_then(|args| args.get("action")?.as_str());
        let is_poll = now.tool == "command_status"
            || (now.tool == "process" && matches!(action, Some("poll" | "log")));
        if unknown_streak >= unknown {
            return Action::Stop;
        }
        if is_poll && no_progress >= polls {
            return if no_progress >= 2 * polls {
                Action::Stop
            } else {
                Action::Nudge
            };
        }
        if turns >= 2 * in_turn && no_change {
            return Action::Stop;
        }
        if turns >= in_turn {
            return Action::Nudge;
        }
        if !is_poll && no_progress >= 2 * same {
            return Action::Stop;
        }
        if !is_poll && repeats >= same {
            return Action::Nudge;
        }
        Action::Ok
    })
}

/// The calls that take turns, the one at hand included, and whether nothing has changed.
fn ping_pong(history: &[ClawCall], current: &str) -> (usize, bool) {
    let Some(last) = history.last() else {
        return (0, false);
    };
    let Some(other) = history
        .iter()
        .rev()
        .find(|call| call.signature != last.signature)
    else {
        return (0, false);
    };
    let mut tail = 0;
    for call in history.iter().rev() {
        let expected = if tail % 2 == 0 { last } else { other };
        if call.signature != expected.signature {
            break;
        }
        tail += 1;
    }
    if tail < 2 || current != other.signature {
        return (0, false);
    }
    let mut results: HashMap<&str, HashSet<Option<&String>>> = HashMap::new();
    for call in &history[history.len() - tail..] {
        let of = results.entry(&call.signature).or_default();
        of.insert(call.result.as_ref());
    }
    let no_change = results
        .values()
        .all(|of| of.len() == 1 && !of.contains(&None));
    (tail + 1, no_change)
}

// ---------- goose

pub fn goose(max_repetitions: Option<usize>, errors: usize) -> Naive {
    Naive::lasting(Evidence::CallsAndResults, move |events| {
        let mut last_call = None;
        let mut repeats = 0;
        let mut last_error: Option<(Option<String>, String)> = None;
        let mut failures = 0;
        let mut unanswered = Unanswered::default();
        let mut denied = false;
        let mut fails = false;
        for event in events {
            fails = false;
            match event {
                AgentEvent::ToolCall { id, name, args } => {
                    unanswered.add(id.as_deref(), name.clone());
                    let call = Some(key_of(name, args.as_ref()));
                    repeats = if call == last_call { repeats + 1 } else { 1 };
                    last_call = call;
                    denied = max_repetitions.is_some_and(|most| repeats > most);
                }
                AgentEvent::ToolResult {
                    id,
                    output,
                    is_error: Some(true),
                    ..
                } => {
                    let tool = unanswered.take(id.as_deref());
                    let error = Some((tool, output.chars().take(100).collect()));
                    failures = if error == last_error { failures + 1 } else { 1 };
                    last_error = error;
                    if failures >= errors {
                        (failures, fails) = (0, true);
                    }
                }
                AgentEvent::ToolResult { id, .. } => {
                    unanswered.take(id.as_deref());
                    (last_error, failures) = (None, 0);
                }
                _ => {}
            }
        }
        stop_if(denied || fails)
    })
}
