//! Settings as a host hands them over: a small tree, whatever language they were written in.
//!
//! JavaScript's objects and native JSON both become a [`Setting`], and every machine reads its
//! options out of one. So wrong options are found, and named, in one place.

use serde_json::Value;

use crate::error::{Error, ErrorCode};
use crate::snapshot::{Corrupt, Reader, Writer};
use crate::text::push_number;

/// One value of a setting.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Setting {
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Setting>),
    /// Named values, in the host's order.
    Fields(Vec<(String, Setting)>),
    /// A JavaScript regular expression.
    Pattern {
        source: String,
        flags: String,
    },
    /// Whatever no setting can be: null, a function, and so on.
    Other,
}

/// The largest integer that JavaScript counts exactly.
pub(crate) const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;
/// Settings nested deeper than this are refused when they are restored.
const DEEPEST: usize = 16;

/// What an error calls the whole of a machine's options.
pub(crate) const OPTIONS: &str = "options";

/// A setting and its place, which an error names.
pub(crate) struct Named<'a> {
    machine: &'static str,
    /// What it belongs to; the whole of the options belongs to nothing.
    within: Option<&'a Named<'a>>,
    name: Name<'a>,
    pub(crate) value: &'a Setting,
}

enum Name<'a> {
    Field(&'a str),
    Item(usize),
}

impl<'a> Named<'a> {
    /// The whole of a machine's options.
    pub(crate) fn whole(machine: &'static str, value: &'a Setting) -> Self {
        Self {
            machine,
            within: None,
            name: Name::Field(OPTIONS),
            value,
        }
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorCode::InvalidConfig, self.machine, message).at(self.path())
    }

    /// Such as `modelCheck.interval` or `tools[1]`.
    fn path(&self) -> String {
        let mut path = match self.within {
            Some(outer) if outer.within.is_some() => outer.path(),
            _ => String::new(),
        };
        match self.name {
            Name::Field(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Name::Item(at) => push_place(&mut path, at),
        }
        path
    }

    fn number(&self, is_right: fn(f64) -> bool, wanted: &str) -> Result<f64, Error> {
        match *self.value {
            Setting::Number(number) if is_right(number) => Ok(number),
            _ => Err(self.error(wanted)),
        }
    }

    pub(crate) fn text(&self) -> Result<&'a str, Error> {
        match self.value {
            Setting::Text(text) => Ok(text),
            _ => Err(self.error("must be a string")),
        }
    }

    /// The place of the word that it is, of those in a string.
    fn choice(&self, words: &str) -> Result<usize, Error> {
        let mut message = "must be".to_owned();
        let mut left = words.split_ascii_whitespace();
        let (mut place, mut word) = (0, left.next());
        while let Some(known) = word {
            if let Setting::Text(text) = self.value
                && text == known
            {
                return Ok(place);
            }
            word = left.next();
            message.push_str(match (place, word) {
                (0, _) => " ",
                (_, None) => " or ",
                _ => ", ",
            });
            message.push_str(known);
            place += 1;
        }
        Err(self.error(message))
    }

    /// The named values of an object.
    pub(crate) fn fields(&'a self) -> Result<impl Iterator<Item = (&'a str, Named<'a>)>, Error> {
        let Setting::Fields(fields) = self.value else {
            return Err(self.error("must be an object"));
        };
        Ok(fields.iter().map(move |(name, value)| {
            let field = Named {
                machine: self.machine,
                within: Some(self),
                name: Name::Field(name),
                value,
            };
            (name.as_str(), field)
        }))
    }

    /// Reads the named values of an object, of which there may be these and no others.
    pub(crate) fn read(&self, options: &mut [(&str, &mut dyn OptionValue)]) -> Result<(), Error> {
        for (name, value) in self.fields()? {
            match options.iter_mut().find(|(known, _)| *known == name) {
                Some((_, option)) => option.read(&value)?,
                None => return Err(value.error("is no option")),
            }
        }
        Ok(())
    }
}

