//! Saving a selector and going on later.

use super::terminal::Terminal;
use super::texts::{NONE, Texts};
use super::{MACHINE, Shell, TerminalSelector, TerminalSelectorOptions};
use crate::error::{Error, ErrorCode};
use crate::path::is_too_long;
use crate::setting::{MAX_SAFE_INTEGER, Setting};
use crate::snapshot::{Codec, Format, Reader, Writer};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b't',
    version: 1,
};

impl TerminalSelector {
    /// The selector as bytes, the same on every platform: the options and what is known of each
    /// terminal, with its directory and its task as they were written. The journal is not in it.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        self.clone().save()
    }

    /// The same, but for what no terminal needs, which is forgotten: numbers are others then.
    pub(crate) fn save(&mut self) -> Vec<u8> {
        // So the numbers do not depend on what else was asked for.
        self.forget();
        let mut to = Writer::new(FORMAT);
        self.options.write().save(&mut to);
        let mut codec = Codec::Save(to);
        self.visit(&mut codec);
        // Nothing that is written can be wrong.
        codec.end().unwrap_or_default()
    }

    /// A selector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let mut from = Reader::open(FORMAT, snapshot)?;
        if let Ok(options) = Setting::load(&mut from)
            && let Ok(options) = TerminalSelectorOptions::read(&options)
        {
            let mut selector = Self::new(options);
            let mut codec = Codec::Load(from);
            selector.visit(&mut codec);
            codec.check(selector.read_directories());
            if codec.end().is_ok() {
                return Ok(selector);
            }
        }
        let message = "the snapshot does not hold a selector";
        Err(Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message))
    }

    fn visit(&mut self, codec: &mut Codec) {
        let mut count = self.texts.len() as u32;
        visit_number(codec, &mut count, NONE);
        for number in 0..count {
            let mut text = self.texts.text(number).unwrap_or_default().to_owned();
            codec.text(&mut text);
            codec.check(!is_too_long(&text) && self.texts.number(&text) == number);
            if matches!(codec, Codec::Corrupt) {
                return;
            }
        }
        let mut count = self.terminals.len() as u32;
        visit_number(codec, &mut count, NONE);
        let mut next = 0;
        for at in 0..count as usize {
            if at == self.terminals.len() {
                self.terminals.push(Terminal::new(0, NONE, None));
            }
            let terminal = &mut self.terminals[at];
            terminal.visit(codec, &self.texts);
            codec.check(terminal.id >= next);
            next = terminal.id + 1;
            if matches!(codec, Codec::Corrupt) {
                return;
            }
        }
    }
}

impl Terminal {
    fn visit(&mut self, codec: &mut Codec, texts: &Texts) {
        codec.number(&mut self.id, MAX_SAFE_INTEGER);
        for number in self.texts() {
            visit_number(codec, number, texts.len() as u32);
        }
        codec.check(self.provider != NONE);
        visit_number(codec, &mut self.changes, NONE);
        let mut shell = self.shell.map_or(0, |shell| shell as u32 + 1);
        visit_number(codec, &mut shell, 9);
        self.shell = Shell::with_number(shell);
        for flag in [
            &mut self.is_busy,
            &mut self.has_failed,
            &mut self.is_reserved,
            &mut self.is_counted,
        ] {
            codec.flag(flag);
        }
        // A choice is taken back by one change.
        codec.check(!self.is_counted || (self.is_reserved && self.changes > 0));
        let mut count = self.environment.len() as u32;
        visit_number(codec, &mut count, texts.len() as u32 + 1);
        let mut before = None;
        for at in 0..count as usize {
            if at == self.environment.len() {
                self.environment.push(NONE);
            }
            visit_number(codec, &mut self.environment[at], texts.len() as u32);
            let name = texts.text(self.environment[at]);
            codec.check(before < name);
            before = name;
        }
    }
}

/// A number below `end`, or [`NONE`].
#[inline(never)]
fn visit_number(codec: &mut Codec, number: &mut u32, end: u32) {
    let mut following = u64::from(number.wrapping_add(1));
    codec.number(&mut following, end.into());
    *number = (following as u32).wrapping_sub(1);
}
