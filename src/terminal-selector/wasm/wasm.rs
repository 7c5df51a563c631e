//! The terminal selector for JavaScript: one call for each thing that a host does, with one object in
//! and one out.

#![cfg(target_family = "wasm")]

use serde::de::DeserializeOwned;
use turnkeeper_base::boundary::convert::{from_js, to_js};
use turnkeeper_base::boundary::{Rich, thrown};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::{self, OPTIONS, read_as};
use turnkeeper_terminal_selector::javascript::{MACHINE, PathOptions};
use turnkeeper_terminal_selector::{
    self as selector, PathRules, TerminalRequest, TerminalSelector,
};
use wasm_bindgen::prelude::*;

/// The selector that the class of the same name in JavaScript wraps.
#[wasm_bindgen]
pub struct RawTerminals(TerminalSelector);

#[wasm_bindgen(js_class = RawTerminals)]
impl RawTerminals {
    /// `options` is a plain object.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawTerminals, JsValue> {
        let options = from_js(MACHINE, OPTIONS, options)
            .and_then(|options| options::read(MACHINE, &options))
            .map_err(thrown)?;
        TerminalSelector::new(options).map(Self).map_err(thrown)
    }

    /// Makes a terminal known.
    pub fn register(&mut self, terminal: JsValue) -> Result<(), JsValue> {
        read_argument("terminal", terminal)
            .and_then(|terminal| self.0.register(&terminal))
            .map_err(thrown)
    }

    /// Says which terminals there are. The answer tells whose directory cannot be understood.
    pub fn sync(&mut self, terminals: JsValue) -> Rich {
        read_argument::<Vec<_>>("terminals", terminals)
            .and_then(|terminals| self.0.sync(&terminals))
            .map(|unknown| to_js(&unknown))
            .map_err(thrown)
    }

    /// Takes in what has changed of a terminal.
    pub fn update(&mut self, id: &JsValue, change: JsValue) -> Result<(), JsValue> {
        read_argument("change", change)
            .and_then(|change| self.0.update(read_id("id", id)?, &change))
            .map_err(thrown)
    }

    /// Unbinds every terminal that is bound to the task.
    #[wasm_bindgen(js_name = releaseTask)]
    pub fn release_task(&mut self, task_id: &str) -> Result<(), JsValue> {
        self.0.release_task(task_id).map_err(thrown)
    }

    /// Chooses a terminal for a command, and reserves it. The fields of a request cross fastest one by one.
    #[expect(clippy::too_many_arguments, reason = "that is what the host gives")]
    pub fn select(
        &mut self,
        command: Option<String>,
        working_directory: Option<String>,
        terminal_id: Option<f64>,
        task_id: Option<String>,
        provider: String,
        shell: Option<String>,
        clean_environment: Option<bool>,
    ) -> Rich {
        let code = ErrorCode::InvalidArgument;
        let shell = shell.map(|name| read_as(MACHINE, code, "request.shell", &name.into()));
        shell
            .transpose()
            .map(|shell| TerminalRequest {
                command,
                working_directory,
                terminal_id: terminal_id.map(|id| id as u64),
                task_id,
                provider,
                shell,
                clean_environment,
            })
            .and_then(|request| self.0.select(&request))
            .map(|choice| to_js(&choice))
            .map_err(thrown)
    }

    /// Takes a choice back.
    pub fn cancel(&mut self, terminal_id: &JsValue) -> Result<(), JsValue> {
        read_id("terminalId", terminal_id)
            .and_then(|id| self.0.cancel(id))
            .map_err(thrown)
    }

    /// Every terminal that is registered.
    pub fn terminals(&self) -> Rich {
        Ok(to_js(&self.0.terminals()))
    }

    /// The last choices.
    pub fn log(&self) -> Rich {
        let choices: Vec<_> = self.0.log().collect();
        Ok(to_js(&choices))
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&self) -> Vec<u8> {
        self.0.snapshot()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawTerminals, JsValue> {
        TerminalSelector::restore(snapshot)
            .map(Self)
            .map_err(thrown)
    }
}

/// The relation of one directory to another.
#[wasm_bindgen(js_name = relationOfPaths)]
pub fn path_relation(a: &str, b: &str, options: JsValue) -> Rich {
    read_rules(options, [a, b])
        .and_then(|rules| selector::path_relation(a, b, rules))
        .map(|relation| to_js(&relation))
        .map_err(thrown)
}

fn read_rules(options: JsValue, paths: [&str; 2]) -> Result<PathRules, Error> {
    let options = from_js(MACHINE, OPTIONS, options)?;
    options::read::<PathOptions>(MACHINE, &options)?.rules_for(paths)
}

/// A plain object that is an argument. An error names its fields after `name`.
fn read_argument<T: DeserializeOwned>(name: &str, argument: JsValue) -> Result<T, Error> {
    let argument = from_js(MACHINE, name, argument)?;
    read_as(MACHINE, ErrorCode::InvalidArgument, name, &argument)
}

/// The id of a terminal. One that is too large is unknown.
fn read_id(name: &str, id: &JsValue) -> Result<u64, Error> {
    match id.as_f64() {
        Some(id) if id >= 0.0 && id.trunc() == id => Ok(id as u64),
        _ => {
            let message = "must be an integer of at least 0";
            Err(Error::new(ErrorCode::InvalidArgument, MACHINE, message).at(name))
        }
    }
}
