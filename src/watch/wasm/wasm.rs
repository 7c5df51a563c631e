//! The watch for JavaScript: for plugins in an agent's own process, and for hooks where there is no program.
//!
//! Events cross as JSON, once for each step of an agent, and so do the replies.

#![cfg(target_family = "wasm")]

use js_sys::Function;
use serde::Deserialize;
use turnkeeper_base::boundary::convert::from_js;
use turnkeeper_base::boundary::thrown;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::{Json, parse_as, written};
use turnkeeper_base::options::{OPTIONS, read_as};
use turnkeeper_messages::users_words_in;
use turnkeeper_watch::agents::agent;
use turnkeeper_watch::{
    Dialect, Happening, LogLine, Mode, Requests, Setting, Store, UserSettings, Watch, WatchError,
    answer, read,
};
use wasm_bindgen::prelude::*;

const MACHINE: &str = "watch";

/// A watch of the sessions of an agent.
#[wasm_bindgen]
pub struct RawWatch {
    core: Watch,
}

#[derive(Deserialize)]
struct WatchOptions {
    mode: Mode,
    requests: Requests,
    /// Names of settings files and what is in them, the home folder's first.
    settings: Vec<(String, String)>,
}

#[wasm_bindgen(js_class = RawWatch)]
impl RawWatch {
    /// A watch with options that are a plain object.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawWatch, JsValue> {
        let options = from_js(MACHINE, OPTIONS, options)
            .and_then(|it| read_as(MACHINE, ErrorCode::InvalidConfig, OPTIONS, &it));
        let WatchOptions {
            mode,
            requests,
            settings,
        } = options.map_err(thrown)?;
        let core = Watch::new(mode, requests, settings_of(&settings));
        Ok(Self { core })
    }

    /// Something happened in a session, given as JSON, at `now`, in milliseconds since 1970. Returns JSON.
    pub fn happened(
        &mut self,
        session: &str,
        happened: &str,
        prompt_id: Option<String>,
        now: f64,
    ) -> Result<String, JsValue> {
        let mut room = Vec::new();
        let happened: Happening = value(happened, &mut room)?;
        let heard = self
            .core
            .happened(session, &happened, prompt_id.as_deref(), now);
        Ok(written(&heard))
    }

    /// A message in the user's name, given as JSON. Returns JSON.
    pub fn asked(
        &mut self,
        session: &str,
        message: &str,
        prompt_id: Option<String>,
        now: f64,
    ) -> Result<String, JsValue> {
        let mut room = Vec::new();
        let message: Json = value(message, &mut room)?;
        let heard = self
            .core
            .asked(session, &message, prompt_id.as_deref(), now);
        Ok(written(&heard))
    }

    /// The work done in a session, as facts.
    pub fn ledger(&self, session: &str) -> Option<String> {
        self.core.ledger(session)
    }

    /// Keeps facts for the next answer in which the model can be told.
    #[wasm_bindgen(js_name = tellLater)]
    pub fn tell_later(&mut self, session: &str, facts: String) {
        self.core.tell_later(session, facts);
    }
}

/// The words of a person in a message, given as JSON; none if it is of another role, or an agent or its host wrote it.
#[wasm_bindgen(js_name = usersWords)]
pub fn words_of_person(message: &str) -> Result<Option<String>, JsValue> {
    let mut room = Vec::new();
    let message: Json = value(message, &mut room)?;
    Ok(users_words_in(&message))
}

/// One event of an agent's hook.
#[wasm_bindgen]
pub struct RawHook {
    agent: String,
    dialect: &'static Dialect,
    payload: Vec<u8>,
}

#[wasm_bindgen]
extern "C" {
    /// The store of the sessions' records, and of the log.
    pub type JsStore;

    #[wasm_bindgen(method, catch)]
    fn update(
        this: &JsStore,
        key: &str,
        change: &mut dyn FnMut(JsValue, JsValue) -> Vec<u8>,
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = addNotes)]
    fn add_notes(this: &JsStore, key: &str, lines: &str) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn notes(this: &JsStore, key: &str) -> Result<Vec<u8>, JsValue>;
    #[wasm_bindgen(method, catch, js_name = replaceNotes)]
    fn replace_notes(this: &JsStore, key: &str, lines: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn heard(this: &JsStore) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = removeOld)]
    fn remove_old(this: &JsStore) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn log(this: &JsStore, line: &str) -> Result<(), JsValue>;
}

