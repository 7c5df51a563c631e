//! The terminal selector for JavaScript. A text crosses once and is a number from then on; a choice
//! goes back as numbers, and its command crosses only where a change of directory is put before it.
//!
//! There are few entrances, each with a number for what it is about, since each takes its room.

use wasm_bindgen::prelude::*;

use super::scratch::with_text;
use super::thrown;
use crate::error::{Error, ErrorCode};
use crate::path::PathPlatform;
use crate::setting::{MUST_BE_WHOLE, Setting, Word, is_whole, word_at};
use crate::terminal_selector::{
    Change, NONE, PathRules, Pick, Reason, Shell, Taken, Terminal, TerminalSelector,
    TerminalSelectorOptions, Wanted, no_platform, refusal, relation_between,
};
use crate::text::{concat, push, push_number, push_quoted};

/// The selector behind the class of the same name in JavaScript.
#[wasm_bindgen]
pub struct RawTerminals {
    core: TerminalSelector,
    /// The request that waits for its command.
    wanted: Option<Wanted>,
    taken: Taken,
    packed: u32,
    /// Whether the numbers that JavaScript knows were forgotten.
    is_stale: bool,
}

/// The choice waits for a command line.
const NEEDS_LINE: u32 = 64;
/// From here on [`tell`](RawTerminals::tell) asks for the number of a text.
const NUMBER: u32 = 8;

#[wasm_bindgen(js_class = RawTerminals)]
impl RawTerminals {
    /// The options as the host gave them. An exception of a getter is thrown as it is.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawTerminals, JsValue> {
        let options = Setting::from_js(options)?;
        let options = TerminalSelectorOptions::read(&options).map_err(thrown)?;
        Ok(Self::of(TerminalSelector::new(options)))
    }

    /// What has happened, or a text whose number is asked for: see [`told`](Self::told) and
    /// [`number`](Self::number).
    pub fn tell(
        &mut self,
        what: u32,
        given: &JsValue,
        text: u32,
        directory: u32,
        provider: u32,
        bits: u32,
    ) -> Result<u32, JsValue> {
        if what < NUMBER {
            self.told(what, given.as_f64(), [text, directory, provider, bits])
        } else {
            self.number(what, given.as_string())
        }
        .map_err(thrown)
    }

    /// Makes a choice and says what [`pack`](Self::pack) does, unless that needs a command line (0).
    /// Of the last choice says the same (1), the terminal's id (2), and how often it may be led
    /// elsewhere (3). Says whether texts have other numbers than JavaScript knows (4), which is to be
    /// asked before they are used, and never between them.
    pub fn ask(
        &mut self,
        what: u32,
        task: u32,
        directory: u32,
        provider: u32,
        shell: u32,
        is_clean: bool,
    ) -> f64 {
        match what {
            0 => {
                let shell = Shell::with_number(shell);
                let wanted = Wanted {
                    directory,
                    provider,
                    task,
                    shell,
                    is_clean,
                };
                self.choose(&wanted).into()
            }
            1 => self.packed.into(),
            2 => self.taken.id as f64,
            3 => self.taken.changes_left.into(),
            _ => {
                let is_stale = self.core.tidy() | std::mem::take(&mut self.is_stale);
                u32::from(is_stale).into()
            }
        }
    }

    /// A reason in words; or makes the choice that needs a command line and hands that out, which is
    /// empty if no terminal is led elsewhere; or all terminals, as JSON, without a command.
    pub fn text(&mut self, number: u32, command: &str) -> String {
        if let Some(reason) = Reason::with_number(number) {
            return self.core.text_of(reason);
        }
        let Some(wanted) = self.wanted.take() else {
            return self.terminals();
        };
        let (pick, line) = self.core.pick_with_line(&wanted, command);
        self.pack(&wanted, &pick);
        line
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.is_stale = true;
        self.core.save()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawTerminals, JsValue> {
        TerminalSelector::restore(snapshot)
            .map(Self::of)
            .map_err(thrown)
    }
}

impl RawTerminals {
    fn of(core: TerminalSelector) -> Self {
        Self {
            core,
            wanted: None,
            taken: Taken::default(),
            packed: 0,
            is_stale: false,
        }
    }

    fn choose(&mut self, wanted: &Wanted) -> u32 {
        let pick = self.core.pick(wanted, 0);
        if pick.needs_cd() {
            self.wanted = Some(*wanted);
            return NEEDS_LINE;
        }
        self.pack(wanted, &pick)
    }

    /// Makes the choice: the reason, below 4 that of a tier, and 16 times the relation.
    fn pack(&mut self, wanted: &Wanted, pick: &Pick) -> u32 {
        self.wanted = None;
        self.taken = self.core.take(wanted, pick).unwrap_or_default();
        self.packed = pick.reason as u32 | (pick.relation as u32) << 4;
        self.packed
    }

