//! Saving an assembler and going on later.

use super::items::{Item, Outcome, Said, SourceKind};
use super::json::Json;
use super::options::AssemblerOptions;
use super::text::Text;
use super::{GhostBlockAssembler, Last, MACHINE, State};
use crate::error::{Error, ErrorCode};
use crate::setting::Setting;
use crate::snapshot::{Corrupt, Format, Reader, Writer};
use crate::table::Table;

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'g',
    version: 1,
};

impl GhostBlockAssembler {
    /// The assembler as bytes, the same on every platform: the options, rules, macros and items
    /// with their content. A prompt that is under way is not in it.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let mut to = Writer::new(FORMAT);
        self.options.clone().write().save(&mut to);
        let mut codec = Codec::Write(to);
        // Texts are shared, so this copies no content.
        codec.state(&mut self.state.clone());
        match codec {
            Codec::Write(to) => to.finish(),
            _ => Vec::new(),
        }
    }

    /// An assembler that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let mut from = Reader::open(FORMAT, snapshot)?;
        if let Ok(options) = Setting::load(&mut from)
            && let Ok(options) = AssemblerOptions::read(&options)
            && let Ok(mut assembler) = Self::new(options)
        {
            let mut codec = Codec::Read(from);
            codec.state(&mut assembler.state);
            if matches!(codec, Codec::Read(from) if from.end().is_ok()) {
                return Ok(assembler);
            }
        }
        let message = "the snapshot does not hold an assembler";
        Err(Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message))
    }
}

/// Writes a state, or reads it in the same order into an empty one.
enum Codec<'a> {
    Write(Writer),
    Read(Reader<'a>),
    /// What was read is no state.
    Failed,
}

impl Codec<'_> {
    fn state(&mut self, state: &mut State) {
        self.list(&mut state.rules, Self::item);
        self.list(&mut state.expanded, Self::item);
        self.table(&mut state.scope, Self::text);
        self.list(&mut state.items, Self::item);
        self.table(&mut state.known, Self::said);
        self.number(&mut state.turn, u64::MAX >> 8);
        self.table(&mut state.sent, Self::hash);
        self.option(&mut state.last, Self::last);
    }

    fn last(&mut self, last: &mut Last) {
        self.hash(&mut last.user);
        self.flag(&mut last.was_changed);
        self.list(&mut last.literals, Self::size);
        self.table(&mut last.before, Self::text);
        self.table(&mut last.after, Self::text);
        self.table(&mut last.sent, Self::hash);
    }

    fn item(&mut self, item: &mut Item) {
        use SourceKind::{Denied, Directory, File, Image, Rule, Tool};
        let source = &mut item.source;
        const KINDS: [SourceKind; 6] = [File, Directory, Tool, Image, Rule, Denied];
        self.one_of(&mut source.kind, &KINDS);
        self.string(&mut source.name);
        self.string(&mut source.key);
        self.string(&mut source.identity);
        self.option(&mut source.start_line, Self::line);
        self.option(&mut source.end_line, Self::line);
        self.text(&mut source.args);
        if source.kind == Tool && Json::parse(&source.args.to_units()).is_none() {
            *self = Self::Failed;
        }
        self.option(&mut item.said, Self::said);
        self.number(&mut item.turn, u64::MAX);
    }

    fn said(&mut self, said: &mut Said) {
        use Outcome::{Content, Error, Gone, Image};
        self.one_of(&mut said.outcome, &[Content, Image, Error, Gone]);
        self.text(&mut said.text);
        self.option(&mut said.label, Self::text);
    }

    fn number(&mut self, number: &mut u64, limit: u64) {
        match self {
            Self::Write(to) => to.number(*number),
            Self::Read(from) => match from.number_to(limit) {
                Ok(read) => *number = read,
                Err(Corrupt) => *self = Self::Failed,
            },
            Self::Failed => {}
        }
    }

    fn hash(&mut self, hash: &mut u64) {
        self.number(hash, u64::MAX);
    }

    fn size(&mut self, size: &mut usize) {
        let mut number = *size as u64;
        self.number(&mut number, u32::MAX.into());
        *size = number as usize;
    }

    fn line(&mut self, line: &mut u32) {
        let mut number = u64::from(*line);
        self.number(&mut number, u32::MAX.into());
        *line = number as u32;
    }

    fn flag(&mut self, flag: &mut bool) {
        let mut number = u64::from(*flag);
        self.number(&mut number, 1);
        *flag = number == 1;
    }

    fn one_of<T: Copy + PartialEq>(&mut self, value: &mut T, all: &[T]) {
        let mut place = all.iter().position(|one| one == value).unwrap_or(0) as u64;
        self.number(&mut place, all.len() as u64 - 1);
        *value = all[place as usize];
    }

    fn string(&mut self, string: &mut String) {
        match self {
            Self::Write(to) => to.text(string),
            Self::Read(from) => match from.text() {
                Ok(read) => read.clone_into(string),
                Err(Corrupt) => *self = Self::Failed,
            },
            Self::Failed => {}
        }
    }

    fn text(&mut self, text: &mut Text) {
        let mut is_wide = matches!(text, Text::Wide(_));
        self.flag(&mut is_wide);
        match (&mut *self, &*text) {
            (Self::Write(to), Text::Ascii(bytes)) => to.bytes(bytes),
            (Self::Write(to), Text::Wide(units)) => to.units(units),
            (Self::Read(from), _) => {
                let read = if is_wide {
                    let units = from.units(usize::MAX).ok();
                    units.map(|units| Text::from_units(&units))
                } else {
                    from.bytes().ok().and_then(Text::from_ascii)
                };
                match read {
                    Some(read) if matches!(read, Text::Wide(_)) == is_wide => *text = read,
                    _ => *self = Self::Failed,
                }
            }
            (Self::Failed, _) => {}
        }
    }

    /// How many things follow. Each takes a byte at least.
    fn length(&mut self, length: usize) -> usize {
        match self {
            Self::Write(to) => {
                to.length(length);
                length
            }
            Self::Read(from) => match from.length(usize::MAX) {
                Ok(length) => length,
                Err(Corrupt) => {
                    *self = Self::Failed;
                    0
                }
            },
            Self::Failed => 0,
        }
    }

    fn option<T: Default>(&mut self, value: &mut Option<T>, each: fn(&mut Self, &mut T)) {
        let mut is_there = value.is_some();
        self.flag(&mut is_there);
        if is_there {
            each(self, value.get_or_insert_default());
        }
    }

    fn list<T: Default>(&mut self, list: &mut Vec<T>, each: fn(&mut Self, &mut T)) {
        for place in 0..self.length(list.len()) {
            if matches!(self, Self::Read(_)) {
                list.push(T::default());
            }
            if let Some(one) = list.get_mut(place) {
                each(self, one);
            }
        }
    }

    fn table<V: Default + Clone>(&mut self, table: &mut Table<V>, each: fn(&mut Self, &mut V)) {
        for place in 0..self.length(table.len()) {
            let (mut name, mut value) = match table.at(place) {
                Some((name, value)) => (name.to_owned(), value.clone()),
                None => (String::new(), V::default()),
            };
            self.string(&mut name);
            each(self, &mut value);
            if matches!(self, Self::Read(_)) {
                table.insert(&name, value);
            }
        }
    }
}