#[wasm_bindgen(js_class = RawHook)]
impl RawHook {
    /// An event of an agent; `undefined` for one that has no hooks.
    pub fn of(agent_name: &str, payload: Vec<u8>) -> Option<RawHook> {
        Some(Self {
            agent: agent_name.to_owned(),
            dialect: agent(agent_name)?.dialect?,
            payload,
        })
    }

    /// The text that is printed where there is nothing to say.
    pub fn silence(&self) -> String {
        self.dialect.silence.to_owned()
    }

    /// Candidates for the folder in which the agent works, the likeliest first.
    pub fn folders(&self) -> Vec<String> {
        let mut room = Vec::new();
        let payload = read(&self.payload, &mut room);
        payload.map(|it| it.folders()).unwrap_or_default()
    }

    /// Answers the event. `how` is `{ mode, economy, event?, settings, startedAt }`, and `now` the clock.
    pub fn answer(
        &self,
        how: JsValue,
        now: &Function,
        store: &JsStore,
    ) -> Result<Option<String>, JsValue> {
        let how = from_js(MACHINE, "how", how)
            .and_then(|it| read_as(MACHINE, ErrorCode::InvalidArgument, "how", &it));
        let how: How = how.map_err(thrown)?;
        let settings = settings_of(&how.settings);
        if settings.off {
            return Ok(None);
        }
        let mut room = Vec::new();
        let payload = read(&self.payload, &mut room).map_err(|error| said(&error))?;
        let Some(event) = payload.event(self.dialect, how.event.as_deref()) else {
            return Ok(None);
        };
        // An event that cannot be noted costs a line of the status, and no answer.
        let _ = store.heard();
        let clock = || {
            now.call0(&JsValue::NULL)
                .ok()
                .and_then(|it| it.as_f64())
                .unwrap_or(how.started_at)
        };
        let setting = Setting {
            agent: &self.agent,
            dialect: self.dialect,
            mode: how.mode,
            economy: how.economy,
            settings: &settings,
            started_at: how.started_at,
            now: &clock,
        };
        answer(event, &setting, &mut Kept(store)).map_err(|error| said(&error))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct How {
    mode: Mode,
    economy: bool,
    event: Option<String>,
    settings: Vec<(String, String)>,
    started_at: f64,
}

/// A store of JavaScript's.
struct Kept<'s>(&'s JsStore);

impl Store for Kept<'_> {
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError> {
        let mut changed = |kept: JsValue, why: JsValue| {
            change(match why.as_string() {
                Some(why) => Err(WatchError::new(why)),
                None => Ok(kept.dyn_ref().map(js_sys::Uint8Array::to_vec)),
            })
        };
        self.0.update(key, &mut changed).map_err(failure)
    }

    fn add_notes(&mut self, key: &str, lines: &str) -> Result<u64, WatchError> {
        self.0
            .add_notes(key, lines)
            .map(|it| it as u64)
            .map_err(failure)
    }

    fn notes(&mut self, key: &str) -> Result<Vec<u8>, WatchError> {
        self.0.notes(key).map_err(failure)
    }

    fn replace_notes(&mut self, key: &str, lines: &str) -> Result<(), WatchError> {
        self.0.replace_notes(key, lines).map_err(failure)
    }

    fn remove_old(&mut self) {
        // Old records that cannot be removed cost room, and no answer.
        let _ = self.0.remove_old();
    }

    fn log(&mut self, line: LogLine) {
        // A line that cannot be logged is lost: the answer counts.
        let _ = self.0.log(&written(&line));
    }
}

fn failure(error: JsValue) -> WatchError {
    let message = js_sys::Reflect::get(&error, &"message".into()).ok();
    let message = message.and_then(|it| it.as_string());
    WatchError::new(message.unwrap_or_else(|| "the store failed".to_owned()))
}

fn settings_of(files: &[(String, String)]) -> UserSettings {
    let mut settings = UserSettings::default();
    for (file, content) in files {
        settings.take(file, content.as_bytes());
    }
    settings
}

fn value<'a, T: Deserialize<'a>>(json: &'a str, room: &'a mut Vec<u8>) -> Result<T, JsValue> {
    parse_as(json.as_bytes(), room).map_err(|error| refused(&error))
}

fn refused(error: &impl ToString) -> JsValue {
    thrown(Error::new(ErrorCode::InvalidArgument, MACHINE, error.to_string()).at("happened"))
}

fn said(error: &WatchError) -> JsValue {
    js_sys::Error::new(&error.to_string()).into()
}
