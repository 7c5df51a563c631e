//! Rules over calls together with what came of them.
//!
//! A call becomes a [`Step`] when its answer comes: a handful of hashes and flags, which is all that the
//! rules see. What changes by itself, such as clocks and ids, is not compared; a different answer to the
//! same call is progress, unless the call is an edit. A call without an answer is no step, and whatever
//! counts steps in a row begins anew behind it. Each rule tells once, and stops when it goes on for half
//! as long again; anything else makes it forget.

mod answer;
mod call;
mod messages;
mod repeats;
mod rounds;
mod run;
mod step;
mod tokens;
mod words;

use self::messages::Message;
use self::run::{COUNT, FIRST, NUDGED, Run, stop_at};
use self::step::{BATCH, CALL, DONE, EDITS, FAILED, INDEX, IS_NOTE, NUMBER, Step, has};
use self::words::Words;
use super::super::verdict::LoopType::{self, *};
use super::super::verdict::{Channel, EVIDENCE_UNITS, LoopReport};
use super::quote::Quote;
use super::runs::Runs;
use super::{CallSeen, Event, Found, Part, ResultSeen};
use crate::setting::Setting;
use crate::snapshot::Codec;
use crate::text::{excerpt, excerpt_units};

/// The rules, and the run that each counts.
const REPEATED_RESULTS: usize = 0;
const SIMILAR_RESULTS: usize = 1;
const REPEATED_WAITS: usize = 2;
/// Its run is that of notes.
const NOTES: usize = REPEATED_WAITS;
const REPEATED_EDITS: usize = 3;
const REWRITTEN: usize = 4;
const EQUAL_ERRORS: usize = 5;
const FRUITLESS_SEARCHES: usize = 6;
const EQUAL_MESSAGES: usize = 7;
/// These two have none.
const CYCLES: usize = 8;
const SCATTERED_REPEATS: usize = 9;

/// Their names, what they find, and what is said of it.
const RULES: [(&str, LoopType, &str, &str); 10] = [
    (
        "repeated_results",
        ConsecutiveIdenticalToolCalls,
        "{tool} was called {count} times in a row with the same arguments and gave the same answer.",
        ANOTHER_WAY,
    ),
    (
        "similar_results",
        ConsecutiveIdenticalToolCalls,
        "{tool} was called {count} times in a row with the same arguments and only numbers in its \
         answer changed.",
        ANOTHER_WAY,
    ),
    (
        "repeated_waits",
        ConsecutiveIdenticalToolCalls,
        "{tool} was called {count} times in a row and nothing changed.",
        " Wait once, for longer, or find out what it waits for.",
    ),
    (
        "repeated_edits",
        ConsecutiveIdenticalToolCalls,
        "{tool} was called {count} times in a row for the same edit.",
        ANOTHER_WAY,
    ),
    (
        "rewrites",
        SameToolDifferentArguments,
        "{tool} was called {count} times in a row to write the same file whole.",
        " The output may be cut off each time. Create the file short, then add to it with edits.",
    ),
    (
        "equal_errors",
        RepeatedError,
        "{count} different calls in a row failed with the same error, the last of {tool}.",
        ANOTHER_WAY,
    ),
    (
        "fruitless_searches",
        SameToolDifferentArguments,
        "{count} different searches in a row gave the same answer, the last of {tool}.",
        ANOTHER_WAY,
    ),
    (
        "equal_messages",
        Monologue,
        "the same message came {count} times and nothing was done in between.",
        ANOTHER_WAY,
    ),
    (
        "repeated_rounds",
        RepeatedToolCycle,
        "the same {period} calls in a row gave the same answers {count} times, the last of {tool}.",
        ANOTHER_WAY,
    ),
    (
        "scattered_repeats",
        RepeatedToolCycle,
        "{tool} was called {count} times with the same arguments and gave the same answer, with \
         other calls in between.",
        ANOTHER_WAY,
    ),
];
const ANOTHER_WAY: &str = " Doing it again will not change that. Use what you have, say what is \
                           missing, try another way, or ask the user.";

/// How many numbers the rules have: a count for each, and these.
pub(crate) const LIMITS: usize = RULES.len() + 3;
const LONGEST_CYCLE: usize = RULES.len();
const SCATTERED_WINDOW: usize = RULES.len() + 1;
const SHORT_RESULT: usize = RULES.len() + 2;

/// So many calls may be without an answer; of more, the oldest are given up.
const MOST_PENDING: usize = 32;
/// So much is kept of what was told.
const MOST_TOLD: usize = 8;
/// So much of the call, and of the answer, is shown.
const SHOWN_UNITS: usize = EVIDENCE_UNITS / 2 - 2;