/// The settings of a machine that reads many of them, by their names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds {
    /// The names, with a space between them.
    pub(crate) names: &'static str,
    /// What the value of each may be.
    pub(crate) kinds: &'static [Kind],
}

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// An integer of at least 1.
    Count,
    /// Any integer; below 0 it is the number 0.
    Integer,
    /// `false` and `true` are the numbers 1 and 2.
    Flag,
    /// A number from 0 to 1; its bits.
    Share,
    /// One of these, with a space between them, which are numbered from 1.
    Word(&'static str),
    Text,
    Texts,
    /// A string or a regular expression.
    Pattern,
    /// Settings of its own.
    Table(&'static Kinds),
    /// The same, or `false`, the number 1.
    OffOrTable(&'static Kinds),
}

#[inline(never)]
fn written(words: &'static str, place: usize) -> Setting {
    Setting::Text(word_at(words, place).to_owned())
}

/// The word at a place of those in a string, with a space between them.
pub(crate) fn word_at(words: &'static str, place: usize) -> &'static str {
    words
        .split_ascii_whitespace()
        .nth(place)
        .unwrap_or_default()
}

impl Named<'_> {
    /// Reads the named values of an object, of which there may be those of the list and no others, and
    /// puts the numbers that they are into `numbers`, each at its place in the list.
    pub(crate) fn fill(&self, list: &Kinds, numbers: &mut [u64]) -> Result<(), Error> {
        for (name, value) in self.fields()? {
            let mut place = 0;
            for known in list.names.split_ascii_whitespace() {
                if known == name {
                    break;
                }
                place += 1;
            }
            let Some(kind) = list.kinds.get(place) else {
                return Err(value.error("is no option"));
            };
            let number = value.as_number(*kind)?;
            if let Some(kept) = numbers.get_mut(place) {
                *kept = number;
            }
        }
        Ok(())
    }

    fn as_number(&self, kind: Kind) -> Result<u64, Error> {
        let must_be = match (kind, self.value) {
            (Kind::Flag, Setting::Flag(flag)) => return Ok(1 + u64::from(*flag)),
            (Kind::OffOrTable(_), Setting::Flag(false)) => return Ok(1),
            (Kind::OffOrTable(list), Setting::Fields(_)) | (Kind::Table(list), _) => {
                self.fill(list, &mut [])?;
                return Ok(2);
            }
            (Kind::Word(words), _) => {
                return Ok(1 + self.choice(words)? as u64);
            }
            (Kind::Texts, Setting::List(_)) => {
                return Option::<Vec<String>>::None.read(self).map(|()| 1);
            }
            (Kind::Text, Setting::Text(_))
            | (Kind::Pattern, Setting::Text(_) | Setting::Pattern { .. }) => return Ok(1),
            (Kind::Count, _) => return Ok(self.number(is_count, COUNT)? as u64),
            (Kind::Integer, _) => return Ok(self.number(is_integer, INTEGER)? as u64),
            (Kind::Share, _) => return Ok(self.number(is_share, SHARE)?.to_bits()),
            (Kind::Flag, _) => "must be true or false",
            (Kind::Text, _) => "must be a string",
            (Kind::Texts, _) => "must be an array of strings",
            (Kind::Pattern, _) => "must be a string or a RegExp",
            (Kind::OffOrTable(_), _) => "must be false or an object",
        };
        Err(self.error(must_be))
    }
}

const COUNT: &str = "must be an integer of at least 1";
const INTEGER: &str = "must be an integer";
const SHARE: &str = "must be a number from 0 to 1";

fn is_count(number: f64) -> bool {
    number >= 1.0 && is_integer(number)
}

fn is_integer(number: f64) -> bool {
    number.abs() <= MAX_SAFE_INTEGER as f64 && number.trunc() == number
}

fn is_share(number: f64) -> bool {
    (0.0..=1.0).contains(&number)
}

/// Whether it is an integer of at least 0.
pub(crate) fn is_whole(number: f64) -> bool {
    number >= 0.0 && number.trunc() == number
}

/// What an error says of a number that is not.
pub(crate) const MUST_BE_WHOLE: &str = "must be an integer of at least 0";

impl Setting {
    /// The value of a name, if it is an object with that name.
    pub(crate) fn field(&self, name: &str) -> Option<&Setting> {
        let Self::Fields(fields) = self else {
            return None;
        };
        for (known, value) in fields {
            if known == name {
                return Some(value);
            }
        }
        None
    }

    /// A string.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Adds an item's place in a list, such as `[1]`.
pub(crate) fn push_place(path: &mut String, place: usize) {
    path.push('[');
    push_number(path, place as u64);
    path.push(']');
}

/// The object that [`Named::read`] reads, with the options that are set.
pub(crate) fn write(options: &[(&str, &mut dyn OptionValue)]) -> Setting {
    let mut fields = Vec::new();
    for (name, option) in options {
        if let Some(value) = option.write() {
            fields.push(((*name).to_owned(), value));
        }
    }
    Setting::Fields(fields)
}

/// One option of a machine, set or not, that is read from what a host gave and written again.
pub(crate) trait OptionValue {
    fn read(&mut self, from: &Named) -> Result<(), Error>;
    fn write(&self) -> Option<Setting>;
}

/// A count: an integer of at least 1.
impl OptionValue for Option<u64> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = Some(from.number(is_count, COUNT)? as u64);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.map(|count| Setting::Number(count as f64))
    }
}

/// Any integer.
impl OptionValue for Option<i64> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = Some(from.number(is_integer, INTEGER)? as i64);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.map(|number| Setting::Number(number as f64))
    }
}

