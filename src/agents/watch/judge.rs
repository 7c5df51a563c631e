//! Decides what is said when something happens: the same for every agent.

use turnkeeper_base::json::Json;
use turnkeeper_loop_detector::detecting::PatternMatcher;
use turnkeeper_loop_detector::{
    AgentEvent, LoopDetector, LoopProfile, LoopReport, LoopVerdict, Prompt,
};

use super::event::{FinishedCall, Happening, Mode, Reply, Results};
use super::log::{Done, LogLine};
use super::prompts::{hear_id, hear_message};
use super::record::{CallKey, EndOfTurn, Record, RefusedCall};
use super::requests::{Asks, call_key, is_first, note_asked, note_results};
use super::settings::UserSettings;
use super::words::{message, note};

/// Everything that a judgement depends on beside the session.
pub(crate) struct Judging<'s> {
    pub(crate) mode: Mode,
    pub(crate) asks: Asks,
    pub(crate) settings: &'s UserSettings,
    /// When the process began that was told, in milliseconds since 1970.
    pub(crate) started_at: f64,
    /// The time.
    pub(crate) now: &'s dyn Fn() -> f64,
}

/// The reply, and the reason for it.
#[derive(Debug, Default)]
pub(crate) struct Judgement<'a> {
    pub(crate) reply: Reply<'a>,
    /// The loop that the detector found.
    pub(crate) found: Option<FoundLoop>,
    /// The reason why the detector's snapshot could not be read, so that it began afresh.
    pub(crate) broken: Option<String>,
    /// Settings of a project that do not hold, told when a detector is made with the others.
    pub(crate) ignored: Vec<String>,
}

/// A loop.
#[derive(Debug)]
pub(crate) struct FoundLoop {
    pub(crate) is_stop: bool,
    pub(crate) report: Box<LoopReport>,
}

impl FoundLoop {
    /// The line of the log. `is_obeyed` says whether the agent ends something because of a stop.
    pub(crate) fn logged(&self, mode: Mode, is_obeyed: bool) -> LogLine {
        let what = match (self.is_stop, mode) {
            (true, Mode::Stop) if is_obeyed => Done::Stop,
            (true, _) => Done::WentOn,
            (false, Mode::Watch) => Done::Found,
            (false, _) => Done::Nudge,
        };
        LogLine {
            mode: Some(mode),
            rule: Some(self.report.rule.to_string()),
            tool: self.report.tool.clone(),
            count: Some(self.report.count),
            ..LogLine::new(what)
        }
    }
}

impl From<FoundLoop> for LoopVerdict {
    fn from(FoundLoop { is_stop, report }: FoundLoop) -> Self {
        if is_stop {
            Self::Stop { report }
        } else {
            Self::Nudge { report }
        }
    }
}

/// Judges what happened, and changes the record of its session accordingly.
pub(crate) fn judge<'a>(
    happened: &Happening,
    prompt_id: Option<&str>,
    record: &mut Record,
    judging: &Judging,
) -> Judgement<'a> {
    if let Happening::Prompt { text } = happened {
        let words = hear_message(text.as_deref(), prompt_id, record);
        let begun = words.map(|words| begin_prompt(words, record, judging));
        return Judgement {
            reply: with_untold(record, Reply::default()),
            ..begun.unwrap_or_default()
        };
    }
    hear_id(prompt_id, record);
    match happened {
        Happening::Request => {
            record.request_began = true;
            Reply {
                end: ended_already(record, judging),
                ..Reply::default()
            }
            .into()
        }
        Happening::Compacted => {
            record.compacted = true;
            record.results.clear();
            Judgement::default()
        }
        Happening::CallAsked { name, args } => asked_for(name, args.as_ref(), record, judging),
        Happening::Results(results) => results_came(results, record, judging),
        Happening::Prompt { .. } | Happening::SubagentAsked { .. } => Judgement::default(),
    }
}

impl<'a> From<Reply<'a>> for Judgement<'a> {
    fn from(reply: Reply<'a>) -> Self {
        Self {
            reply,
            ..Self::default()
        }
    }
}

/// The reason why the turn was ended before.
fn ended_already(record: &Record, judging: &Judging) -> Option<String> {
    let ended = record.ended.as_ref().filter(|_| judging.mode == Mode::Stop);
    ended.map(|ended| ended.reason.clone())
}

/// A call that has run, or one that has only been asked for.
struct SeenCall<'b> {
    key: CallKey,
    name: &'b str,
    args: Option<&'b Json<'b>>,
    finished: Option<&'b FinishedCall<'b>>,
}

