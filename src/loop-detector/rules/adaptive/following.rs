//! Follows calls and their results: makes steps of them, shows them to the rules, and reports what these find.
//!
//! Calls of one request run at the same time, and a slow one ends last. So their steps are judged in the order of the
//! calls: a result waits for those of the calls before its own, until the next request begins.

use serde::{Deserialize, Serialize};

use super::early_steps::{EarlyStep, EarlySteps};
use super::features::{CallFeatures, CallReader, ResultFeatures, Step, ToolKind, read_result};
use super::followed::Followed;
use super::prose::{Message, Prose};
use super::step_rule::{ActiveRule, first_of};
use super::{STEP_RULES, raise_counts};
use crate::LoopDetectorOptions;
use crate::progress::Newest;
use crate::report::{Channel, EVIDENCE_UNITS};
use crate::rules::{
    Action, CallSeen, CallSummary, Context, Detection, Event, MAX_COUNT, Restart, ResultSeen, Rule,
    RunUnderWay, worse,
};
use turnkeeper_base::options::Count;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};
use turnkeeper_base::text::{excerpt, excerpt_units};

/// A snapshot of any build has fewer.
const MOST_RULES: usize = 128;
/// `shortResult` unless the host sets it.
const SHORT_RESULT: u64 = 400;
/// `scatteredWindow` unless the host sets it.
const WINDOW: u64 = 20;
/// At most this much of the call, and as much of the result, is shown in a report.
const SHOWN_UNITS: usize = EVIDENCE_UNITS / 2 - 2;

/// Follows calls and their results.
#[derive(Clone)]
pub(crate) struct Adaptive {
    /// The options that the rules are made from, ...
    options: LoopDetectorOptions,
    /// and how often the user asked for the same again, which raises their counts.
    asked_repeats: u64,
    call_reader: CallReader,
    /// Words say whether a call failed in results of up to this many units.
    short_result: usize,
    /// This many steps are kept.
    window: usize,
    rules: Vec<ActiveRule>,
    state: Followed,
    prose: Prose,
    /// The lines of the result that is read.
    lines: Vec<u32>,
    /// The newest call, and its answer when that has come. Asked for at once, so not saved.
    newest: Newest,
}

impl Adaptive {
    /// Lets a call be repeated as often as the user asked for. What the rules have counted stays.
    fn allow_repeats(&mut self, asked_repeats: u64) {
        self.asked_repeats = asked_repeats;
        let before = std::mem::replace(&mut self.rules, rules(&self.options, asked_repeats));
        for (rule, before) in self.rules.iter_mut().zip(before) {
            // The counts are settings, and no part of the state.
            let _ = rule.rule.load(&before.rule.save());
        }
    }

    /// A call, and before it what those before it came to if it begins another request.
    #[inline(never)] // A large function is slow to compile at the first event.
    fn call(&mut self, seen: &CallSeen) -> Option<Detection> {
        let request = self.state.requests.of_call();
        let before = self.judge_steps(request, None);
        let said = self.prose.end_message();
        let intent = said.as_ref().and_then(Message::intent);
        let remembered = &mut self.state.remembered;
        let call = CallFeatures {
            said: intent.map_or(0, |intent| intent as u32 | 1),
            ..self
                .call_reader
                .read(seen.call, seen.index, request, remembered)
        };
        self.newest = Newest {
            call: call.call,
            ..Newest::default()
        };
        let found = first_of(&mut self.rules, |rule| rule.at_call(&call, said.as_ref()));
        if found.is_some() || self.may_be_of_a_loop(&call) {
            self.state.quote(seen.index, CallSummary::of(seen.call));
        }
        self.state.add_pending(call);
        let found = found.and_then(|found| self.report(found, seen.index, None));
        worse(before, found)
    }

    /// True if the result of a call may make a loop: its call was made before, or a rule has counted
    /// more than one step.
    fn may_be_of_a_loop(&self, call: &CallFeatures) -> bool {
        self.state.has_call(call) || self.rules.iter().any(|rule| rule.is_on_a_run())
    }