/// A limit: an integer of at least 0. As much as there can be is no limit.
impl OptionValue for Option<u32> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = Some(from.number(is_whole, MUST_BE_WHOLE)? as u32);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.map(|limit| Setting::Number(limit.into()))
    }
}

impl OptionValue for Option<bool> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        let Setting::Flag(flag) = *from.value else {
            return Err(from.error("must be true or false"));
        };
        *self = Some(flag);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.map(Setting::Flag)
    }
}

impl OptionValue for Option<String> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = Some(from.text()?.to_owned());
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.clone().map(Setting::Text)
    }
}

impl OptionValue for Option<Vec<String>> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        let Setting::List(items) = from.value else {
            return Err(from.error("must be an array of strings"));
        };
        let mut texts = Vec::new();
        for (at, value) in items.iter().enumerate() {
            let item = Named {
                machine: from.machine,
                within: Some(from),
                name: Name::Item(at),
                value,
            };
            texts.push(item.text()?.to_owned());
        }
        *self = Some(texts);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        let mut items = Vec::new();
        for text in self.as_ref()? {
            items.push(Setting::Text(text.clone()));
        }
        Some(Setting::List(items))
    }
}

/// A number from 0 to 1.
pub(crate) struct Share<'a>(pub(crate) &'a mut Option<f64>);

impl OptionValue for Share<'_> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self.0 = Some(from.number(is_share, SHARE)?);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.0.map(Setting::Number)
    }
}

/// Milliseconds: not negative, perhaps infinite.
pub(crate) struct Duration<'a>(pub(crate) &'a mut Option<f64>);

impl OptionValue for Duration<'_> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self.0 = Some(from.number(|n| n >= 0.0, "must be a number of at least 0")?);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        self.0.map(Setting::Number)
    }
}

/// A choice among words.
pub(crate) trait Word: Copy + PartialEq + 'static {
    /// What they mean, ...
    const MEANINGS: &'static [Self];
    /// and the words, with a space between them.
    const WORDS: &'static str;
}

impl<T: Word> OptionValue for Option<T> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = T::MEANINGS.get(from.choice(T::WORDS)?).copied();
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        for (place, meaning) in T::MEANINGS.iter().enumerate() {
            if Some(*meaning) == *self {
                return Some(written(T::WORDS, place));
            }
        }
        None
    }
}

impl From<Value> for Setting {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Other,
            Value::Bool(flag) => Self::Flag(flag),
            Value::Number(number) => number.as_f64().map_or(Self::Other, Self::Number),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(fields) => {
                let fields = fields.into_iter();
                Self::Fields(
                    fields
                        .map(|(name, value)| (name, Self::from(value)))
                        .collect(),
                )
            }
        }
    }
}

impl Setting {
    pub(crate) fn save(&self, to: &mut Writer) {
        match self {
            Self::Other => to.number(0),
            Self::Flag(flag) => {
                to.number(1);
                to.flag(*flag);
            }
            Self::Number(number) => {
                to.number(2);
                to.number(number.to_bits());
            }
            Self::Text(text) => {
                to.number(3);
                to.text(text);
            }
            Self::List(items) => {
                to.number(4);
                to.length(items.len());
                items.iter().for_each(|item| item.save(to));
            }
            Self::Fields(fields) => {
                to.number(5);
                to.length(fields.len());
                for (name, value) in fields {
                    to.text(name);
                    value.save(to);
                }
            }
            Self::Pattern { source, flags } => {
                to.number(6);
                to.text(source);
                to.text(flags);
            }
        }
    }

    pub(crate) fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        Self::load_within(from, DEEPEST)
    }

    fn load_within(from: &mut Reader, depth: usize) -> Result<Self, Corrupt> {
        let depth = depth.checked_sub(1).ok_or(Corrupt)?;
        Ok(match from.number()? {
            0 => Self::Other,
            1 => Self::Flag(from.flag()?),
            2 => Self::Number(f64::from_bits(from.number()?)),
            3 => Self::Text(from.text()?.to_owned()),
            4 => {
                let length = from.length(usize::MAX)?;
                let mut items = Vec::new();
                for _ in 0..length {
                    items.push(Self::load_within(from, depth)?);
                }
                Self::List(items)
            }
            5 => {
                let length = from.length(usize::MAX)?;
                let mut fields = Vec::new();
                for _ in 0..length {
                    let name = from.text()?.to_owned();
                    fields.push((name, Self::load_within(from, depth)?));
                }
                Self::Fields(fields)
            }
            6 => Self::Pattern {
                source: from.text()?.to_owned(),
                flags: from.text()?.to_owned(),
            },
            _ => return Err(Corrupt),
        })
    }
}
