//! The watch for JavaScript: for plugins in an agent's own process.
//!
//! Events cross as JSON, once for each step of an agent, and so do the replies.

#![cfg(target_family = "wasm")]

use serde::Deserialize;
use turnkeeper_agents::watch::{Happening, Mode, Owner, Requests, UserSettings, Watch};
use turnkeeper_base::boundary::convert::from_js;
use turnkeeper_base::boundary::thrown;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::{Json, parse_as, written};
use turnkeeper_base::options::{OPTIONS, read_as};
use turnkeeper_messages::prompt_start_in;
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
    settings: Vec<SettingsFile>,
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

/// The user's words in a message that begins a prompt, given as JSON: empty if a timer or a picture begins it, none if
/// nothing does.
#[wasm_bindgen(js_name = usersWords)]
pub fn words_of_person(message: &str) -> Result<Option<String>, JsValue> {
    let mut room = Vec::new();
    let message: Json = value(message, &mut room)?;
    let start = prompt_start_in(&message);
    Ok(start.map(|start| start.words.unwrap_or_default().into_owned()))
}

/// The name of a file, its content, and whether it is a project's.
type SettingsFile = (String, String, bool);

fn settings_of(files: &[SettingsFile]) -> UserSettings {
    let mut settings = UserSettings::default();
    for (file, content, is_of_project) in files {
        let owner = match is_of_project {
            true => Owner::Project,
            false => Owner::User,
        };
        settings.take(file, content.as_bytes(), owner);
    }
    settings
}

fn value<'a, T: Deserialize<'a>>(json: &'a str, room: &'a mut Vec<u8>) -> Result<T, JsValue> {
    parse_as(json.as_bytes(), room).map_err(|error| refused(&error))
}

fn refused(error: &impl ToString) -> JsValue {
    thrown(Error::new(ErrorCode::InvalidArgument, MACHINE, error.to_string()).at("happened"))
}