/// How many steps there were, and the index behind the last one's.
const STEPS: usize = 0;
const NEXT: usize = 1;
/// 1 if the last edit was acknowledged, ...
const IS_APPLIED: usize = 2;
/// and if the rounds that go on were told of.
const ROUNDS_NUDGED: usize = 3;
/// The last step that changed something, and the last that waited.
const CHANGED_AT: usize = 4;
const WAITED_AT: usize = 5;
/// The index behind that of the last call that was told of.
const TOLD_AT: usize = 6;
const NUMBERS: usize = 7;

/// Follows calls and what comes of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Evidence {
    limits: [u64; LIMITS],
    words: Words,
    /// Calls without an answer, from the oldest to the newest.
    pending: Vec<Step>,
    /// By the places below.
    numbers: [u64; NUMBERS],
    runs: [Run; CYCLES],
    periods: Runs,
    /// The last steps.
    recent: Vec<Step>,
    /// What was told of, from the oldest to the newest.
    told: [u64; MOST_TOLD],
    message: Message,
    /// Of the last call that may turn out to be part of a loop.
    quote: Option<Quote>,
    /// With this event, and of which call.
    found: Option<Finding>,
    at: u64,
}

/// What a rule found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Finding {
    rule: usize,
    is_stop: bool,
    threshold: u64,
    count: u64,
    first: u64,
    /// 0 without one.
    period: u64,
}

impl Evidence {
    /// With the host's own tools and arguments, whose lists are the settings of these names.
    pub(crate) fn new(limits: [u64; LIMITS], own: &Setting, lists: &[&str]) -> Self {
        let mut words = Words::known();
        for (place, name) in lists.iter().enumerate() {
            let Some(Setting::List(list)) = own.field(name) else {
                continue;
            };
            let (class, meaning) = match place {
                6 => (words::KEYS, words::COSMETIC),
                _ => (words::TOOLS, 1 << (words::OWN + place as u32)),
            };
            for word in list {
                words.add(word.as_text().unwrap_or_default(), class, meaning);
            }
        }
        Self {
            limits,
            words,
            pending: Vec::new(),
            numbers: [0; NUMBERS],
            runs: [[0; 7]; CYCLES],
            periods: Runs::new(limits[LONGEST_CYCLE]),
            recent: Vec::new(),
            told: [0; MOST_TOLD],
            message: Message::default(),
            quote: None,
            found: None,
            at: 0,
        }
    }

    #[inline(never)]
    fn tell(&mut self, key: u64) {
        self.told.rotate_left(1);
        self.told[MOST_TOLD - 1] = key;
    }

    /// Everything but what was told.
    fn forget(&mut self) {
        self.pending.clear();
        self.recent.clear();
        self.periods.clear();
        self.message.forget();
        self.runs = [[0; 7]; CYCLES];
        let told_at = self.numbers[TOLD_AT];
        self.numbers = [0; NUMBERS];
        self.numbers[TOLD_AT] = told_at;
    }

    /// What the run is worth to the rule: told once, and a stop when it goes on for half as long again.
    /// Whether there is anything new to tell.
    #[inline(never)]
    fn judge(&mut self, run: usize, rule: usize) -> bool {
        let nudge = self.limits[rule];
        let run = &mut self.runs[run];
        let is_stop = run[NUDGED] != 0;
        let threshold = if is_stop { stop_at(nudge) } else { nudge };
        if nudge == 0 || run[COUNT] < threshold {
            return false;
        }
        run[NUDGED] = 1;
        let (count, first) = (run[COUNT], run[FIRST]);
        self.find(rule, is_stop, threshold, [count, first, 0]);
        !is_stop
    }

    /// Keeps what was found first, but a stop before a nudge.
    #[inline(never)]
    fn find(&mut self, rule: usize, is_stop: bool, threshold: u64, found: [u64; 3]) {
        if let Some(before) = &self.found
            && (before.is_stop || !is_stop)
        {
            return;
        }
        let [count, first, period] = found;
        self.found = Some(Finding {
            rule,
            is_stop,
            threshold,
            count,
            first,
            period,
        });
    }

    /// Whether one of the steps is of this call.
    #[inline(never)]
    fn knows(&self, steps: &[Step], call: u64) -> bool {
        for step in steps {
            if step[CALL] == call && call != 0 {
                return true;
            }
        }
        false
    }

    fn call(&mut self, seen: &CallSeen) {
        self.message.forget();
        self.runs[EQUAL_MESSAGES] = [0; 7];
        self.at = seen.index;
        let mut step: Step = [0; 11];
        step[INDEX] = seen.index;
        step[BATCH] = self.numbers[STEPS].wrapping_add(1);
        call::read(seen.call, &mut step, &mut self.words);
        self.repeated_edits(&step);
        self.rewrites(&step);
        // Whatever an answer may make a loop is in a row already, or equals a call before.
        let mut may_repeat =
            self.knows(&self.recent, step[CALL]) || self.knows(&self.pending, step[CALL]);
        for run in &self.runs {
            may_repeat |= run[COUNT] > 1;
        }
        if may_repeat || self.found.is_some() {
            self.quote = Some(Quote::of(seen.call));
        }
        if self.pending.len() == MOST_PENDING {
            self.pending.remove(0);
        }
        self.pending.push(step);
    }

