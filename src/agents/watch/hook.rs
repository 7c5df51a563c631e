//! One event of an agent's hook: read, judged, answered.

use std::fmt;

use turnkeeper_base::json::{Json, parse_in_place, written};
use turnkeeper_base::text::hash::{fingerprint, sha256_hex};

use super::dialect::Dialect;
use super::event::{Event, FinishedCall, Happening, Mode, Reply, Requests, Results};
use super::fields::Fields;
use super::judge::{FoundLoop, Judgement, Judging, judge};
use super::ledger::{ledger_text, note};
use super::log::{Done, LogLine};
use super::record::Record;
use super::repeats::repeat_of;
use super::requests::Asks;
use super::settings::UserSettings;
use super::subagents;
use super::words::{note_of_ended, silence};

/// The reason why an event cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchError(String);

impl WatchError {
    /// An error with this reason.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WatchError {}

/// The conditions under which the events of an agent are answered.
pub struct Setting<'s> {
    /// The agent's name.
    pub agent: &'s str,
    /// The language of its hooks.
    pub dialect: &'static Dialect,
    /// The most that the watch may do.
    pub mode: Mode,
    /// Whether a long result that an earlier call had becomes a line, where the agent lets a hook do that.
    pub economy: bool,
    /// The user's settings.
    pub settings: &'s UserSettings,
    /// When this process began, in milliseconds since 1970.
    pub started_at: f64,
    /// The time, in the same.
    pub now: &'s dyn Fn() -> f64,
}

/// A store for what is kept of sessions between their events. A key names a session, and holds nothing that an agent
/// has written.
pub trait Store {
    /// Changes a record while no other process does. `change` gets what was kept, or why that cannot be read, and
    /// answers with what is to be kept.
    ///
    /// # Errors
    /// If other processes keep the record for too long, or if it cannot be written.
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError>;

    /// A session goes on; others may have ended long ago.
    fn remove_old(&mut self);

    /// Logs what was done.
    fn log(&mut self, line: LogLine);
}

/// An event as an agent has told it.
pub struct Payload<'a> {
    fields: Fields<'a>,
    hash: u64,
}

/// Reads what an agent has told, in its place: a result may be large.
///
/// # Errors
/// For what is no JSON object.
pub fn read(told: &mut Vec<u8>) -> Result<Payload<'_>, WatchError> {
    let hash = fingerprint(told);
    match parse_in_place(told) {
        Some(value @ Json::Object(_)) => Ok(Payload {
            fields: Fields::of(Some(value)),
            hash,
        }),
        _ => Err(WatchError::new("the event is no JSON object")),
    }
}

impl<'a> Payload<'a> {
    /// Candidates for the folder in which the agent works, the likeliest first.
    pub fn folders(&self) -> Vec<String> {
        let text = |value: &Json| value.as_text().map(str::to_owned);
        let named = ["cwd", "working_dir"].map(|name| self.fields.get(name));
        let listed = ["workspace_roots", "workspaceRoots"].map(|name| self.fields.get(name));
        let first = listed
            .into_iter()
            .flatten()
            .filter_map(|list| list.items().first());
        let all = named.into_iter().flatten().chain(first);
        all.filter_map(text).filter(|it| !it.is_empty()).collect()
    }

    /// The event; `None` if it is of no interest. `named` is its name on the command line.
    pub fn event(self, dialect: &Dialect, named: Option<&'a str>) -> Option<Event<'a>> {
        dialect.read(self.fields, named, self.hash)
    }
}

/// Answers an event with what was kept of its session: what is to be printed, `None` if there is nothing to say.
///
/// # Errors
/// If the session's record cannot be changed.
pub fn answer(
    mut event: Event,
    setting: &Setting,
    store: &mut dyn Store,
) -> Result<Option<String>, WatchError> {
    if let Happening::Results(results) = &mut event.happened {
        setting.leave_to_batch(results);
    }
    let mut run = Run { setting, store };
    if let Some(why) = setting.settings.silenced() {
        return run.tell_silence(&event, &why);
    }
    let reply = match run.update(&mut event, true)? {
        Decision::Silent => return Ok(None),
        Decision::Said(reply) => reply,
        Decision::InSubagents(id) => {
            event.subagent = Some(id.to_string().into());
            match run.update(&mut event, false)? {
                Decision::Said(reply) => reply,
                _ => return Ok(None),
            }
        }
    };
    let answer = (setting.dialect.answer)(&event, reply);
    Ok(answer.map(|answer| written(&answer) + "\n"))
}

struct Run<'r> {
    setting: &'r Setting<'r>,
    store: &'r mut dyn Store,
}

/// The decision about an event.
enum Decision<'a> {
    /// Nothing: it was told before.
    Silent,
    /// It is of these subagents.
    InSubagents(u64),
    Said(Reply<'a>),
}

/// The decisions that were made while nobody else could change the record.
struct Judged<'a> {
    judgement: Judgement<'a>,
    stopped: Option<LogLine>,
}