    /// A terminal is registered (0: `bits` are its shell, and 16 for a busy one) or has changed (1:
    /// bits for closed, failed, reset, idle, busy and another task), a name of its environment has
    /// changed (2), its choice is taken back (3), or a task ends (4).
    fn told(&mut self, what: u32, id: Option<f64>, rest: [u32; 4]) -> Result<u32, Error> {
        let [text, directory, provider, bits] = rest;
        let core = &mut self.core;
        if what == 4 {
            core.release(text);
            return Ok(0);
        }
        let Some(id) = id.filter(|id| is_whole(*id)) else {
            let field = ["terminal.id", "id", "id", "terminalId"][what as usize & 3];
            return Err(invalid(field, MUST_BE_WHOLE));
        };
        let id = id as u64;
        match what {
            0 => {
                let mut terminal = Terminal::new(id, provider, Shell::with_number(bits & 15));
                terminal.task = text;
                terminal.directory = directory;
                terminal.is_busy = bits & 16 != 0;
                core.add(terminal)?;
            }
            1 if bits & 1 != 0 => core.close(id)?,
            1 => {
                let change = Change {
                    task: (bits & 32 != 0).then_some(text),
                    reset: bits & 4 != 0,
                    failed: bits & 2 != 0,
                    directory: (directory != NONE).then_some(directory),
                    busy: (bits & 24 != 0).then_some(bits & 16 != 0),
                };
                core.change(id, &change)?;
            }
            2 => core.add_environment(id, text),
            _ => core.cancel(id)?,
        }
        Ok(0)
    }

    /// The number of a directory (8), a shell (9), a provider (10), a task (11) or a name of the
    /// environment (12) of a request, and 8 more for a registration, 16 for a change, and 24 for an
    /// argument by itself.
    fn number(&mut self, what: u32, text: Option<String>) -> Result<u32, Error> {
        const FIELDS: [&str; 5] = [
            "workingDirectory",
            "shell",
            "provider",
            "taskId",
            "environment",
        ];
        let of = ["", "request.", "terminal.", "change.", ""][(what / NUMBER) as usize];
        let what = what % NUMBER;
        let field = concat(&[of, FIELDS[what as usize]]);
        match (what, text) {
            (_, None) => Err(invalid(&field, "must be a string")),
            (0, Some(text)) => self.core.directory(&text, &field),
            (1, Some(text)) => Shell::number(text, &field),
            (_, Some(text)) => self.core.name(&text, &field),
        }
    }

    fn terminals(&self) -> String {
        let mut json = String::new();
        let mut before = "[{\"id\":";
        for terminal in self.core.all() {
            push(&mut json, before);
            before = "]},{\"id\":";
            push_number(&mut json, terminal.id);
            let shell = terminal
                .shell
                .map(|shell| word_at(Shell::WORDS, shell as usize));
            for (name, text) in [
                (",\"provider\":", self.core.text(terminal.provider)),
                (",\"shell\":", shell),
                (",\"taskId\":", self.core.text(terminal.task)),
                (",\"workingDirectory\":", self.core.text(terminal.directory)),
            ] {
                if let Some(text) = text {
                    push(&mut json, name);
                    push_quoted(&mut json, text);
                }
            }
            for (name, flag) in [
                (",\"busy\":", terminal.is_taken()),
                (",\"failed\":", terminal.has_failed),
            ] {
                push(&mut json, name);
                push(&mut json, if flag { "true" } else { "false" });
            }
            push(&mut json, ",\"directoryChanges\":");
            push_number(&mut json, terminal.changes.into());
            push(&mut json, ",\"environment\":[");
            let mut before = "";
            for name in &terminal.environment {
                push(&mut json, before);
                before = ",";
                push_quoted(&mut json, self.core.text(*name).unwrap_or_default());
            }
        }
        let end = if json.is_empty() { "[]" } else { "]}]" };
        push(&mut json, end);
        json
    }
}

fn invalid(field: &str, message: &str) -> Error {
    refusal(ErrorCode::InvalidArgument, field, message)
}

/// How two paths lie to each other, which stand in the text buffer one behind the other. `platform`
/// and `cased` are the places of the options' values: posix and win32, false, true and undefined.
/// `is_move` is for whoever asks whether a terminal can be led there.
#[wasm_bindgen(js_name = pathsRelation)]
pub fn paths_relation(
    units: usize,
    middle: usize,
    platform: u32,
    cased: u32,
    is_move: bool,
) -> Result<u32, JsValue> {
    with_text(units, |units| {
        let mut rules = PathRules::new(match platform {
            0 => PathPlatform::Posix,
            1 => PathPlatform::Win32,
            _ => return Err(no_platform()),
        });
        match cased {
            0 | 1 => rules.case_sensitive = cased == 1,
            2 => {}
            _ => {
                let message = "must be true or false";
                return Err(refusal(ErrorCode::InvalidConfig, "caseSensitive", message));
            }
        }
        let fields = if is_move { ["from", "to"] } else { ["a", "b"] };
        let (a, b) = units.split_at(middle.min(units.len()));
        relation_between(a, b, rules, fields)
    })
    .map(|relation| relation as u32)
    .map_err(thrown)
}