    fn result(&mut self, seen: &ResultSeen) -> Option<()> {
        let index = seen.answered?.index;
        let mut place = 0;
        while self.pending.get(place)?[INDEX] != index {
            place += 1;
        }
        let mut step = self.pending.remove(place);
        answer::read(&mut step, seen, &self.words, self.limits[SHORT_RESULT]);
        self.numbers[STEPS] = self.numbers[STEPS].wrapping_add(1);
        step[NUMBER] = self.numbers[STEPS];
        if index != self.numbers[NEXT] {
            // A call in between has no answer: nothing is in a row but the calls themselves.
            for (place, run) in self.runs.iter_mut().enumerate() {
                if !matches!(place, REPEATED_EDITS | REWRITTEN) {
                    *run = [0; 7];
                }
            }
            self.periods.clear();
        }
        self.numbers[NEXT] = index.wrapping_add(1);
        self.at = index;
        if has(&step, EDITS) {
            self.numbers[IS_APPLIED] = u64::from(has(&step, DONE));
        }
        self.repeated_results(&step);
        if !has(&step, IS_NOTE) {
            self.runs[NOTES] = [0; 7];
        } else if !has(&step, FAILED) {
            return None;
        }
        self.repeated_answers(&step);
        self.cycles(&step);
        self.scattered_repeats(&step);
        None
    }

    fn report(&mut self, event: &Event) -> Option<Found> {
        let Finding {
            rule,
            is_stop,
            threshold,
            count,
            first,
            period,
        } = self.found.take()?;
        let (name, loop_type, why, what_to_do) = RULES[rule];
        let mut report = LoopReport::new(loop_type, name);
        report.count = count;
        report.threshold = threshold;
        report.first_index = first;
        report.period = (period > 0).then_some(period);
        if rule == EQUAL_MESSAGES {
            report.channel = Some(Channel::Text);
            self.message.fill(&mut report);
        } else {
            report.last_index = self.at;
            if let Some(quote) = &self.quote {
                quote.fill(&mut report);
            }
            if let Event::Result(seen) = event {
                report.evidence = excerpt(&report.evidence, SHOWN_UNITS);
                report.evidence.push_str(" → ");
                let answer = seen.output.units().first(SHOWN_UNITS + 1);
                report.evidence += &excerpt_units(&answer, SHOWN_UNITS);
            }
            // A call is told of once.
            let at = self.at.wrapping_add(1);
            if !is_stop && std::mem::replace(&mut self.numbers[TOLD_AT], at) == at {
                return None;
            }
        }
        Some(Found {
            is_nudge: !is_stop,
            report,
            texts: Some([why, what_to_do]),
        })
    }
}

impl Part for Evidence {
    fn observe(&mut self, event: &Event) -> Option<Found> {
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => {
                self.result(seen);
            }
            Event::Text {
                channel: Channel::Text,
                delta,
                ..
            } => self.message.say(delta),
            // What it has read is forgotten, so it reads again with reason.
            Event::Condensation => self.forget(),
            Event::TurnStarted | Event::Finished | Event::UserMessage => {
                let (key, index) = self.message.end();
                if key != 0 {
                    let mut step: Step = [0; 11];
                    step[INDEX] = index;
                    run::add(&mut self.runs[EQUAL_MESSAGES], key, &step, false);
                    self.judge(EQUAL_MESSAGES, EQUAL_MESSAGES);
                }
                if matches!(event, Event::UserMessage) {
                    self.pending.clear();
                }
            }
            _ => {}
        }
        self.report(event)
    }

    fn restart(&mut self, is_new_prompt: bool) {
        self.forget();
        if is_new_prompt {
            self.told = [0; MOST_TOLD];
            self.numbers[TOLD_AT] = 0;
            self.message = Message::default();
        }
    }

    fn visit(&mut self, codec: &mut Codec) {
        for (steps, most) in [
            (&mut self.pending, MOST_PENDING),
            (&mut self.recent, self.limits[SCATTERED_WINDOW] as usize),
        ] {
            codec.items(steps, most);
            for step in steps {
                row(step, codec);
            }
        }
        for run in &mut self.runs {
            row(run, codec);
        }
        row(&mut self.numbers, codec);
        row(&mut self.told, codec);
        self.periods.visit(self.limits[LONGEST_CYCLE], codec);
        self.message.visit(codec);
        Quote::visit(&mut self.quote, codec);
    }
}

#[inline(never)]
fn row(numbers: &mut [u64], codec: &mut Codec) {
    for number in numbers {
        codec.number(number, u64::MAX);
    }
}