    #[inline(never)] // A large function is slow to compile at the first event.
    fn result(&mut self, seen: &ResultSeen) -> Option<Detection> {
        self.newest = Newest::default();
        self.state.requests.result();
        let Some(answered) = seen.answered else {
            // Something was done that nobody showed.
            self.misses_a_result();
            return None;
        };
        let index = answered.index;
        let state = &mut self.state;
        let place = state.pending.iter().position(|call| call.index == index)?;
        let call = state.pending.remove(place)?;
        let mut lines = std::mem::take(&mut self.lines);
        let mut result = read_result(seen, &call, self.short_result, &mut lines);
        result.is_seen = state.seen_lines.take(&lines);
        self.lines = lines;
        self.newest = Step::new(call, result, state.steps + 1, false).newest();
        if result.is_of_user {
            self.user_speaks();
            self.state.next_index = index + 1;
            return None;
        }
        state.early.add(EarlyStep { call, result });
        let request = state.requests.number();
        self.judge_steps(request, Some(seen))
    }

    /// Judges the steps that wait for no other of this request, in the order of their calls. `seen` is the result that
    /// has just come.
    fn judge_steps(&mut self, request: u64, seen: Option<&ResultSeen>) -> Option<Detection> {
        let newest = seen.and_then(|seen| Some(seen.answered?.index));
        let mut worst = None;
        while let Some(EarlyStep { call, result }) =
            self.state.early.take(request, &self.state.pending)
        {
            let found = self.judge_step(call, result);
            // A report quotes the result of the step that it is about, or none.
            let quoted = seen.filter(|_| newest == Some(call.index));
            let found = found.and_then(|found| self.report(found, call.index, quoted));
            worst = worse(worst, found);
        }
        worst
    }

    /// Shows the rules a step.
    fn judge_step(&mut self, call: CallFeatures, result: ResultFeatures) -> Option<Detection> {
        let state = &mut self.state;
        state.steps += 1;
        let is_new = !state.history.has_call(call.call);
        let step = Step::new(call, result, state.steps, is_new);
        if call.index != state.next_index {
            self.misses_a_result();
        }
        let state = &mut self.state;
        state.next_index = call.index + 1;
        if !step.is_mere_note() {
            state.history.push(step, self.window);
        }
        if is_new && step.call.edits && result.acknowledges {
            // After a change it may be right again.
            state.history.forget_what_was_told();
        }
        first_of(&mut self.rules, |rule| {
            rule.at_result(&step, &mut state.history)
        })
    }

    /// Nobody knows whether the next step follows the last one.
    fn misses_a_result(&mut self) {
        for rule in &mut self.rules {
            rule.at_missing_result();
        }
    }

    /// The message under way is complete.
    fn message_ends(&mut self) -> Option<Detection> {
        let message = self.prose.end_message()?;
        let found = first_of(&mut self.rules, |rule| rule.at_message_end(&message));
        let mut found = found?.in_text(Channel::Text, self.prose.evidence());
        found.report.last_index = self.prose.last_index();
        Some(found)
    }

    /// The user may ask for the same again, and the model then does the same again.
    fn user_speaks(&mut self) {
        self.state.forget();
        self.state.forget_nudges();
        self.state.history.forget_what_was_told();
        for rule in &mut self.rules {
            rule.rule.at_user_message();
        }
    }

    /// Everything but what the model was nudged for.
    fn forget(&mut self) {
        self.state.forget();
        self.prose.forget();
        for rule in &mut self.rules {
            rule.rule.begin_anew();
        }
    }

    /// The report of a finding about calls. There is one nudge for a call.
    fn report(
        &mut self,
        mut found: Detection,
        index: u64,
        result: Option<&ResultSeen>,
    ) -> Option<Detection> {
        let report = &mut found.report;
        report.last_index = index;
        if let Some(call) = self.state.quotable(index) {
            call.fill(report);
        }
        if let Some(result) = result {
            let answer = result.output.units().first(SHOWN_UNITS + 1);
            report.evidence = format!(
                "{} → {}",
                excerpt(&report.evidence, SHOWN_UNITS),
                excerpt_units(&answer, SHOWN_UNITS)
            );
        }
        if !found.is_stop() {
            found.action = Action::of(self.state.nudge(index)?);
        }
        Some(found)
    }
}

/// The assistant's prose is saved beside the rules, by this name.
const PROSE: &str = "prose";

/// The saved form: the shared state, and that of each rule that is on, by its name. A build with other rules
/// goes on from it as far as the rules are the same.
#[derive(Serialize, Deserialize)]
struct Saved {
    asked_repeats: u64,
    shared: Vec<u8>,
    rules: Vec<(String, Vec<u8>)>,
}

impl SavedState for Saved {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.rules.len() <= MOST_RULES && self.asked_repeats <= MAX_COUNT)
    }
}

