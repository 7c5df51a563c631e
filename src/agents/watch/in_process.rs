//! Watches the sessions of an agent in the agent's own process, and judges them as the hooks do.

use serde::Serialize;
use turnkeeper_base::json::Json;
use turnkeeper_loop_detector::LoopVerdict;
use turnkeeper_messages::prompt_start_in;

use super::event::{Happening, Mode, Reply, Requests};
use super::judge::{Judging, judge};
use super::ledger::{ledger_text, note};
use super::log::LogLine;
use super::record::Record;
use super::requests::Asks;
use super::settings::UserSettings;
use super::words::silence;

/// Sessions that are watched at once; of more the longest silent gives way.
const MOST_SESSIONS: usize = 64;

/// Watches an agent's sessions. It is told what happens, as it happens: [`asked`](Self::asked) and
/// [`happened`](Self::happened) answer with what there is to say.
#[derive(Debug)]
pub struct Watch {
    mode: Mode,
    asks: Asks,
    settings: UserSettings,
    has_told_silence: bool,
    /// The longest silent first.
    sessions: Vec<Session>,
}

#[derive(Debug)]
struct Session {
    id: String,
    record: Record,
}

/// The answer to something that happened in a session.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Heard<'a> {
    /// The reply, which may be empty.
    pub reply: Reply<'a>,
    /// The lines to be logged.
    pub log: Vec<LogLine>,
    /// The text that tells the user of a stop, once for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The loop that was found, once for each nudge and stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<LoopVerdict>,
}

impl Watch {
    /// A watch that goes so far. `requests` says how the agent tells requests apart, and `settings` what the user
    /// has set.
    pub fn new(mode: Mode, requests: Requests, settings: UserSettings) -> Self {
        Self {
            mode,
            asks: Asks {
                requests,
                tells_results: true,
                tells_prompts: true,
            },
            settings,
            has_told_silence: false,
            sessions: Vec::new(),
        }
    }

    /// Something happened in a session, at `now`, in milliseconds since 1970.
    pub fn happened(
        &mut self,
        session: &str,
        happened: &Happening,
        prompt_id: Option<&str>,
        now: f64,
    ) -> Heard<'static> {
        if let Some(why) = self.settings.silenced() {
            return self.tell_silence(happened, &why);
        }
        if self.settings.off {
            return Heard::default();
        }
        let at = self.find(session);
        let Session { record, .. } = &mut self.sessions[at];
        note(happened, &mut record.ledger);
        let judging = Judging {
            mode: self.mode,
            asks: self.asks,
            settings: &self.settings,
            started_at: now,
            now: &|| now,
        };
        let judgement = judge(happened, prompt_id, record, &judging);
        let broken = judgement.broken.into_iter().map(LogLine::failure);
        let ignored = judgement.ignored.into_iter().map(LogLine::ignored);
        let mut heard = Heard {
            log: broken.chain(ignored).collect(),
            reply: judgement.reply,
            stopped: None,
            verdict: None,
        };
        if let Some(found) = judgement.found {
            heard.log.push(found.logged(self.mode, true));
            let said = heard.reply.end.as_ref().or(heard.reply.notice.as_ref());
            heard.stopped = said.filter(|_| found.is_stop).cloned();
            heard.verdict = Some(found.into());
        }
        heard
    }

    /// The user is told once that a project's file leaves nothing to find, with a result, after which plugins show it.
    fn tell_silence(&mut self, happened: &Happening, why: &str) -> Heard<'static> {
        let mut heard = Heard::default();
        if matches!(happened, Happening::Results(_)) && !self.has_told_silence {
            self.has_told_silence = true;
            heard.log.push(LogLine::silenced(why));
            heard.reply.notice = Some(silence(why)).filter(|_| self.mode != Mode::Watch);
        }
        heard
    }

    /// A message in the user's name, of any provider, which is a prompt unless the agent or its host wrote all of it.
    /// Facts that the model has not been told yet wait on, since a message takes no answer along.
    pub fn asked(
        &mut self,
        session: &str,
        message: &Json,
        prompt_id: Option<&str>,
        now: f64,
    ) -> Heard<'static> {
        let Some(start) = prompt_start_in(message) else {
            return Heard::default();
        };
        let text = Some(start.words.unwrap_or_default());
        let happened = Happening::Prompt { text };
        let mut heard = self.happened(session, &happened, prompt_id, now);
        if let Some(facts) = heard.reply.context.take() {
            self.tell_later(session, facts);
        }
        heard
    }

    /// The work done in a session whose conversation is replaced by a summary, as facts.
    pub fn ledger(&self, session: &str) -> Option<String> {
        let known = self.sessions.iter().find(|it| it.id == session);
        let known = known.filter(|_| self.mode != Mode::Watch)?;
        ledger_text(&known.record.ledger)
    }

    /// Keeps facts for the next answer in which the model can be told.
    pub fn tell_later(&mut self, session: &str, facts: String) {
        let at = self.find(session);
        self.sessions[at].record.untold.push(facts);
    }

    /// The place of a session, which is the last one now.
    fn find(&mut self, id: &str) -> usize {
        let known = self.sessions.iter().position(|it| it.id == id);
        let session = match known {
            Some(at) => self.sessions.remove(at),
            None => Session {
                id: id.to_owned(),
                record: Record::default(),
            },
        };
        self.sessions.push(session);
        if self.sessions.len() > MOST_SESSIONS {
            self.sessions.remove(0);
        }
        self.sessions.len() - 1
    }
}

#[cfg(test)]
mod tests;