fn asked_for<'a>(
    name: &str,
    args: Option<&Json>,
    record: &mut Record,
    judging: &Judging,
) -> Judgement<'a> {
    let refused = |refusal| Reply {
        refusal: Some(refusal),
        ..Reply::default()
    };
    if let Some(reason) = ended_already(record, judging) {
        return refused(reason).into();
    }
    let key = call_key(name, args);
    if !judging.asks.tells_results {
        let call = SeenCall {
            key,
            name,
            args,
            finished: None,
        };
        return detect(vec![call], record, judging);
    }
    if let Some(RefusedCall { fact, .. }) = record.refuse_next.take_if(|it| it.key == key) {
        return refused(fact).into();
    }
    note_asked(key, record, judging.started_at);
    Judgement::default()
}

fn results_came<'a>(results: &Results, record: &mut Record, judging: &Judging) -> Judgement<'a> {
    if let Some(end) = ended_already(record, judging) {
        let end = Some(end);
        return Reply {
            end,
            ..Reply::default()
        }
        .into();
    }
    if results.calls.is_empty() {
        return Judgement::default();
    }
    let seen = results.calls.iter().map(|call| SeenCall {
        key: call_key(&call.name, Some(&call.args)),
        name: &call.name,
        args: Some(&call.args),
        finished: Some(call),
    });
    let seen: Vec<_> = seen.collect();
    let keys: Vec<_> = seen.iter().map(|call| call.key).collect();
    let request = results.request.as_deref();
    note_results(
        &keys,
        request,
        record,
        judging.asks.requests,
        judging.started_at,
    );
    let judgement = detect(seen, record, judging);
    record.results_at = (judging.now)();
    if let Some(fact) = judgement.reply.context.clone()
        && results.context_is_late
        && let Some(key) = keys.last()
    {
        record.refuse_next = Some(RefusedCall { key: *key, fact });
    }
    judgement
}

fn detect<'a>(mut calls: Vec<SeenCall>, record: &mut Record, judging: &Judging) -> Judgement<'a> {
    calls.retain(|call| !judging.settings.exempts(call.name));
    if calls.is_empty() {
        return Judgement::default();
    }
    let (mut detector, broken, ignored) = match detector(record, judging) {
        Ok(detector) => detector,
        Err(why) => {
            return Judgement {
                broken: Some(why),
                ..Judgement::default()
            };
        }
    };
    record.is_new = false;
    if std::mem::take(&mut record.prompt_began) {
        start_prompt(&mut detector, None, record);
    }
    // A loop may show in a compaction, before the next calls.
    let mut found = None;
    if std::mem::take(&mut record.compacted) {
        found = observe(&mut detector, &AgentEvent::Condensation);
    }
    if std::mem::take(&mut record.request_began) {
        found = observe(&mut detector, &AgentEvent::TurnStarted).or(found);
        record.request_calls.clear();
    }
    calls.retain(|call| is_first(call.key, record, &judging.asks));
    if !found.as_ref().is_some_and(|it| it.is_stop) {
        found = observe_calls(&mut detector, &calls).or(found);
    }
    // Nobody is stopped who was not told: the model hears of the loop first, and is stopped if it goes on.
    if let Some(found) = &mut found
        && found.is_stop
        && judging.mode == Mode::Stop
        && !record.was_told
    {
        found.is_stop = false;
        detector.clear();
    }
    let reply = conclude(found.as_ref(), record, judging);
    // The detector watches on if the turn goes on.
    if found.as_ref().is_some_and(|it| it.is_stop) && record.ended.is_none() {
        detector.clear();
    }
    record.detector = Some(detector.snapshot_without_words());
    Judgement {
        reply,
        found,
        broken,
        ignored,
    }
}

/// Tells the detector of a prompt at once, since its words are kept nowhere.
fn begin_prompt<'a>(words: &str, record: &mut Record, judging: &Judging) -> Judgement<'a> {
    let (mut detector, broken, ignored) = match detector(record, judging) {
        Ok(detector) => detector,
        Err(why) => {
            return Judgement {
                broken: Some(why),
                ..Judgement::default()
            };
        }
    };
    start_prompt(&mut detector, Some(words), record);
    record.prompt_began = false;
    record.detector = Some(detector.snapshot_without_words());
    Judgement {
        broken,
        ignored,
        ..Judgement::default()
    }
}

