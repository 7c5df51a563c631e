//! The analysis for the web page, whose worker pushes the bytes of files. What it answers is JSON, and what a user has set
//! wrong is thrown.

#![cfg(target_family = "wasm")]

use turnkeeper_analysis::page::{FolderAudit, Judgement, PageRepair, PageSession, Play, Wanted};
use turnkeeper_base::boundary::thrown;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::written;
use turnkeeper_history_deduper::DedupeOptions;
use wasm_bindgen::prelude::*;

const MACHINE: &str = "page";

/// A session that is read, and held.
#[wasm_bindgen]
pub struct RawPageSession {
    core: PageSession,
}

#[wasm_bindgen(js_class = RawPageSession)]
impl RawPageSession {
    /// A session in the file of this name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> RawPageSession {
        Self {
            core: PageSession::new(name),
        }
    }

    /// Takes the next bytes. Returns whether more of them are wanted.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.core.push(bytes)
    }

    /// Ends the file. Returns `{ read }`, what it is, or `{ refused }`, why it is no session.
    pub fn end(&mut self) -> String {
        match self.core.end() {
            Ok(read) => format!("{{\"read\":{read}}}"),
            Err(refused) => format!("{{\"refused\":{}}}", written(&refused)),
        }
    }

    /// Begins to judge the session by rules: a profile, thresholds, and a model.
    pub fn judge(&self, rules: &str) -> Result<RawJudgement, JsValue> {
        let core = self.core.judge(rules).map_err(thrown)?;
        core.map(|core| RawJudgement { core }).ok_or_else(early)
    }

    /// Begins to play the session by the rules of a profile.
    pub fn compare(&self, profile: &str) -> Result<RawPlay, JsValue> {
        let core = self.core.compare(profile);
        core.map(|core| RawPlay { core }).ok_or_else(early)
    }
}

/// A session that is judged by some rules.
#[wasm_bindgen]
pub struct RawJudgement {
    core: Judgement,
}

#[wasm_bindgen(js_class = RawJudgement)]
impl RawJudgement {
    /// Goes on with the next `count` records. Returns the part that is done, from 0 to 1.
    pub fn go(&mut self, records: usize) -> f64 {
        self.core.go(records)
    }

    /// The judgement, once all is done.
    pub fn result(&self) -> Result<String, JsValue> {
        self.core.result().ok_or_else(early)
    }

    /// Some rows of the list of events, from `from` up to `to`.
    pub fn rows(&self, from: usize, to: usize) -> String {
        self.core.rows(from, to)
    }

    /// All that a row stands for; nothing if there is none at that place.
    pub fn row(&self, at: usize) -> Option<String> {
        self.core.row(at)
    }

    /// Its report as a page of its own, in a language, with the session's own texts or without.
    pub fn page(&self, language: &str, has_texts: bool, now: f64) -> Result<String, JsValue> {
        let page = self.core.page(language, has_texts, now);
        page.ok_or_else(early)
    }

    /// See [`Judgement::find`].
    pub fn find(&self, words: &str, after: usize) -> Option<usize> {
        self.core.find(words, after)
    }

    /// The row of a call, from 0 over the session.
    #[wasm_bindgen(js_name = rowOfCall)]
    pub fn row_of_call(&self, call: u32) -> usize {
        self.core.row_of_call(call)
    }
}

/// A session that is played by a profile's rules.
#[wasm_bindgen]
pub struct RawPlay {
    core: Play,
}

#[wasm_bindgen(js_class = RawPlay)]
impl RawPlay {
    /// Goes on with the next `count` records. Returns the part that is done, from 0 to 1.
    pub fn go(&mut self, records: usize) -> f64 {
        self.core.go(records)
    }

    /// The profile's verdicts, once all is done.
    pub fn result(&self) -> Result<String, JsValue> {
        self.core.result().ok_or_else(early)
    }
}

/// The sessions of a folder.
#[wasm_bindgen]
pub struct RawFolderAudit {
    core: FolderAudit,
}

#[wasm_bindgen(js_class = RawFolderAudit)]
impl RawFolderAudit {
    /// A folder with files at these paths.
    #[wasm_bindgen(constructor)]
    pub fn new(paths: Vec<String>) -> RawFolderAudit {
        Self {
            core: FolderAudit::new(paths),
        }
    }

    /// Begins the next file. Returns whether its bytes are wanted; if not, it need not be ended.
    pub fn file(&mut self, path: &str) -> bool {
        self.core.file(path)
    }

    /// Takes the next bytes. Returns whether more of them are wanted.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.core.push(bytes)
    }

    /// Ends the file.
    pub fn end(&mut self) {
        self.core.end();
    }

    /// The cost of all of them.
    pub fn result(&mut self) -> String {
        self.core.result()
    }
}

/// The repair of a history.
#[wasm_bindgen]
pub struct RawRepair {
    core: PageRepair,
}

#[wasm_bindgen(js_class = RawRepair)]
impl RawRepair {
    /// A repair whose blocks are looked at.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, options: &str) -> Result<RawRepair, JsValue> {
        Self::made(name, options, Wanted::Blocks)
    }

    /// A repair whose file is written.
    #[wasm_bindgen(js_name = ofBytes)]
    pub fn of_bytes(name: &str, options: &str) -> Result<RawRepair, JsValue> {
        Self::made(name, options, Wanted::Bytes)
    }

    fn made(name: &str, options: &str, wanted: Wanted) -> Result<RawRepair, JsValue> {
        let options = DedupeOptions::from_json(options);
        let core = options.and_then(|options| PageRepair::new(name, options, wanted));
        core.map(|core| Self { core }).map_err(thrown)
    }

    /// Takes the next bytes for the first time. Returns whether more of them are wanted.
    pub fn read(&mut self, bytes: &[u8]) -> bool {
        self.core.read(bytes)
    }

    /// Decides what changes, once the whole file was read.
    pub fn decide(&mut self) {
        self.core.decide();
    }

    /// Takes the next bytes for the second time.
    pub fn repair(&mut self, bytes: &[u8]) {
        self.core.repair(bytes);
    }

    /// Ends the file for the second time.
    pub fn end(&mut self) {
        self.core.end();
    }

    /// The bytes of the repaired file since it was asked last.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.core.bytes()
    }

    /// The history before and after; nothing if there is no message in the file.
    pub fn judged(&self) -> Option<String> {
        self.core.judged()
    }

    /// Some rows of the list of blocks, from `from` up to `to`.
    pub fn rows(&self, from: usize, to: usize) -> String {
        self.core.rows(from, to)
    }
}

/// The refusal of a call that came before the one that it needs.
fn early() -> JsValue {
    thrown(Error::new(
        ErrorCode::WrongOrder,
        MACHINE,
        "the session has not been read to its end",
    ))
}
