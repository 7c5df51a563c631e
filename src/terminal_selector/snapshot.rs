//! Saving a selector and going on later.

use super::directories::{Directories, NONE, Names};
use super::terminal::Terminal;
use super::{MACHINE, Shell, TerminalSelector, TerminalSelectorOptions};
use crate::error::{Error, ErrorCode};
use crate::path::is_too_long;
use crate::setting::{MAX_SAFE_INTEGER, Setting, Word};
use crate::snapshot::{Codec, Corrupt, Format, Reader, Writer};

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

    pub(crate) fn save(&mut self) -> Vec<u8> {
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
        let from = Reader::open(FORMAT, snapshot)?;
        Self::load(from).map_err(|Corrupt| {
            let message = "the snapshot does not hold a selector";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(mut from: Reader) -> Result<Self, Corrupt> {
        let options = Setting::load(&mut from)?;
        let options = TerminalSelectorOptions::read(&options).map_err(|_| Corrupt)?;
        let mut selector = Self::new(options);
        let mut codec = Codec::Load(from);
        selector.visit(&mut codec);
        codec.end()?;
        Ok(selector)
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.items(&mut self.terminals, usize::MAX);
        let mut next = 0;
        for terminal in &mut self.terminals {
            terminal.visit(codec, &mut self.names, &mut self.directories);
            codec.check(terminal.id >= next);
            next = terminal.id + 1;
        }
    }
}

impl Terminal {
    fn visit(&mut self, codec: &mut Codec, names: &mut Names, directories: &mut Directories) {
        codec.number(&mut self.id, MAX_SAFE_INTEGER as u64);
        visit_name(codec, names, &mut self.provider);
        codec.check(self.provider != NONE);
        visit_name(codec, names, &mut self.task);
        visit_name(codec, names, &mut self.task_before);
        visit_directory(codec, directories, &mut self.directory);
        visit_directory(codec, directories, &mut self.target);
        let mut changes = self.changes.into();
        codec.number(&mut changes, u32::MAX.into());
        self.changes = changes as u32;
        let mut shell = self.shell.map_or(0, |shell| shell as u64 + 1);
        codec.number(&mut shell, Shell::WORDS.len() as u64);
        self.shell = Shell::with_number(shell as u32);
        codec.flag(&mut self.is_busy);
        codec.flag(&mut self.has_failed);
        codec.flag(&mut self.is_reserved);
        codec.flag(&mut self.is_counted);
        // A choice is taken back by one change.
        codec.check(!self.is_counted || (self.is_reserved && self.changes > 0));
        codec.items(&mut self.environment, usize::MAX);
        for place in 0..self.environment.len() {
            visit_name(codec, names, &mut self.environment[place]);
            let text = names.text(self.environment[place]);
            let before = place.checked_sub(1).map(|before| self.environment[before]);
            let before = before.and_then(|before| names.text(before));
            codec.check(text.is_some() && (place == 0 || before < text));
        }
    }
}

fn visit_name(codec: &mut Codec, names: &mut Names, number: &mut u32) {
    let mut text = names.text(*number).map(str::to_owned);
    codec.some_text(&mut text);
    *number = match text {
        Some(text) => {
            codec.check(!is_too_long(&text));
            names.number(&text)
        }
        None => NONE,
    };
}

fn visit_directory(codec: &mut Codec, directories: &mut Directories, number: &mut u32) {
    let mut path = directories.text(*number).map(str::to_owned);
    codec.some_text(&mut path);
    *number = match path {
        Some(path) => {
            let number = directories.number(&path);
            codec.check(number.is_ok());
            number.unwrap_or(NONE)
        }
        None => NONE,
    };
}