/// The user's message begins a prompt for certain, whatever it says. Whether a new id does, of which no message has
/// told though the agent tells of others, the detector decides.
fn start_prompt(detector: &mut LoopDetector, words: Option<&str>, record: &Record) {
    if record.words.is_some() || !record.tells_messages {
        observe(detector, &AgentEvent::UserMessage);
    }
    let id = record.prompts.to_string();
    let words = words.filter(|words| !words.is_empty());
    let prompt = Prompt::new(&id);
    detector.start_prompt(words.map_or(prompt, |words| prompt.user_prompt(words)));
}

/// The detector as it was, and why it is not, if its snapshot cannot be read.
fn detector(
    record: &mut Record,
    judging: &Judging,
) -> Result<(LoopDetector, Option<String>, Vec<String>), String> {
    // The rules of `adaptive` compare results.
    let profile = match judging.asks.tells_results {
        true => LoopProfile::Adaptive,
        false => LoopProfile::Standard,
    };
    let wanted = judging.settings.thresholds_as_json(profile);
    let mut broken = None;
    if let Some(snapshot) = &record.detector {
        if record.thresholds == wanted {
            match LoopDetector::restore_with_patterns_matched_by(PatternMatcher::HOST, snapshot) {
                Ok(detector) => return Ok((detector, None, Vec::new())),
                Err(error) => broken = Some(error.to_string()),
            }
        }
        record.prompt_began = true;
    }
    record.thresholds = wanted;
    let made = judging.settings.detector(profile);
    made.map(|(detector, ignored)| (detector, broken, ignored))
        .map_err(|error| error.to_string())
}

fn observe(detector: &mut LoopDetector, event: &AgentEvent) -> Option<FoundLoop> {
    // No event that fits into memory is too long.
    detector.observe(event).ok().and_then(found_by)
}

fn found_by(verdict: &LoopVerdict) -> Option<FoundLoop> {
    match verdict {
        LoopVerdict::Ok => None,
        LoopVerdict::Nudge { report } => Some((false, report)),
        LoopVerdict::Stop { report } => Some((true, report)),
    }
    .map(|(is_stop, report)| FoundLoop {
        is_stop,
        report: report.clone(),
    })
}

/// The last nudge, or the first stop. Calls come first: they were all made before any had a result.
fn observe_calls(detector: &mut LoopDetector, calls: &[SeenCall]) -> Option<FoundLoop> {
    let asked = calls.iter().map(|call| (call, None));
    let answered = calls
        .iter()
        .filter_map(|call| Some((call, Some(call.finished?))));
    let mut found = None;
    for (call, result) in asked.chain(answered) {
        let id = call.finished.and_then(|it| it.id.as_deref());
        let verdict = match result {
            None => detector.observe_call(id, call.name, call.args, None).ok(),
            Some(FinishedCall {
                output,
                is_error,
                exit_code,
                ..
            }) => Some(detector.observe_result(id, output, *is_error == Some(true), *exit_code)),
        };
        found = verdict.and_then(found_by).or(found);
        if found.as_ref().is_some_and(|it| it.is_stop) {
            break;
        }
    }
    found
}

fn conclude<'a>(found: Option<&FoundLoop>, record: &mut Record, judging: &Judging) -> Reply<'a> {
    if judging.mode == Mode::Watch {
        return Reply::default();
    }
    let Some(found) = found else {
        return with_untold(record, Reply::default());
    };
    let LoopReport {
        fact,
        rule,
        tool,
        count,
        ..
    } = &*found.report;
    let mut reply = Reply {
        context: Some(note(fact)),
        ..Reply::default()
    };
    record.was_told = true;
    if found.is_stop && judging.mode == Mode::Hint {
        reply.notice = Some(message(fact, true));
    } else if found.is_stop {
        let reason = message(fact, false);
        // Without the beginning of a prompt nothing would lift the stop.
        if judging.asks.tells_prompts {
            record.ended = Some(EndOfTurn {
                reason: reason.clone(),
                rule: rule.to_string(),
                tool: tool.clone(),
                count: *count,
                is_told: false,
            });
        }
        reply.end = Some(reason);
    }
    with_untold(record, reply)
}

/// A reply with the facts that the model has not been told yet.
fn with_untold<'a>(record: &mut Record, mut reply: Reply<'a>) -> Reply<'a> {
    if record.untold.is_empty() || reply.end.is_some() {
        return reply;
    }
    let mut facts = std::mem::take(&mut record.untold);
    facts.extend(reply.context);
    reply.context = Some(facts.join("\n\n"));
    reply
}