/// What is kept where the log, or the user, was told of a silence.
const LOGGED: &[u8] = b"logged";
const TOLD: &[u8] = b"told";

/// Hashes of events that are kept for each session: those of two settings files come close together.
const REMEMBERED_EVENTS: usize = 32;

impl Run<'_> {
    /// Changes the record of the event's session, and does what there is to do once it is kept. `is_first` says
    /// that it was not yet looked at as an event of the main agent.
    fn update<'a>(
        &mut self,
        event: &mut Event<'a>,
        is_first: bool,
    ) -> Result<Decision<'a>, WatchError> {
        let key = self.key(&event.session, event.subagent.as_deref());
        let mut decision = Decision::Silent;
        let mut judged = None;
        let mut broken = Vec::new();
        let setting = self.setting;
        self.store.update(&key, &mut |kept| {
            let mut record = record_of(kept, &mut broken);
            if is_first && setting.was_told_before(event, &mut record) {
                return record.to_bytes();
            }
            if is_first
                && event.subagent.is_none()
                && let Some(id) = subagents::running(&mut event.happened, &mut record)
            {
                decision = Decision::InSubagents(id);
                return record.to_bytes();
            }
            if let Happening::Results(results) = &mut event.happened {
                setting.leave_out_told(results, &mut record);
            }
            judged = Some(setting.judge(event, &mut record));
            record.to_bytes()
        })?;
        self.log_all(broken);
        let Some(judged) = judged else {
            return Ok(decision);
        };
        self.conclude(event, judged).map(Decision::Said)
    }

    fn conclude<'a>(
        &mut self,
        event: &Event<'a>,
        Judged { judgement, stopped }: Judged<'a>,
    ) -> Result<Reply<'a>, WatchError> {
        let Judgement {
            reply,
            found,
            broken,
            ignored,
        } = judgement;
        let mode = self.setting.mode;
        self.log_all(broken.map(LogLine::failure));
        self.log_all(ignored.into_iter().map(LogLine::ignored));
        if let Some(found) = &found {
            self.store.log(found.logged(mode, stopped.is_some()));
        } else if let Some(stopped) = stopped {
            self.store.log(stopped);
        }
        if let (Some(found), Some(_), true) = (&found, &event.subagent, reply.end.is_some()) {
            self.tell_main_agent(&event.session, found)?;
        }
        if matches!(event.happened, Happening::Compacted) && reply.context.is_some() {
            let mode = Some(mode);
            let what = LogLine::new(Done::Ledger);
            self.store.log(LogLine { mode, ..what });
        }
        if matches!(event.happened, Happening::Prompt { .. }) {
            self.store.remove_old();
        }
        Ok(reply)
    }

    fn key(&self, session: &str, subagent: Option<&str>) -> String {
        const LONGEST: usize = 32;
        let parts = [self.setting.agent, session, subagent.unwrap_or_default()];
        let parts = parts.map(|part| format!("{}:{part}", part.len()));
        let mut key = sha256_hex(parts.concat().as_bytes());
        key.truncate(LONGEST);
        key
    }

    /// The user is told once that a project's file leaves nothing to find, when the agent has a way to say so.
    fn tell_silence(&mut self, event: &Event, why: &str) -> Result<Option<String>, WatchError> {
        let is_said = self.setting.mode != Mode::Watch;
        let notice = is_said.then(|| silence(why));
        let reply = Reply {
            notice,
            ..Reply::default()
        };
        let answer = (self.setting.dialect.answer)(event, reply);
        let mut before = Vec::new();
        self.store.update(&self.key(why, None), &mut |kept| {
            before = kept.ok().flatten().unwrap_or_default();
            match (answer.is_some(), before.is_empty()) {
                (true, _) => TOLD.to_vec(),
                (false, true) => LOGGED.to_vec(),
                (false, false) => before.clone(),
            }
        })?;
        if before.is_empty() {
            self.store.log(LogLine::silenced(why));
        }
        let answer = answer.filter(|_| before != TOLD);
        Ok(answer.map(|answer| written(&answer) + "\n"))
    }

    /// The main agent never learns why a subagent of its was ended, unless its next event says so.
    fn tell_main_agent(&mut self, session: &str, found: &FoundLoop) -> Result<(), WatchError> {
        let note = note_of_ended(&found.report.fact);
        let key = self.key(session, None);
        let mut broken = Vec::new();
        self.store.update(&key, &mut |kept| {
            let mut record = record_of(kept, &mut broken);
            record.untold.push(note.clone());
            record.to_bytes()
        })?;
        self.log_all(broken);
        Ok(())
    }

    fn log_all(&mut self, lines: impl IntoIterator<Item = LogLine>) {
        for line in lines {
            self.store.log(line);
        }
    }
}

/// Keeps a hash among those of the last events.
fn remember(hash: u64, record: &mut Record) {
    record.last_events.push(hash);
    if record.last_events.len() > REMEMBERED_EVENTS {
        record.last_events.remove(0);
    }
}

