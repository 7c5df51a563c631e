//! Follows calls and their results: makes steps of them, shows them to the rules, and reports what these find.
//!
//! Calls of one request run at the same time, and a slow one ends last. So their steps are judged in the order of the
//! calls: a result waits for those of the calls before its own, until the next request begins.

use crate::counts::{MAX_COUNT, count_of};
use std::any::Any;

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::early_steps::{EarlyStep, EarlySteps};
use super::features::{CallFeatures, CallReader, ResultFeatures, Step, ToolKind, read_result};
use super::finding::{Finding, Said};
use super::followed::{Followed, Refused};
use super::list::STEP_RULES;
use super::prose::{Message, Prose};
use super::run::Limit;
use super::step_rule::{ActiveRule, StepFinding, first_of};
use crate::LoopDetectorOptions;
use crate::copies::CopyFrom;
use crate::progress::Newest;
use crate::report::{Channel, EVIDENCE_UNITS, LoopType};
use crate::rules::{
    Action, CallSeen, CallSummary, Context, Detection, Event, Restart, ResultSeen, Rule, RuleName,
    RunUnderWay, worse,
};
use turnkeeper_base::options::Count;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};
use turnkeeper_base::text::{excerpt, excerpt_units};

/// A snapshot of any build has fewer.
const MOST_RULES: usize = 128;
/// `shortResult` unless the host sets it.
const SHORT_RESULT: u64 = 400;
/// Waits are given this long unless the host sets `repeatedWaits`.
const WAITS: u64 = 10;
/// At most this much of the call, and as much of the result, is shown in a report.
const SHOWN_UNITS: usize = EVIDENCE_UNITS / 2 - 2;

/// Follows calls and their results.
pub(crate) struct Adaptive {
    /// The number of times that the user asked for the same again, which raises the counts.
    asked_repeats: u64,
    call_reader: CallReader,
    /// Words say whether a call failed in results of up to this many units.
    short_result: usize,
    /// The counts that the host has set of the rules that are on, in their order.
    limits: Vec<u64>,
    /// The number of times that what waits may change nothing, as the host has set it.
    waits: u64,
    rules: Vec<ActiveRule>,
    state: Followed,
    prose: Prose,
    /// The lines of the result that is read.
    lines: Vec<u32>,
    /// The newest call, and its answer when that has come. Asked for at once, so not saved.
    newest: Newest,
}

impl CopyFrom for Adaptive {
    fn copy_from(&mut self, other: &dyn Any) {
        let Some(other) = other.downcast_ref::<Self>() else {
            return;
        };
        for (rule, other) in self.rules.iter_mut().zip(&other.rules) {
            rule.limit = other.limit;
            rule.rule.as_mut().copy_from(&*other.rule);
        }
        self.asked_repeats = other.asked_repeats;
        self.state.clone_from(&other.state);
        self.prose.clone_from(&other.prose);
        self.newest = other.newest;
    }
}

