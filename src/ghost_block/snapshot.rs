//! Saving an assembler and going on later.

use super::items::{Item, Items};
use super::options::AssemblerOptions;
use super::syntax::preprocess::Scope;
use super::text::{Saved, Text};
use super::{GhostBlockAssembler, Held, Last, MACHINE, Rule};
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
        let to_ref = &mut to;
        self.options.clone().write().save(to_ref);
        to_ref.length(self.rules.len());
        for rule in &self.rules {
            to_ref.text(&rule.name);
            Text::from_units(&rule.content).save(to_ref);
        }
        save_scope(&self.scope, to_ref);
        to_ref.length(self.items.all.len());
        self.items.all.iter().for_each(|item| item.save(to_ref));
        to_ref.length(self.expanded.len());
        for (name, content) in &self.expanded {
            name.save(to_ref);
            content.save(to_ref);
        }
        to_ref.length(self.results.len());
        for (key, result) in self.results.iter() {
            to_ref.text(key);
            result.save(to_ref);
        }
        to_ref.length(self.held.len());
        for (key, held) in self.held.iter() {
            to_ref.text(key);
            to_ref.text(&held.version);
            held.content.save(to_ref);
        }
        to_ref.number(self.turn);
        save_sent(&self.sent, to_ref);
        to_ref.flag(self.last.is_some());
        if let Some(last) = &self.last {
            to_ref.number(last.user);
            to_ref.flag(last.was_changed);
            save_scope(&last.scopes.0, to_ref);
            save_scope(&last.scopes.1, to_ref);
            save_sent(&last.sent, to_ref);
            to_ref.length(last.literals.len());
            last.literals.iter().for_each(|&at| to_ref.length(at));
        }
        to.finish()
    }

    /// An assembler that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let mut from = Reader::open(FORMAT, snapshot)?;
        Self::load(&mut from).map_err(|Corrupt| {
            let message = "the snapshot does not hold an assembler";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        let options = AssemblerOptions::read(&Setting::load(from)?).map_err(|_| Corrupt)?;
        let mut assembler = Self::new(options).map_err(|_| Corrupt)?;
        for _ in 0..from.length(usize::MAX)? {
            assembler.rules.push(Rule {
                name: from.text()?.to_owned(),
                content: Text::load(from)?.to_units(),
            });
        }
        assembler.scope = load_scope(from)?;
        let count = from.length(usize::MAX)?;
        assembler.items = Items {
            all: (0..count)
                .map(|_| Item::load(from))
                .collect::<Result<_, _>>()?,
        };
        for _ in 0..from.length(usize::MAX)? {
            assembler
                .expanded
                .push((Text::load(from)?, Text::load(from)?));
        }
        for _ in 0..from.length(usize::MAX)? {
            let key = from.text()?.to_owned();
            assembler.results.insert(key, Text::load(from)?);
        }
        for _ in 0..from.length(usize::MAX)? {
            let key = from.text()?.to_owned();
            let version = from.text()?.to_owned();
            let content = Text::load(from)?;
            assembler.held.insert(key, Held { version, content });
        }
        assembler.turn = from.number_to(u64::MAX >> 8)?;
        assembler.sent = load_sent(from)?;
        if from.flag()? {
            let user = from.number()?;
            let was_changed = from.flag()?;
            let scopes = (load_scope(from)?, load_scope(from)?);
            let sent = load_sent(from)?;
            let mut literals = Vec::new();
            for _ in 0..from.length(usize::MAX)? {
                literals.push(from.number_to(u32::MAX.into())? as usize);
            }
            assembler.last = Some(Last {
                user,
                was_changed,
                literals,
                scopes,
                sent,
            });
        }
        from.end()?;
        Ok(assembler)
    }
}

fn save_scope(scope: &Scope, to: &mut Writer) {
    to.length(scope.all().len());
    for (name, value) in scope.all().iter() {
        to.text(name);
        to.units(value);
    }
}

fn load_scope(from: &mut Reader) -> Result<Scope, Corrupt> {
    let mut scope = Scope::default();
    for _ in 0..from.length(usize::MAX)? {
        let name: Vec<u16> = from.text()?.encode_utf16().collect();
        scope.define(&name, from.units(usize::MAX)?);
    }
    Ok(scope)
}

fn save_sent(sent: &Table<u64>, to: &mut Writer) {
    to.length(sent.len());
    for (key, hash) in sent.iter() {
        to.text(key);
        to.number(*hash);
    }
}

fn load_sent(from: &mut Reader) -> Result<Table<u64>, Corrupt> {
    let mut sent = Table::default();
    for _ in 0..from.length(usize::MAX)? {
        let key = from.text()?.to_owned();
        sent.insert(key, from.number()?);
    }
    Ok(sent)
}