impl Rule for Adaptive {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let rules = rules(options, 0);
        (!rules.is_empty()).then(|| Self {
            options: options.clone(),
            asked_repeats: 0,
            call_reader: call_reader(options),
            short_result: options.short_result.map_or(SHORT_RESULT, Count::get) as usize,
            window: options.scattered_window.map_or(WINDOW, Count::get) as usize,
            rules,
            state: Followed::default(),
            prose: Prose::default(),
            lines: Vec::new(),
            newest: Newest::default(),
        })
    }

    fn name(&self) -> String {
        "adaptive".to_owned()
    }

    fn reads_results(&self) -> bool {
        true
    }

    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection> {
        if context.asked_repeats != self.asked_repeats {
            self.allow_repeats(context.asked_repeats);
        }
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => self.result(seen),
            Event::Text {
                channel: Channel::Text,
                delta,
            } => {
                self.prose.push(delta);
                None
            }
            Event::Condensation => {
                let before = self.judge_steps(EarlySteps::OF_NO_REQUEST, None);
                let last_index = self.state.next_index.saturating_sub(1);
                self.state.forget();
                self.prose.forget();
                let found = first_of(&mut self.rules, |rule| rule.at_condensation());
                let found = found.and_then(|found| self.report(found, last_index, None));
                worse(before, found)
            }
            Event::TurnStarted => {
                self.state.requests.turn_started();
                let before = self.judge_steps(EarlySteps::OF_NO_REQUEST, None);
                worse(before, self.message_ends())
            }
            Event::Finished => self.message_ends(),
            Event::UserMessage => {
                self.state.requests.user_message();
                let found = self.message_ends();
                self.user_speaks();
                found
            }
            _ => None,
        }
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        RunUnderWay::nearest(self.rules.iter().filter_map(|rule| rule.under_way()))
    }

    fn newest(&self) -> Option<Newest> {
        Some(self.newest)
    }

    fn restart(&mut self, restart: Restart) {
        self.forget();
        self.state.forget_nudges();
        if restart == Restart::NewPrompt {
            self.state = Followed::default();
            self.prose = Prose::default();
        }
    }

    fn forget_quotes(&mut self) {
        self.state.forget_quotes();
    }

    fn save(&self) -> Vec<u8> {
        let named = self.rules.iter();
        let named = named.map(|rule| (rule.name.to_string(), rule.rule.save()));
        let mut rules: Vec<_> = named.collect();
        rules.push((PROSE.to_owned(), snapshot::encode(&self.prose)));
        snapshot::encode(&Saved {
            asked_repeats: self.asked_repeats,
            shared: snapshot::encode(&self.state),
            rules,
        })
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let saved: Saved = snapshot::decode(saved)?;
        let state: Followed = snapshot::decode(&saved.shared)?;
        Corrupt::unless(state.history.is_valid(self.window))?;
        self.state = state;
        self.allow_repeats(saved.asked_repeats);
        let of_name = |name: &str| saved.rules.iter().find(|(saved, _)| saved == name);
        self.prose = of_name(PROSE)
            .and_then(|(_, saved)| snapshot::decode(saved).ok())
            .unwrap_or_default();
        for rule in &mut self.rules {
            if let Some((_, saved)) = of_name(&rule.name.to_string()) {
                // One that another build has saved in another form starts afresh.
                let _ = rule.rule.load(saved);
            }
        }
        Ok(())
    }
}

/// The rules that are on, with counts that are more than the repeats that were asked for.
fn rules(options: &LoopDetectorOptions, asked_repeats: u64) -> Vec<ActiveRule> {
    let mut options = options.clone();
    if asked_repeats > 0 {
        raise_counts(&mut options, asked_repeats + 1);
    }
    let entries = STEP_RULES.iter();
    entries
        .filter_map(|entry| entry.active(&mut options))
        .collect()
}

fn call_reader(options: &LoopDetectorOptions) -> CallReader {
    let mut reader = CallReader::default();
    if let Some(tools) = &options.tools {
        reader.names.add_tools(ToolKind::Note, &tools.note);
        reader.names.add_tools(ToolKind::Wait, &tools.wait);
        reader.names.add_tools(ToolKind::Wait, &tools.stateful);
        reader.names.add_tools(ToolKind::Edit, &tools.edit);
        reader.names.add_tools(ToolKind::Write, &tools.write);
        reader.names.add_tools(ToolKind::Command, &tools.command);
        reader.names.add_tools(ToolKind::Search, &tools.search);
    }
    reader
        .names
        .add_cosmetic_arguments(&options.cosmetic_arguments);
    reader
}