impl Adaptive {
    /// The rules with a host's options, unless all are off.
    pub(crate) fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let mut options = options.clone();
        let entries = STEP_RULES.iter();
        let rules = entries.filter_map(|entry| entry.active(&mut options));
        let rules: Vec<ActiveRule> = rules.collect();
        let waits = count_of(options.repeated_waits).unwrap_or(WAITS);
        let options = &options;
        (!rules.is_empty()).then(|| Self {
            asked_repeats: 0,
            call_reader: call_reader(options),
            short_result: options.short_result.map_or(SHORT_RESULT, Count::get) as usize,
            limits: rules.iter().map(|rule| rule.limit).collect(),
            waits,
            rules,
            state: Followed::new(waits),
            prose: Prose::default(),
            lines: Vec::new(),
            newest: Newest::default(),
        })
    }

    /// Lets a call be repeated as often as the user asked for. What the rules have counted stays.
    fn allow_repeats(&mut self, asked_repeats: u64) {
        self.asked_repeats = asked_repeats;
        let raised = |limit: u64, calls_of_a_repeat: u64| match asked_repeats {
            0 => limit,
            asked => limit.max((asked + 1).saturating_mul(calls_of_a_repeat)),
        };
        for (rule, limit) in self.rules.iter_mut().zip(&self.limits) {
            rule.limit = raised(*limit, rule.info.calls_of_a_repeat);
        }
        self.state.history.waits = raised(self.waits, 1);
    }

    /// A call, and before it what those before it came to if it begins another request.
    #[inline(never)] // A large function is slow to compile at the first event.
    fn call(&mut self, seen: &CallSeen) -> Option<Detection> {
        let said = self.prose.end_message();
        let intent = said.as_ref().and_then(Message::intent);
        let remembered = &mut self.state.remembered;
        let mut call = CallFeatures {
            said: intent.map_or(0, |intent| intent as u32 | 1),
            ..self.call_reader.read(seen.call, seen.index, remembered)
        };
        if let Some(identity) = seen.call.identity() {
            call = call.identified(identity);
        }
        let is_again = self.state.has_call_of_request(&call);
        call.request = self.state.requests.of_call(is_again);
        let before = self.judge_steps(call.request, None);
        self.newest = Newest {
            call: call.call,
            ..Newest::default()
        };
        let found = first_of(&mut self.rules, |rule, limit| rule.at_call(&call, limit));
        if found.is_some() || self.may_be_of_a_loop(&call) {
            self.state.quote(seen.index, CallSummary::of(seen.call));
        }
        self.state.add_pending(call);
        let found = found.and_then(|found| self.report(&found, &call, None));
        worse(before, found)
    }

    /// Whether the result of a call may make a loop: its call was made before, or a rule has counted
    /// more than one step.
    fn may_be_of_a_loop(&self, call: &CallFeatures) -> bool {
        let is_on_a_run = |it: &ActiveRule| it.rule.is_on_a_run(it.limit);
        self.state.has_call(call)
            || self.state.hints.are_near()
            || self.rules.iter().any(is_on_a_run)
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
        let (alike, seen_lines) = (&mut state.alike, &mut state.seen_lines);
        let short = self.short_result;
        let mut result = read_result(seen, &call, short, &mut lines, alike, seen_lines);
        result.is_seen = state.seen_lines.take(&call, &lines);
        self.lines = lines;
        self.newest = Step::new(call, result, state.steps + 1, false).newest();
        if result.is_of_user {
            self.user_speaks();
            self.state.next_index = index + 1;
            return self.refused(&call, &result, seen);
        }
        let state = &mut self.state;
        state.refused = Refused::default();
        state.early.add(EarlyStep { call, result });
        let request = state.requests.number();
        self.judge_steps(request, Some(seen))
    }

    /// The user has refused a call, which is the user's word, and new; the same call after two refusals is not.
    fn refused(
        &mut self,
        call: &CallFeatures,
        result: &ResultFeatures,
        seen: &ResultSeen,
    ) -> Option<Detection> {
        let mut rules = self.rules.iter();
        let rule = rules.find(|rule| rule.name == RuleName::RepeatedResults)?;
        let count = self.state.refused.take(call, result);
        if call.asks || !result.failed {
            return None;
        }
        let first = call.index.saturating_sub(count - 1);
        let found = StepFinding {
            rule: rule.name,
            finding: Limit::of_identical(rule.limit).at(count, first)?,
            said: REFUSED,
        };
        self.report(&found, call, Some(seen))
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
            let found = found.and_then(|found| self.report(&found, &call, quoted));
            worst = worse(worst, found);
        }
        worst
    }

    /// Shows the rules a step.
    fn judge_step(&mut self, call: CallFeatures, result: ResultFeatures) -> Option<StepFinding> {
        let state = &mut self.state;
        state.steps += 1;
        let is_new = !state.history.has_call(call.call);
        let step = Step::new(call, result, state.steps, is_new);
        if !state.is_next(call.index) {
            self.misses_a_result();
        }
        let state = &mut self.state;
        state.next_index = call.index + 1;
        if !step.is_mere_note() {
            state.history.push(step);
        }
        if is_new && step.call.edits && result.acknowledges {
            // After a change it may be right again.
            state.history.forget_what_was_told();
        }
        let found = first_of(&mut self.rules, |rule, limit| {
            rule.at_result(&step, &mut state.history, limit)
        });
        state.hints.step(&step, &state.history);
        if found.is_some() {
            return found;
        }
        let unheeded = (state.hints).unheeded(&state.history, state.steps, self.asked_repeats);
        unheeded.map(|(rule, count)| StepFinding {
            rule,
            finding: Finding::stop(count, count, state.history.first_index(count)),
            said: UNHEEDED,
        })
    }

    /// Nobody knows whether the next step follows the last one.
    fn misses_a_result(&mut self) {
        for rule in &mut self.rules {
            rule.at_missing_result();
        }
    }

    /// The model thinks on.
    fn thinks(&mut self, delta: &[u16]) -> Option<Detection> {
        let (begin, count) = self.prose.think(delta)?;
        let found = first_of(&mut self.rules, |rule, limit| {
            rule.at_thought(begin, count, limit)
        })?;
        let evidence = excerpt_units(delta, EVIDENCE_UNITS);
        let mut found = found.detection().in_text(Channel::Reasoning, evidence);
        found.report.last_index = self.prose.last_thought_index();
        Some(found)
    }

    /// The message under way is complete.
    fn message_ends(&mut self) -> Option<Detection> {
        let message = self.prose.end_message()?;
        let found = first_of(&mut self.rules, |rule, limit| {
            rule.at_message_end(&message, limit)
        })?;
        let mut found = found
            .detection()
            .in_text(Channel::Text, self.prose.evidence());
        found.report.last_index = self.prose.last_index();
        Some(found)
    }

    /// The user may ask for the same again, and the model then does the same again.
    fn user_speaks(&mut self) {
        self.state.forget();
        self.state.hints.forget();
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

    /// The report of a finding about a call, or about those before it. There is one hint for a call.
    fn report(
        &mut self,
        found: &StepFinding,
        call: &CallFeatures,
        result: Option<&ResultSeen>,
    ) -> Option<Detection> {
        let mut detection = found.detection();
        detection.report.last_index = call.index;
        if let Some(summary) = self.state.quotable(call.index) {
            detection = detection.quoting(summary);
        }
        if let Some(result) = result {
            let answer = result.output.units().up_to(SHOWN_UNITS + 1).to_vec();
            let report = &mut detection.report;
            report.evidence = format!(
                "{} → {}",
                excerpt(&report.evidence, SHOWN_UNITS),
                excerpt_units(&answer, SHOWN_UNITS)
            );
            detection.quoted.answer = Some(excerpt_units(&answer, SHOWN_UNITS));
        }
        if !found.finding.is_stop {
            let Followed { hints, steps, .. } = &mut self.state;
            let is_one_too_many = hints.hint(found, call, *steps)?;
            detection.action = Action::of(is_one_too_many);
        }
        Some(detection)
    }
}

