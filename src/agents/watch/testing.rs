//! Things that the tests of this crate share: events as one line, and a store in memory.

use std::collections::HashMap;

use turnkeeper_base::json::written;

use super::dialect::Dialect;
use super::event::{FinishedCall, Happening, Reply};
use super::hook::{Setting, Store, WatchError, answer, read};
use super::log::LogLine;

/// The meaning of an event, as a line.
pub(crate) fn told(dialect: &Dialect, payload: &str) -> String {
    let mut told = payload.as_bytes().to_vec();
    let payload = read(&mut told).expect("a JSON object");
    let Some(event) = payload.event(dialect, None) else {
        return "nothing".to_owned();
    };
    let ids = [&event.subagent, &event.prompt_id].map(|id| id.as_deref().unwrap_or("-"));
    let place = [&*event.session, ids[0], ids[1]].join("/");
    format!("{place} {}", line_of(&event.happened))
}

fn line_of(happened: &Happening) -> String {
    let asked = |what: &str, name: &str, args: &Option<_>| {
        let args = args.as_ref().map(written).unwrap_or_default();
        format!("{what} {name} {args}")
    };
    match happened {
        Happening::Prompt { text: Some(text) } => format!("prompt {text}"),
        Happening::Prompt { text: None } => "prompt".to_owned(),
        Happening::Request => "request".to_owned(),
        Happening::Compacted => "compacted".to_owned(),
        Happening::CallAsked { name, args } => asked("asked", name, args),
        Happening::SubagentAsked { name, args } => asked("subagent", name, args),
        Happening::Results(results) => {
            let mut line = "results".to_owned();
            for call in &results.calls {
                line += &format!(" [{}]", line_of_call(call));
            }
            if let Some(request) = &results.request {
                line += &format!(" of {request}");
            }
            for (is_so, word) in [
                (results.context_is_late, "late"),
                (results.ends_subagent, "ends"),
            ] {
                if is_so {
                    line += &format!(" {word}");
                }
            }
            if let Some((arrived, call)) = results.arrived() {
                let replaced = (arrived.with_text)("…".to_owned());
                line += &format!(" arrived {:?} {}", call.output, written(&replaced));
            }
            line
        }
    }
}

fn line_of_call(call: &FinishedCall) -> String {
    let id = call
        .id
        .as_deref()
        .map(|id| format!("{id} "))
        .unwrap_or_default();
    let failed = match call.is_error {
        Some(true) => " failed",
        Some(false) => " succeeded",
        None => "",
    };
    let code = call
        .exit_code
        .map(|code| format!(" {code}"))
        .unwrap_or_default();
    let (name, args) = (&call.name, written(&call.args));
    format!("{id}{name} {args} {:?}{failed}{code}", call.output)
}

/// The text that is printed of a reply to an event; empty if there is nothing to say.
pub(crate) fn answered(dialect: &Dialect, payload: &str, reply: Reply<'static>) -> String {
    let mut told = payload.as_bytes().to_vec();
    let payload = read(&mut told).expect("a JSON object");
    let event = payload.event(dialect, None).expect("an event of interest");
    (dialect.answer)(&event, reply).map_or(String::new(), |answer| written(&answer))
}

/// A reply with facts for the model.
pub(crate) fn context() -> Reply<'static> {
    Reply {
        context: Some("a fact".to_owned()),
        ..Reply::default()
    }
}

/// A reply that ends the turn.
pub(crate) fn end() -> Reply<'static> {
    Reply {
        end: Some("a loop".to_owned()),
        ..context()
    }
}

/// A reply that refuses a call.
pub(crate) fn refusal() -> Reply<'static> {
    Reply {
        refusal: Some("a loop".to_owned()),
        ..Reply::default()
    }
}

/// A store in memory.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) records: HashMap<String, Vec<u8>>,
    pub(crate) log: Vec<LogLine>,
}

impl Store for Memory {
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError> {
        let changed = change(Ok(self.records.get(key).cloned()));
        self.records.insert(key.to_owned(), changed);
        Ok(())
    }

    fn remove_old(&mut self) {}

    fn log(&mut self, line: LogLine) {
        self.log.push(line);
    }
}

impl Memory {
    /// The text that is printed for an event that an agent tells.
    pub(crate) fn send(&mut self, setting: &Setting, payload: &[u8]) -> Option<String> {
        let mut told = payload.to_vec();
        let event = read(&mut told).ok()?.event(setting.dialect, None)?;
        answer(event, setting, self).expect("memory takes everything")
    }
}
