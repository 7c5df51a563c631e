//! The profile `adaptive` beside a detector that goes through the whole history at every event, and
//! compares what was said and done instead of hashes.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use turnkeeper_core::loop_detector::Channel;
use turnkeeper_core::{AgentEvent, LoopDetector};

use super::conversation;
use super::counts::work;
use super::{detector, play};

/// The rules for hosts that show no results have fixtures.
const ADAPTIVE: &str =
    r#"{"profile": "adaptive", "modelCheck": false, "blindCalls": false, "blindRounds": false}"#;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Look,
    Edit,
    Write,
    Wait,
    Print,
    Other,
}

/// Calls: their tools, arguments, and which file they write.
const CALLS: [(&str, &str, Kind); 12] = [
    ("read_file", r#"{"path": "a"}"#, Kind::Look),
    ("read_file", r#"{"path": "b"}"#, Kind::Look),
    ("search_files", r#"{"regex": "a"}"#, Kind::Look),
    ("replace", r#"{"path": "a", "text": "x"}"#, Kind::Edit),
    ("replace", r#"{"path": "a", "text": "y"}"#, Kind::Edit),
    ("write_file", r#"{"path": "a", "text": "x"}"#, Kind::Write),
    ("write_file", r#"{"path": "a", "text": "y"}"#, Kind::Write),
    ("process", r#"{"action": "poll", "id": "a"}"#, Kind::Wait),
    ("bash", r#"{"command": "echo a"}"#, Kind::Print),
    ("bash", r#"{"command": "echo b"}"#, Kind::Print),
    ("paint", r#"{"what": "the old gate red"}"#, Kind::Other),
    ("paint", r#"{"what": "the old gate blue"}"#, Kind::Other),
];

/// Answers: whether they are errors, found nothing, or acknowledge, and what they are but for numbers.
const ANSWERS: [(&str, bool, bool, bool, &str); 6] = [
    ("Twelve beds of roses", false, false, false, "a"),
    ("Raked it", false, false, false, "b"),
    ("Error: the gate is shut", true, false, false, "c"),
    ("", false, true, true, "d"),
    ("7 lamps burn in the mill", false, false, false, "e"),
    ("The well behind the hill is dry", false, false, false, "f"),
];

/// A call and its answer, if there is one.
#[derive(Debug, Clone, Copy)]
struct Turn {
    call: usize,
    answer: Option<usize>,
}

fn turn() -> impl Strategy<Value = Turn> {
    let answer = prop_oneof![20 => (0..ANSWERS.len()).prop_map(Some), 1 => Just(None)];
    (0..CALLS.len(), answer).prop_map(|(call, answer)| Turn { call, answer })
}

/// Turns that go round, with another one here and there.
fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let round = (
        proptest::collection::vec(turn(), 1..7),
        1usize..9,
        proptest::collection::vec((any::<proptest::sample::Index>(), turn()), 0..3),
    );
    let part = round.prop_map(|(round, times, others)| {
        let mut all = round.repeat(times);
        for (at, other) in others {
            let at = at.index(all.len());
            all[at] = other;
        }
        all
    });
    proptest::collection::vec(part, 1..5).prop_map(|parts| parts.concat())
}

/// A run of turns with one thing in common: what, how often, whether told, and the calls.
#[derive(Default)]
struct Run {
    key: Option<String>,
    count: u64,
    nudged: bool,
    calls: Vec<usize>,
    last_request: usize,
}

impl Run {
    /// Calls of one request count once.
    fn add(&mut self, key: Option<String>, call: usize, request: usize) {
        if key.is_none() || self.key != key {
            *self = Self::default();
        }
        if key.is_some() {
            self.key = key;
            self.count += u64::from(self.count == 0 || self.last_request != request);
            self.last_request = request;
            self.calls.push(call);
        }
    }

    fn differs(&self) -> bool {
        self.calls.iter().any(|call| *call != self.calls[0])
    }

    fn judge(&mut self, rule: &'static str, nudge: u64) -> Option<(bool, &'static str)> {
        let patience = match rule {
            "repeated_results" => 2,
            "repeated_edits" | "rewrites" => 3,
            "repeated_waits" => 2.max(nudge.div_ceil(2)),
            _ => 6,
        };
        let stop = nudge + patience;
        if self.nudged && self.count >= stop {
            return Some((true, rule));
        }
        if !self.nudged && self.count >= nudge {
            self.nudged = true;
            return Some((false, rule));
        }
        None
    }
}

/// The request of each turn: a result ends one, and if none has come by the sixth call, each is one.
fn requests(turns: &[Turn]) -> Vec<usize> {
    let mut request = 0;
    let mut is_over = true;
    let mut had_result = false;
    let of_turn = turns.iter().enumerate().map(|(at, turn)| {
        request += usize::from(is_over || !had_result && at >= 5);
        is_over = turn.answer.is_some();
        had_result |= is_over;
        request
    });
    of_turn.collect()
}

/// Whether an answer waits for that of an earlier call of its request, which never comes: until the next call.
fn waits(turns: &[Turn], at: usize) -> bool {
    let requests = requests(&turns[..=at]);
    let is_open = |other: usize| requests[other] == requests[at] && turns[other].answer.is_none();
    turns[at].answer.is_some() && (0..at).any(is_open)
}

/// Of two verdicts at one event a stop, and otherwise the first.
fn worse(
    first: Option<(bool, &'static str)>,
    second: Option<(bool, &'static str)>,
) -> Option<(bool, &'static str)> {
    let is_stop = |found: &(bool, &str)| found.0;
    first
        .filter(is_stop)
        .or(second.filter(is_stop))
        .or(first)
        .or(second)
}

/// The last verdict after these turns, the answer of the last of them perhaps still to come: whether it
/// is a stop, and the rule.
fn naive(turns: &[Turn], has_answer: bool) -> Option<(bool, &'static str)> {
    let mut same = Run::default();
    let mut waiting = Run::default();
    let mut errors = Run::default();
    let mut searches = Run::default();
    let mut edits = Run::default();
    let mut writes = Run::default();
    let mut prints = Run::default();
    let mut similar_errors = Run::default();
    // How often each call of a request was made; what only prints is one call.
    let mut at_once: Vec<usize> = Vec::new();
    let mut last_request = 0;
    let mut refused = Run::default();
    let mut refused_alike = Run::default();
    let mut resent = Run::default();
    let mut changed_at = 0;
    let mut remade = Run::default();
    let mut last_made = None;
    let mut fruitless = Run::default();
    let mut finds_of_check = 0;
    let mut write_may_be_over = false;
    let requests = requests(turns);
    let mut told: Vec<String> = Vec::new();
    let mut hints = Hints::default();
    let mut rounds_nudged = false;
    let mut is_applied = false;
    let mut old_results = 0u64;
    let mut old_results_told = 0;
    let mut request_of_old = 0;
    let mut told_of_few = false;
    let mut after_edit = false;
    // What is compared in rounds, by turn; those since the last turn without an answer.
    let mut keys: Vec<String> = Vec::new();
    let mut steps: Vec<(usize, Turn)> = Vec::new();
    let mut last = None;
    for (at, turn) in turns.iter().enumerate() {
        let kind = CALLS[turn.call].2;
        let call = format!("{}", turn.call);
        let request = requests[at];
        let mut found = Vec::new();
        let mut mere = None;
        if matches!(kind, Kind::Edit | Kind::Write) {
            edits.add(Some(call.clone()), turn.call, request);
            found.extend(edits.judge("repeated_edits", 3));
        } else if !(kind == Kind::Look && is_applied) {
            edits.add(None, turn.call, request);
        }
        if kind != Kind::Look {
            if write_may_be_over {
                writes = Run::default();
            }
            write_may_be_over = kind == Kind::Edit;
            if kind == Kind::Write {
                writes.add(Some("a".to_owned()), turn.call, request);
                found.extend(writes.judge("rewrites", 3));
            } else if kind != Kind::Edit {
                writes = Run::default();
            }
        }
        prints.add((kind == Kind::Print).then(String::new), turn.call, request);
        found.extend(prints.judge("echo_calls", 5));
        if std::mem::replace(&mut last_request, request) != request {
            at_once.clear();
        }
        let one_for_prints = if kind == Kind::Print {
            usize::MAX
        } else {
            turn.call
        };
        at_once.push(one_for_prints);
        let times = at_once
            .iter()
            .filter(|call| **call == one_for_prints)
            .count();
        if times == 8 || times == 14 {
            found.push((times == 14, "calls_at_once"));
        }
        last = hints.pick(found, (at, turn.call), steps.len(), mere);
        if last.is_some_and(|(is_stop, _)| is_stop) || (at + 1 == turns.len() && !has_answer) {
            break;
        }
        let Some(answer) = turn.answer else {
            for run in [
                &mut same, &mut waiting, &mut errors, &mut similar_errors, &mut refused,
                &mut refused_alike, &mut searches, &mut fruitless,
            ] {
                *run = Run::default();
            }
            finds_of_check = 0;
            keys.clear();
            last = None;
            continue;
        };
        let (_, failed, dry, done, gist) = ANSWERS[answer];
        let is_edit = matches!(kind, Kind::Edit | Kind::Write);
        let looks = kind == Kind::Look;
        let done = if is_edit { !failed } else { done && !looks };
        if is_edit {
            is_applied = done;
        }
        let refuses = is_edit && failed;
        if refuses {
            write_may_be_over = false;
        }
        if !looks {
            finds_of_check = if is_edit && done { 2 } else { 0 };
        } else if !dry && finds_of_check > 0 {
            finds_of_check -= 1;
        }
        let mut found = Vec::new();
        let key = format!("{call} {answer}");
        let waits = kind == Kind::Wait;
        let came_before = steps
            .iter()
            .rev()
            .take(19)
            .any(|(_, other)| other.call == turn.call && other.answer == turn.answer);
        same.add((!waits).then(|| key.clone()), turn.call, request);
        // What is asked beside waiting, with the answer that it always has, does not end that.
        let is_beside = !waits && waiting.count > 1 && !is_edit && came_before;
        if !is_beside {
            waiting.add(waits.then(|| key.clone()), turn.call, request);
        }
        let (run, rule, limit) = match kind {
            Kind::Wait if failed => (&mut waiting, "repeated_waits", 5),
            Kind::Wait => (&mut waiting, "repeated_waits", 10),
            _ if is_weak(turn) => (&mut same, "repeated_results", 6),
            _ => (&mut same, "repeated_results", 3),
        };
        let mut one = None;
        if !run.nudged && told.contains(&key) {
            one = (run.count >= limit).then_some((true, rule));
        } else if let Some(judged) = run.judge(rule, limit) {
            one = Some(judged);
            if !judged.0 {
                told.push(key.clone());
            }
        }
        found.extend(one);
        // Calls with errors that differ in numbers are different ones.
        errors.add(
            (failed && !(looks && dry)).then(|| gist.to_owned()),
            turn.call * ANSWERS.len() + answer,
            request,
        );
        if errors.differs() {
            found.extend(errors.judge("equal_errors", 4));
        }
        let has_words = matches!(gist, "a" | "b" | "c" | "e");
        similar_errors.add(
            (has_words && !dry && failed).then(|| gist.to_owned()),
            turn.call,
            request,
        );
        if similar_errors.differs() {
            found.extend(similar_errors.judge("equal_errors", 6));
        }
        let mut of_edits = Vec::new();
        if !looks && (is_edit || !failed) {
            refused.add(refuses.then(String::new), turn.call, request);
            refused_alike.add(refuses.then(|| gist.to_owned()), turn.call, request);
            let of_alike = refused_alike.judge("refused_edits", 5);
            let of_any = refused.judge("refused_edits", 8);
            refused.nudged |= of_alike.is_some();
            refused_alike.nudged |= of_any.is_some();
            of_edits.extend(of_alike.into_iter().chain(of_any));
        }
        let was_among_the_last = steps
            .iter()
            .rev()
            .take(20)
            .any(|(_, other)| other.call == turn.call);
        if is_edit && done && !was_among_the_last {
            told.clear();
        }
        steps.push((at, *turn));
        let recent = steps.len().saturating_sub(20)..steps.len() - 1;
        if !refuses && !looks && !failed {
            resent = Run::default();
            changed_at = steps.len();
        }
        let was_refused = recent.clone().any(|place| {
            let (at_other, other) = steps[place];
            place >= changed_at
                && other.call == turn.call
                && other.answer == turn.answer
                && requests[at_other] != request
        });
        if refuses && was_refused {
            resent.add(Some(String::new()), turn.call, request);
            of_edits.extend(resent.judge("resent_edits", 3));
        }
        if is_edit && done && last_made.replace(turn.call) != Some(turn.call) {
            let was_made = recent.clone().any(|place| {
                let (at_other, other) = steps[place];
                other.call == turn.call && acknowledges(&other) && requests[at_other] != request
            });
            remade.add(was_made.then(String::new), turn.call, request);
            of_edits.extend(remade.judge("resent_edits", 3));
        }
        // They come before errors and after equal results.
        of_edits.sort_by_key(|(is_stop, _)| !is_stop);
        let place = usize::from(one.is_some());
        let worst = of_edits
            .first()
            .map(|(is_stop, _)| (*is_stop, "repeated_edits"));
        found.splice(place..place, worst);
        searches.add(looks.then(|| format!("{answer}")), turn.call, request);
        fruitless.add((looks && dry).then(String::new), turn.call, request);
        let path_of = |turn: &Turn| (turn.call != 2 && turn.call < 7).then_some(turn.call == 1);
        let is_elsewhere = path_of(turn).is_some()
            && steps[recent.clone()]
                .iter()
                .all(|(_, other)| path_of(other) != path_of(turn));
        let mut of_searches = None;
        if searches.differs() {
            let limit = match (dry, failed) {
                (true, _) if finds_of_check > 0 => 16,
                (false, false) if is_elsewhere => 24,
                _ => 8,
            };
            of_searches = searches.judge("fruitless_searches", limit);
        }
        if fruitless.differs() {
            let limit = if finds_of_check > 0 { 20 } else { 10 };
            of_searches = of_searches.or(fruitless.judge("fruitless_searches", limit));
        }
        of_searches = of_searches.filter(|(is_stop, _)| !is_stop || failed || !is_elsewhere);
        found.extend(of_searches);
        // Rounds, by going back over all of them.
        keys.push(if is_edit || done {
            call.clone()
        } else {
            key.clone()
        });
        let enough = |period: usize| {
            let of_round = &steps[steps.len().saturating_sub(period + 1)..];
            let mut of_requests: Vec<usize> =
                of_round.iter().map(|(at, _)| requests[*at]).collect();
            of_requests.dedup();
            if period >= 3 && of_requests.len() > 3 {
                2
            } else {
                3
            }
        };
        let round = (2..=15).find(|period| {
            let rounds = enough(*period);
            keys.len() >= period * rounds
                && (keys.len() - period * (rounds - 1)..keys.len())
                    .all(|at| keys[at] == keys[at - period])
        });
        match round {
            None => rounds_nudged = false,
            Some(period) => {
                let mut rounds = 1;
                while keys.len() >= period * (rounds + 1)
                    && (keys.len() - period * rounds..keys.len())
                        .all(|at| keys[at] == keys[at - period])
                {
                    rounds += 1;
                }
                let of_round = &steps[steps.len() - period..];
                let waits = of_round
                    .iter()
                    .any(|(_, turn)| CALLS[turn.call].2 == Kind::Wait);
                let all_done = of_round
                    .iter()
                    .all(|(_, turn)| acknowledges(turn) && !edits_of(turn));
                let nudge = match (waits, all_done) {
                    (true, _) => 10,
                    (false, true) => 6,
                    (false, false) => enough(period),
                };
                let is_one = keys[keys.len() - period..]
                    .iter()
                    .all(|key| *key == keys[keys.len() - 1]);
                let stop = nudge + 2;
                let threshold = if rounds_nudged { stop } else { nudge };
                if !is_one && rounds >= threshold {
                    found.push((rounds_nudged, "cycle_rounds"));
                    rounds_nudged = true;
                }
            }
        }
        // Repeats among the last twenty, behind the last change.
        let is_error_or_look = failed || looks;
        if !is_edit && !done && kind != Kind::Wait && !is_weak(turn) && !told.contains(&key) {
            let recent = &steps[steps.len().saturating_sub(20)..];
            let mut count = 0;
            let mut last_request = 0;
            for place in (0..recent.len()).rev() {
                let (at_other, other) = recent[place];
                let waits = CALLS[other.call].2 == Kind::Wait;
                let place = place + steps.len() - recent.len();
                let begin = place.saturating_sub(20);
                let is_new = !steps[begin..place]
                    .iter()
                    .any(|(_, before)| before.call == other.call);
                let is_other = other.call == turn.call && other.answer != turn.answer;
                let (begin, runs) = (place.saturating_sub(19), CALLS[other.call].0 == "bash");
                let goes_on_by_one = !looks
                    && runs
                    && !other.answer.is_some_and(|answer| ANSWERS[answer].1)
                    && steps[begin..place].iter().any(|(_, before)| {
                        before.call == other.call && before.answer != other.answer
                    });
                if waits
                    || goes_on_by_one
                    || is_other
                    || (!is_error_or_look && acknowledges(&other) && is_new)
                {
                    break;
                }
                let same =
                    !edits_of(&other) && other.call == turn.call && other.answer == turn.answer;
                if same {
                    count += u64::from(last_request != requests[at_other]);
                    last_request = requests[at_other];
                }
            }
            if count >= 5 {
                told.push(key);
                if one.is_none() || one.is_some_and(|(_, rule)| rule == "repeated_waits") {
                    mere = Some(at);
                    found.insert(0, (false, "repeated_results"));
                }
            }
        }
        // What came before among the last twenty, less what is new.
        let before: Vec<&Turn> = steps
            .iter()
            .rev()
            .skip(1)
            .take(19)
            .map(|(_, other)| other)
            .collect();
        let was_made = before.iter().any(|other| other.call == turn.call);
        let is_equal = before.iter().any(|other| other.answer == turn.answer);
        let changes_by_itself = kind == Kind::Wait && !failed;
        let says_nothing = is_weak(turn) || !failed && (is_edit || done);
        let mut is_old = false;
        if looks && dry {
            is_old = was_made;
        } else if !says_nothing && !changes_by_itself {
            // What reads show here is short, and may be looked at again.
            is_old = is_equal && (failed || !looks && was_made && !after_edit);
            after_edit &= looks;
            if !is_equal && !failed {
                old_results = old_results.saturating_sub(2);
                old_results_told = old_results_told.min(old_results);
            }
        }
        after_edit |= is_edit && done;
        let last_steps = &steps[steps.len().saturating_sub(16)..];
        let weak = last_steps.iter().filter(|(_, turn)| is_weak(turn)).count();
        let pairs: HashSet<_> = last_steps
            .iter()
            .filter(|(_, turn)| !is_weak(turn))
            .map(|(_, turn)| (turn.call, turn.answer))
            .collect();
        let different = pairs.len() + weak;
        let are_few = last_steps.len() == 16
            && different <= 7
            && last_steps.iter().any(|(_, other)| other.call != turn.call)
            && !last_steps
                .iter()
                .any(|(_, turn)| CALLS[turn.call].2 == Kind::Wait)
            && requests[at] - requests[last_steps[0].0] + 1 >= 12
            && !gets_on(&steps, edits_of);
        let is_told_of_few = are_few && !told_of_few;
        told_of_few = are_few || told_of_few && different <= 10;
        if is_old && (old_results == 0 || request_of_old != request) {
            old_results += 1;
            request_of_old = request;
            let more = if old_results_told == 0 { 7 } else { 21 };
            if old_results >= old_results_told + more {
                old_results_told = old_results;
                found.push((false, "nothing_new"));
            }
        }
        if is_told_of_few && !found.contains(&(false, "nothing_new")) {
            found.push((false, "nothing_new"));
        }
        while told.len() > 8 {
            told.remove(0);
        }
        let is_new_text = before.iter().all(|other| other.answer != turn.answer);
        let gets = !failed && !waits && !looks && !is_edit && !done && answer != 3;
        hints.step(
            (is_edit && done && !was_among_the_last).then_some(turn.call),
            gets && is_new_text,
        );
        if let Some(rule) = hints.unheeded(&steps)
            && found.is_empty()
        {
            last = Some((true, rule));
            break;
        }
        last = hints.pick(found, (at, turn.call), steps.len(), mere);
        if last.is_some_and(|(is_stop, _)| is_stop) {
            break;
        }
    }
    last
}

/// Whether three of the last steps are of calls that were new, went through, and are there once.
fn gets_on(steps: &[(usize, Turn)], counts: impl Fn(&Turn) -> bool) -> bool {
    let begin = steps.len().saturating_sub(16);
    let is_fresh = |place: &usize| {
        let turn = steps[*place].1;
        let before = &steps[place.saturating_sub(20)..*place];
        let is_new = before.iter().all(|(_, other)| other.call != turn.call);
        let is_same = |other: &Turn| other.call == turn.call && other.answer == turn.answer;
        let last = steps[begin..].iter();
        let is_single = last.filter(|(_, other)| is_same(other)).count() == 1;
        let (text, failed, ..) = ANSWERS[turn.answer.expect("a step has an answer")];
        is_new && is_single && !failed && !text.is_empty() && counts(&turn)
    };
    (begin..steps.len()).filter(is_fresh).count() >= 3
}

fn edits_of(turn: &Turn) -> bool {
    matches!(CALLS[turn.call].2, Kind::Edit | Kind::Write)
}

/// A call that may have led on, and says hardly more than that it was made.
fn is_weak(turn: &Turn) -> bool {
    CALLS[turn.call].2 == Kind::Other && turn.answer == Some(1)
}

fn acknowledges(turn: &Turn) -> bool {
    let (_, failed, _, done, _) = ANSWERS[turn.answer.expect("a step has an answer")];
    match CALLS[turn.call].2 {
        Kind::Edit | Kind::Write => !failed,
        Kind::Look => false,
        _ => done,
    }
}

/// The hints so far: when the last one came and for which rule, after how many steps, how many came near to each other and
/// how many of these in vain, and the new edit that went through since.
#[derive(Default)]
struct Hints {
    last: Option<usize>,
    rule: Option<&'static str>,
    steps: usize,
    near: usize,
    vain: usize,
    counted_at: usize,
    made: Option<usize>,
}

impl Hints {
    /// A stop before a nudge, and otherwise what is first; a call is told of once. `mere` is the turn of a finding that
    /// is never a stop.
    fn pick(
        &mut self,
        found: Vec<(bool, &'static str)>,
        (at, call): (usize, usize),
        steps: usize,
        mere: Option<usize>,
    ) -> Option<(bool, &'static str)> {
        let stop = found.iter().find(|(is_stop, _)| *is_stop).copied();
        let best = stop.or(found.first().copied())?;
        if best.0 {
            return Some(best);
        }
        if self.last.replace(at) == Some(at) {
            return None;
        }
        if self.near > 0 && at < self.counted_at + 3 {
            return Some(best);
        }
        (self.rule, self.steps) = (Some(best.1), steps);
        if self.near > 0 && at > self.counted_at + 40 {
            (self.near, self.vain) = (0, 0);
        }
        if self.made.take().is_some_and(|made| made != call) {
            self.vain = 0;
        }
        self.near += 1;
        self.counted_at = at;
        if best.1 == "nothing_new" || mere.is_some() && best.1 == "repeated_results" {
            return Some(best);
        }
        self.vain += 1;
        Some((self.vain >= 3, best.1))
    }

    /// A step came: the new edit that it made, and whether it showed something new.
    fn step(&mut self, made: Option<usize>, is_outcome: bool) {
        if self.vain > 0 {
            self.made = made.or(self.made);
            if is_outcome {
                self.vain = 0;
            }
        }
    }

    /// The rule whose hint was in vain, if the last steps are few different ones.
    fn unheeded(&self, steps: &[(usize, Turn)]) -> Option<&'static str> {
        let fewest = match self.near {
            0 => return None,
            1 if steps.len() < self.steps + 16 => return None,
            1 => 16,
            _ if steps.len() < self.steps + 1 => return None,
            _ => 9,
        };
        let last = &steps[steps.len().saturating_sub(16)..];
        let (mut pairs, mut different) = (Vec::new(), 0);
        for (_, turn) in last.iter().rev() {
            let pair = (turn.call, turn.answer);
            let waits = CALLS[turn.call].2 == Kind::Wait;
            if waits || !pairs.contains(&pair) {
                pairs.push(pair);
                different += 1;
            }
        }
        let newest = last.last()?.1;
        let of_newest = last.iter().filter(|(_, turn)| turn.call == newest.call);
        let is_tried_out = of_newest.clone().count() * 4 >= last.len() * 3
            && of_newest
                .clone()
                .any(|(_, turn)| turn.answer != newest.answer);
        let is_few = !is_tried_out
            && last.len() >= fewest
            && different * 16 <= 7 * last.len()
            && !gets_on(steps, |turn| CALLS[turn.call].2 != Kind::Wait);
        self.rule.filter(|_| is_few)
    }
}

fn events(turn: Turn, at: usize) -> (AgentEvent, Option<AgentEvent>) {
    let (name, args, _) = CALLS[turn.call];
    let call = AgentEvent::ToolCall {
        key: None,
        id: Some(format!("c{at}")),
        name: name.to_owned(),
        args: Some(Value::from(args)),
    };
    let result = turn.answer.map(|answer| AgentEvent::ToolResult {
        id: Some(format!("c{at}")),
        output: ANSWERS[answer].0.to_owned(),
        is_error: None,
        exit_code: None,
    });
    (call, result)
}

fn observe(detector: &mut LoopDetector, event: &AgentEvent) -> Option<(bool, String)> {
    let verdict = detector.observe(event).expect("not too deep").clone();
    let is_stop = verdict.is_stop();
    verdict
        .report()
        .map(|report| (is_stop, report.rule.to_string()))
}

proptest! {
    // Each event is compared with the model's walk through all of them.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn the_same_as_going_through_everything(turns in turns()) {
        let mut fast = detector(ADAPTIVE);
        for at in 0..turns.len() {
            let (call, result) = events(turns[at], at);
            let named = |found: Option<(bool, &str)>| found.map(|(stop, rule)| (stop, rule.to_owned()));
            let got = observe(&mut fast, &call);
            let before = at.checked_sub(1).filter(|before| waits(&turns, *before));
            let before = before.and_then(|before| naive(&turns[..=before], true));
            let expected = worse(before, naive(&turns[..=at], false));
            prop_assert_eq!(&got, &named(expected), "call {}", at);
            if got.is_some_and(|(is_stop, _)| is_stop) {
                break;
            }
            if let Some(result) = result {
                let got = observe(&mut fast, &result);
                let found = if waits(&turns, at) { None } else { naive(&turns[..=at], true) };
                prop_assert_eq!(&got, &named(found), "answer {}", at);
                if got.is_some_and(|(is_stop, _)| is_stop) {
                    break;
                }
            }
        }
    }

}

proptest! {
    // To save and to read again takes as long as many steps.
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn saved_anywhere_it_goes_on_as_if_nothing_had_been(
        steps in prop_oneof![conversation::steps(), work()],
        saved in proptest::collection::vec(proptest::bool::weighted(0.15), 60),
    ) {
        let mut straight = detector(ADAPTIVE);
        let mut saving = detector(ADAPTIVE);
        for (step, save) in steps.iter().zip(saved.iter().cycle()) {
            for detector in [&mut straight, &mut saving] {
                play(detector, step);
            }
            prop_assert_eq!(straight.verdict(), saving.verdict());
            if *save {
                saving = LoopDetector::restore(&saving.snapshot()).expect("just saved");
            }
        }
        prop_assert_eq!(straight.snapshot(), saving.snapshot());
    }

    #[test]
    fn whatever_the_cuts_the_first_and_the_last_verdict_are_the_same(
        sentences in proptest::collection::vec((0..4usize, 0..6usize, 1..9usize), 1..30),
        cuts in proptest::collection::vec(1usize..40, 1..200),
    ) {
        let verbs = ["check", "verify", "look at the map", "测试", "read 12 pages, one by one,", "go"];
        let mut text = String::new();
        for (frame, verb, times) in sentences {
            let verb = verbs[verb];
            let sentence = match frame {
                0 => format!("I will {verb}. "),
                1 => format!("我将{verb}规则。"),
                2 => format!("- Now I {verb}!\n"),
                _ => format!("The long way to {verb} leads past the mill, over the bridge and home. "),
            };
            text.push_str(&sentence.repeat(times));
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let play = |cuts: &[usize]| {
            let mut detector = detector(ADAPTIVE);
            let mut rest = &units[..];
            let mut first = None;
            for cut in cuts.iter().cycle() {
                let (part, after) = rest.split_at((*cut).min(rest.len()));
                let verdict = detector.observe_text(Channel::Text, part).clone();
                let said = |report: &turnkeeper_core::LoopReport| {
                    (report.rule.to_string(), report.count, report.last_index)
                };
                first = first.or(verdict.report().map(said));
                if verdict.is_stop() {
                    return (first, verdict.report().map(said));
                }
                rest = after;
                if rest.is_empty() {
                    return (first, None);
                }
            }
            (None, None)
        };
        // Unit by unit, a nudge never hides behind a stop.
        let (first, stop) = play(&[1]);
        let (first_of_cut, stop_of_cut) = play(&cuts);
        prop_assert_eq!(&stop, &stop_of_cut);
        let same_delta = first_of_cut == stop;
        prop_assert!(first == first_of_cut || same_delta, "{:?} {:?}", first, first_of_cut);
    }
}

#[test]
fn any_arguments_and_answers_are_read() {
    let mut detector = detector(ADAPTIVE);
    for args in [
        json!(null),
        json!([]),
        json!({"command": [1, {"a": []}]}),
        json!({"path": 3}),
        json!(1e300),
    ] {
        for output in [
            "\u{1b}[", "\u{1b}", "[", "Command: ", "1.2.3-", "0x", "中", "12 ", "exit code",
        ] {
            for name in ["", "__", "edit", "bash.", "readFILE", "a/b:c"] {
                let args = Some(args.clone());
                let call = AgentEvent::ToolCall {
                    key: None,
                    id: None,
                    name: name.to_owned(),
                    args,
                };
                detector.observe(&call).expect("not too deep");
                let result = AgentEvent::ToolResult {
                    id: None,
                    output: output.to_owned(),
                    is_error: None,
                    exit_code: None,
                };
                detector.observe(&result).expect("not too deep");
                detector.clear();
            }
        }
    }
}
