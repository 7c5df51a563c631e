//! The terminal selector for JavaScript. Texts cross once and are numbers from then on; a choice
//! goes back as numbers, and the command crosses only where a change of directory is put before it.

use wasm_bindgen::prelude::*;

use super::scratch::with_text;
use super::{Rich, rich, thrown};
use crate::error::Error;
use crate::path::PathPlatform;
use crate::setting::Setting;
use crate::terminal_selector::{
    Change, NONE, PathRules, Pick, Reason, Shell, Taken, Terminal, TerminalSelector,
    TerminalSelectorOptions, Wanted, read_id, read_text, relation_between,
};

/// The selector behind the class of the same name in JavaScript.
#[wasm_bindgen(js_name = RawTerminalSelector)]
pub struct RawTerminalSelector {
    core: TerminalSelector,
    /// The request that waits for its command.
    wanted: Option<Wanted>,
    taken: Taken,
    packed: u32,
}

#[wasm_bindgen(js_class = RawTerminalSelector)]
impl RawTerminalSelector {
    /// The options as the host gave them. An exception of a getter is thrown as it is.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawTerminalSelector, JsValue> {
        let options = Setting::from_js(options)?;
        let options = TerminalSelectorOptions::read(&options).map_err(thrown)?;
        Ok(Self::with(TerminalSelector::new(options)))
    }

    /// The number of the text in the text buffer: a name (0), a directory (1) or a shell (2).
    pub fn number(&mut self, units: usize, kind: u32, field: &str) -> Result<u32, JsValue> {
        with_text(units, |units| {
            let text = read_text(units, field)?;
            match kind {
                0 => self.core.name(&text, field),
                1 => self.core.directory(&text, field),
                _ => Shell::number(&text, field),
            }
        })
        .map_err(thrown)
    }

    /// A terminal is registered (0: `bits` are its shell and 16 for a busy one), has changed (1: bits
    /// for closed, failed, reset, idle, busy and another task) or has `name` changed in its
    /// environment (2); its choice is taken back (3); the task `name` ends (4); all numbers are
    /// forgotten (5).
    pub fn tell(
        &mut self,
        what: u32,
        id: f64,
        name: u32,
        task: u32,
        directory: u32,
        bits: u32,
    ) -> Result<(), JsValue> {
        self.told(what, id, name, [task, directory, bits])
            .map_err(thrown)
    }

    /// What a choice would be: see [`packed`](Self::pack). It is made unless it needs a command line.
    pub fn select(
        &mut self,
        provider: u32,
        task: u32,
        directory: u32,
        shell: u32,
        is_clean: bool,
    ) -> u32 {
        let wanted = Wanted {
            directory,
            provider,
            task,
            shell: Shell::with_number(shell),
            is_clean,
        };
        let pick = self.core.pick(&wanted, 0);
        if pick.needs_cd() {
            self.wanted = Some(wanted);
            return NEEDS_LINE;
        }
        self.pack(&wanted, &pick)
    }

    /// Makes the choice that needs a command line, and hands that out; nothing, if another choice is
    /// made than to lead a terminal elsewhere. A command that is no text cannot be put in a line.
    pub fn line(&mut self, command: Option<String>) -> String {
        let Some(wanted) = self.wanted.take() else {
            return String::new();
        };
        let (pick, line) = self.core.pick_with_line(&wanted, command.as_deref());
        self.pack(&wanted, &pick);
        line.unwrap_or_default()
    }

    /// Of the last choice: what [`pack`](Self::pack) says (0), the terminal's id (1), and how often
    /// it may be led elsewhere (2).
    pub fn answer(&self, what: u32) -> f64 {
        match what {
            0 => self.packed.into(),
            1 => self.taken.id as f64,
            _ => self.taken.changes_left.into(),
        }
    }

    /// A reason in words.
    pub fn reason(&self, number: u32, provider: u32) -> String {
        match Reason::with_number(number) {
            Some(reason) => self.core.text_of(reason, provider),
            None => String::new(),
        }
    }

    /// What is known of every terminal.
    pub fn terminals(&self) -> Rich {
        rich(&self.core.terminals())
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.core.save()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawTerminalSelector, JsValue> {
        TerminalSelector::restore(snapshot)
            .map(Self::with)
            .map_err(thrown)
    }
}

/// The choice waits for a command line.
const NEEDS_LINE: u32 = 64;

impl RawTerminalSelector {
    fn with(core: TerminalSelector) -> Self {
        Self {
            core,
            wanted: None,
            taken: Taken::default(),
            packed: 0,
        }
    }

    /// Makes the choice: the reason, below 4 that of a tier, and 16 times the relation.
    fn pack(&mut self, wanted: &Wanted, pick: &Pick) -> u32 {
        self.taken = self.core.take(wanted, pick).unwrap_or_default();
        self.packed = pick.reason as u32 | (pick.relation as u32) << 4;
        self.packed
    }

    fn told(&mut self, what: u32, id: f64, name: u32, rest: [u32; 3]) -> Result<(), Error> {
        let [task, directory, bits] = rest;
        match what {
            0 => {
                let id = read_id(id, "terminal.id")?;
                let mut terminal = Terminal::new(id, name, Shell::with_number(bits & 15));
                terminal.task = task;
                terminal.directory = directory;
                terminal.is_busy = bits & 16 != 0;
                return self.core.add(terminal);
            }
            1 => {
                let id = read_id(id, "id")?;
                if bits & 1 != 0 {
                    return self.core.close(id);
                }
                let change = Change {
                    task: (bits & 32 != 0).then_some(task),
                    reset: bits & 4 != 0,
                    failed: bits & 2 != 0,
                    directory: (directory != NONE).then_some(directory),
                    busy: (bits & 24 != 0).then_some(bits & 16 != 0),
                };
                return self.core.change(id, &change);
            }
            2 => self.core.add_environment(read_id(id, "id")?, name),
            3 => return self.core.cancel(read_id(id, "terminalId")?),
            4 => self.core.release(name),
            _ => self.core.forget(),
        }
        Ok(())
    }
}

/// How two paths lie to each other, which stand in the text buffer one behind the other. `bits` are
/// 1 for win32, 2 where case counts, and 4 for whoever asks whether a terminal can be led there.
#[wasm_bindgen(js_name = rawPathRelation)]
pub fn raw_path_relation(units: usize, middle: usize, bits: u32) -> Result<u32, JsValue> {
    let fields = [["a", "b"], ["from", "to"]][usize::from(bits & 4 != 0)];
    let rules = PathRules {
        platform: [PathPlatform::Posix, PathPlatform::Win32][usize::from(bits & 1 != 0)],
        case_sensitive: bits & 2 != 0,
    };
    with_text(units, |units| {
        let (a, b) = units.split_at(middle.min(units.len()));
        relation_between(
            &read_text(a, fields[0])?,
            &read_text(b, fields[1])?,
            rules,
            fields,
        )
    })
    .map(|relation| relation as u32)
    .map_err(thrown)
}