/// A call that the user refuses again and again.
const REFUSED: Said = Said {
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{call} was called {count} times in a row, and the user refused it each time{answer}.",
    feedback: "You seem to be stuck: {message} Do not ask for it again. Say what it was for, and ask the user what to do instead.",
};

/// What goes on after a hint in few different steps.
const UNHEEDED: Said = Said {
    loop_type: LoopType::RepeatedToolCycle,
    message: "the last {count} calls are a few ones again and again with the same answers, although the model was told of it, the last of {call}{answer}.",
    feedback: "You seem to be stuck: {message} Say what you know and what is missing, and ask the user.",
};

/// The assistant's prose is saved beside the rules, by this name.
const PROSE: &str = "prose";

/// The saved form: the shared state, and that of each rule that is on, by its name. A build with other rules
/// goes on from it as far as the rules are the same.
#[derive(Serialize, Deserialize)]
struct Saved {
    asked_repeats: u64,
    shared: ByteBuf,
    rules: Vec<(String, ByteBuf)>,
}

impl SavedState for Saved {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.rules.len() <= MOST_RULES && self.asked_repeats <= MAX_COUNT)
    }
}

impl Rule for Adaptive {
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
            Event::UncountedCall { index } => {
                self.prose.end_message();
                self.state.pass_over(*index);
                None
            }
            Event::Result(seen) => self.result(seen),
            Event::Text {
                channel: Channel::Text,
                delta,
            } => {
                self.prose.push(delta);
                None
            }
            Event::Text {
                channel: Channel::Reasoning,
                delta,
            } => self.thinks(delta),
            Event::Condensation => {
                let before = self.judge_steps(EarlySteps::OF_NO_REQUEST, None);
                let last = CallFeatures {
                    index: self.state.next_index.saturating_sub(1),
                    ..CallFeatures::default()
                };
                self.state.forget();
                self.prose.forget();
                let found = first_of(&mut self.rules, |rule, limit| rule.at_condensation(limit));
                let found = found.and_then(|found| self.report(&found, &last, None));
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
                self.state.refused = Refused::default();
                let found = self.message_ends();
                self.user_speaks();
                found
            }
            _ => None,
        }
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        let runs = self.rules.iter();
        RunUnderWay::nearest(runs.filter_map(|it| it.rule.under_way(it.limit)))
    }

    fn newest(&self) -> Option<Newest> {
        Some(self.newest)
    }

    fn restart(&mut self, restart: Restart) {
        self.forget();
        self.state.hints.forget();
        if restart == Restart::NewPrompt {
            self.state = Followed::new(self.state.history.waits);
            self.prose = Prose::default();
        }
    }

    fn forget_quotes(&mut self) {
        self.state.forget_quotes();
    }

    fn save(&self) -> Vec<u8> {
        let named = self.rules.iter();
        let named = named.map(|rule| (rule.name.to_string(), rule.rule.save().into()));
        let mut rules: Vec<(String, ByteBuf)> = named.collect();
        rules.push((PROSE.to_owned(), snapshot::encode(&self.prose).into()));
        snapshot::encode(&Saved {
            asked_repeats: self.asked_repeats,
            shared: snapshot::encode(&self.state).into(),
            rules,
        })
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let saved: Saved = snapshot::decode(saved)?;
        self.state = load_followed(&saved.shared)?;
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

#[inline(never)] // A large function is slow to compile when a detector is first restored.
fn load_followed(saved: &[u8]) -> Result<Followed, Corrupt> {
    let state: Followed = snapshot::decode(saved)?;
    Corrupt::unless(state.history.is_valid())?;
    Ok(state)
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