/// The record that was kept. One that cannot be read is begun afresh, and the reason is added to `broken`.
fn record_of(kept: Result<Option<Vec<u8>>, WatchError>, broken: &mut Vec<LogLine>) -> Record {
    let read = match kept {
        Ok(None) => return Record::default(),
        Ok(Some(bytes)) => Record::from_bytes(&bytes).map_err(LogLine::failure),
        Err(error) => Err(LogLine::failure(error)),
    };
    read.unwrap_or_else(|why| {
        broken.push(why);
        Record::default()
    })
}

impl Setting<'_> {
    fn judge<'a>(&self, event: &Event<'a>, record: &mut Record) -> Judged<'a> {
        let mut asks = Asks::of(self.dialect);
        if let Happening::Results(results) = &event.happened
            && results.may_come_again
        {
            asks.requests = Requests::Untold;
        }
        let judging = Judging {
            mode: self.mode,
            asks,
            settings: self.settings,
            started_at: self.started_at,
            now: self.now,
        };
        let prompt_id = event.prompt_id.as_deref();
        if self.remembers(event) {
            note(&event.happened, &mut record.ledger);
        }
        let mut judgement = judge(&event.happened, prompt_id, record, &judging);
        if matches!(event.happened, Happening::Compacted) && self.mode != Mode::Watch {
            judgement.reply.context = ledger_text(&record.ledger);
        }
        judgement.reply.result = self.shorter(&event.happened, record);
        let stopped = self.stopped(event, &judgement.reply, record);
        Judged { judgement, stopped }
    }

    /// Whether what happened may be told of after a compaction. Nothing is kept that nobody would ask for.
    fn remembers(&self, event: &Event) -> bool {
        self.dialect.tells_compactions() && self.mode != Mode::Watch && event.subagent.is_none()
    }

    /// Whether an event was told before, by another settings file. A prompt and a compaction may come again to the
    /// letter once something else has happened, and each of several identical calls is to be refused.
    fn was_told_before(&self, event: &Event, record: &mut Record) -> bool {
        if !self.dialect.events_differ {
            return false;
        }
        let events = &mut record.last_events;
        let before = events.iter().rposition(|it| *it == event.hash);
        let may_come_again = matches!(
            event.happened,
            Happening::Prompt { .. } | Happening::Compacted
        );
        if let Some(at) = before
            && (!may_come_again || at + 1 == events.len())
        {
            let is_refused = matches!(event.happened, Happening::CallAsked { .. });
            return !(is_refused && record.ended.is_some());
        }
        remember(event.hash, record);
        false
    }

    /// Where a result is hooked for the economy alone, a batch will tell of it.
    fn leave_to_batch(&self, results: &mut Results) {
        if !self.economy || !results.may_come_again {
            return;
        }
        let call = results.calls.pop();
        if let Some(arrived) = &mut results.arrived {
            arrived.call = call;
        }
    }

    /// One settings file may name the events of an older version, and another those of today: what was told by itself
    /// does not count again in its batch.
    fn leave_out_told(&self, results: &mut Results, record: &mut Record) {
        if self.dialect.requests != Requests::Batch {
            return;
        }
        let hash = |call: &FinishedCall| Some(fingerprint(call.id.as_deref()?.as_bytes()));
        if results.may_come_again {
            let told: Vec<u64> = results.calls.iter().filter_map(hash).collect();
            told.into_iter().for_each(|it| remember(it, record));
        } else {
            let events = &record.last_events;
            results
                .calls
                .retain(|call| hash(call).is_none_or(|it| !events.contains(&it)));
        }
    }

    /// The line of the log about the end of the turn, if this is the event at which the agent ends it.
    fn stopped(&self, event: &Event, reply: &Reply, record: &mut Record) -> Option<LogLine> {
        let dialect = self.dialect;
        let is_said = reply.end.is_some() || reply.refusal.is_some();
        if !is_said || !(dialect.obeys)(&event.happened) {
            return None;
        }
        let line = LogLine {
            mode: Some(self.mode),
            ..LogLine::new(Done::Stop)
        };
        match &mut record.ended {
            // An agent that tells of no prompts is halted, and goes on with the next one.
            None => (!dialect.tells_prompts).then_some(line),
            Some(ended) if ended.is_told => None,
            Some(ended) => {
                ended.is_told = true;
                Some(LogLine {
                    rule: Some(ended.rule.clone()),
                    tool: ended.tool.clone(),
                    count: Some(ended.count),
                    ..line
                })
            }
        }
    }

    /// The replacement for a result that the context has already.
    fn shorter<'a>(&self, happened: &Happening<'a>, record: &mut Record) -> Option<Json<'a>> {
        let Happening::Results(results) = happened else {
            return None;
        };
        if !self.economy || self.mode == Mode::Watch {
            return None;
        }
        let (arrived, call) = results.arrived()?;
        let line = repeat_of(call, &mut record.results)?;
        Some((arrived.with_text)(line))
    }
}

#[cfg(test)]
mod tests;
