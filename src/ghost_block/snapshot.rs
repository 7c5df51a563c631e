//! Saving an assembler and going on later.

use super::items::{Item, Outcome, Said, SourceKind};
use super::json::Json;
use super::options::AssemblerOptions;
use super::text::Text;
use super::{GhostBlockAssembler, Last, MACHINE, State};
use crate::error::{Error, ErrorCode};
use crate::setting::Setting;
use crate::snapshot::{Codec, Format, Reader, Writer};
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
        // Texts are shared, so this copies no content.
        self.clone().save()
    }

    /// The same; nothing changes.
    pub(crate) fn save(&mut self) -> Vec<u8> {
        let mut to = Writer::new(FORMAT);
        self.options.write().save(&mut to);
        let mut codec = Codec::Save(to);
        state(&mut self.state, &mut codec);
        // Nothing that is written can be wrong.
        codec.end().unwrap_or_default()
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
            let mut codec = Codec::Load(from);
            state(&mut assembler.state, &mut codec);
            if codec.end().is_ok() {
                return Ok(assembler);
            }
        }
        let message = "the snapshot does not hold an assembler";
        Err(Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message))
    }
}

fn state(state: &mut State, codec: &mut Codec) {
    codec.list(&mut state.rules, item);
    codec.list(&mut state.expanded, item);
    table(&mut state.scope, codec, text);
    codec.list(&mut state.items, item);
    table(&mut state.known, codec, said);
    codec.count(&mut state.turn);
    table(&mut state.sent, codec, hash);
    option(&mut state.last, codec, last);
}

fn last(last: &mut Last, codec: &mut Codec) {
    hash(&mut last.user, codec);
    codec.flag(&mut last.was_changed);
    codec.list(&mut last.literals, size);
    table(&mut last.before, codec, text);
    table(&mut last.after, codec, text);
    table(&mut last.sent, codec, hash);
}

fn item(item: &mut Item, codec: &mut Codec) {
    use SourceKind::{Denied, Directory, File, Image, Rule, Tool};
    let source = &mut item.source;
    codec.choice(
        &mut source.kind,
        &[File, Directory, Tool, Image, Rule, Denied],
    );
    codec.text(&mut source.name);
    codec.text(&mut source.key);
    codec.text(&mut source.identity);
    option(&mut source.start_line, codec, line);
    option(&mut source.end_line, codec, line);
    text(&mut source.args, codec);
    if source.kind == Tool {
        codec.check(Json::parse(&source.args.to_units()).is_some());
    }
    option(&mut item.said, codec, said);
    codec.number(&mut item.turn, u64::MAX);
}

fn said(said: &mut Said, codec: &mut Codec) {
    use Outcome::{Content, Error, Gone, Image};
    codec.choice(&mut said.outcome, &[Content, Image, Error, Gone]);
    text(&mut said.text, codec);
    option(&mut said.label, codec, text);
}

fn hash(hash: &mut u64, codec: &mut Codec) {
    codec.number(hash, u64::MAX);
}

fn size(size: &mut usize, codec: &mut Codec) {
    let mut number = *size as u64;
    codec.number(&mut number, u32::MAX.into());
    *size = number as usize;
}

fn line(line: &mut u32, codec: &mut Codec) {
    let mut number = u64::from(*line);
    codec.number(&mut number, u32::MAX.into());
    *line = number as u32;
}

fn text(text: &mut Text, codec: &mut Codec) {
    let mut is_wide = matches!(text, Text::Wide(_));
    codec.flag(&mut is_wide);
    match (&mut *codec, &*text) {
        (Codec::Save(to), Text::Ascii(bytes)) => to.bytes(bytes),
        (Codec::Save(to), Text::Wide(units)) => to.units(units),
        (Codec::Load(from), _) => {
            let read = if is_wide {
                let units = from.units(usize::MAX).ok();
                units.map(|units| Text::from_units(&units))
            } else {
                from.bytes().ok().and_then(Text::from_ascii)
            };
            match read {
                Some(read) if matches!(read, Text::Wide(_)) == is_wide => *text = read,
                _ => codec.check(false),
            }
        }
        (Codec::Corrupt, _) => {}
    }
}

fn option<T: Default>(value: &mut Option<T>, codec: &mut Codec, each: fn(&mut T, &mut Codec)) {
    let mut is_there = value.is_some();
    codec.flag(&mut is_there);
    if is_there {
        each(value.get_or_insert_default(), codec);
    }
}

fn table<V: Default + Clone>(
    table: &mut Table<V>,
    codec: &mut Codec,
    each: fn(&mut V, &mut Codec),
) {
    let mut length = table.len() as u64;
    codec.count(&mut length);
    for place in 0..length as usize {
        let (mut name, mut value) = match table.at(place) {
            Some((name, value)) => (name.to_owned(), value.clone()),
            None => (String::new(), V::default()),
        };
        codec.text(&mut name);
        each(&mut value, codec);
        match codec {
            Codec::Save(_) => {}
            Codec::Load(_) => table.insert(&name, value),
            Codec::Corrupt => return,
        }
    }
}
