//! Settings as a host hands them over: a small tree, whatever language they were written in.
//!
//! JavaScript's objects and native JSON both become a [`Setting`], and every machine reads its
//! options out of one. So wrong options are found, and named, in one place.

use serde_json::Value;

use crate::error::{Error, ErrorCode};
use crate::snapshot::{Corrupt, Reader, Writer};

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
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
/// Settings nested deeper than this are refused when they are restored.
const DEEPEST: usize = 16;

/// A setting and the name that an error gives it.
pub(crate) struct Named<'a> {
    pub(crate) machine: &'static str,
    pub(crate) name: String,
    pub(crate) value: &'a Setting,
}

impl<'a> Named<'a> {
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorCode::InvalidConfig, self.machine, message).at(self.name.clone())
    }

    /// An integer of at least 1.
    pub(crate) fn count(&self) -> Result<u64, Error> {
        match *self.value {
            Setting::Number(n) if (1.0..=MAX_SAFE_INTEGER).contains(&n) && n.trunc() == n => {
                Ok(n as u64)
            }
            _ => Err(self.error("must be an integer of at least 1")),
        }
    }

    pub(crate) fn flag(&self) -> Result<bool, Error> {
        match self.value {
            Setting::Flag(flag) => Ok(*flag),
            _ => Err(self.error("must be true or false")),
        }
    }

    /// A number from 0 to 1.
    pub(crate) fn share(&self) -> Result<f64, Error> {
        match *self.value {
            Setting::Number(n) if (0.0..=1.0).contains(&n) => Ok(n),
            _ => Err(self.error("must be a number from 0 to 1")),
        }
    }

    /// Milliseconds: not negative, perhaps infinite.
    pub(crate) fn duration(&self) -> Result<f64, Error> {
        match *self.value {
            Setting::Number(n) if n >= 0.0 => Ok(n),
            _ => Err(self.error("must be a number of at least 0")),
        }
    }

    /// One of two words.
    pub(crate) fn one_of<T>(&self, choices: [(&str, T); 2]) -> Result<T, Error> {
        let [(first, _), (second, _)] = choices;
        let message = format!("must be {first} or {second}");
        let given = self.text().map_err(|_| self.error(&*message))?;
        let found = choices.into_iter().find(|(word, _)| *word == given);
        found
            .map(|(_, meaning)| meaning)
            .ok_or_else(|| self.error(message))
    }

    pub(crate) fn text(&self) -> Result<&'a str, Error> {
        match self.value {
            Setting::Text(text) => Ok(text),
            _ => Err(self.error("must be a string")),
        }
    }

    pub(crate) fn texts(&self) -> Result<Vec<String>, Error> {
        let Setting::List(items) = self.value else {
            return Err(self.error("must be an array of strings"));
        };
        let text = |(at, value): (usize, &'a Setting)| {
            let name = format!("{}[{at}]", self.name);
            Named {
                machine: self.machine,
                name,
                value,
            }
            .text()
            .map(str::to_owned)
        };
        items.iter().enumerate().map(text).collect()
    }

    /// The named values of an object. The names of a setting within another have a dot.
    pub(crate) fn fields(&self) -> Result<impl Iterator<Item = (&'a str, Named<'a>)>, Error> {
        let Setting::Fields(fields) = self.value else {
            return Err(self.error("must be an object"));
        };
        let machine = self.machine;
        let prefix = if self.name == OPTIONS {
            String::new()
        } else {
            format!("{}.", self.name)
        };
        Ok(fields.iter().map(move |(name, value)| {
            (
                name.as_str(),
                Named {
                    machine,
                    name: format!("{prefix}{name}"),
                    value,
                },
            )
        }))
    }
}

/// What an error calls the whole of a machine's options.
pub(crate) const OPTIONS: &str = "options";

impl From<String> for Setting {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Setting {
    /// A count that a host can set is an integer that JavaScript counts exactly.
    fn from(count: u64) -> Self {
        Self::Number(count as f64)
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
                let items = (0..length).map(|_| Self::load_within(from, depth));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            5 => {
                let length = from.length(usize::MAX)?;
                let fields = (0..length)
                    .map(|_| Ok((from.text()?.to_owned(), Self::load_within(from, depth)?)));
                Self::Fields(fields.collect::<Result<_, _>>()?)
            }
            6 => Self::Pattern {
                source: from.text()?.to_owned(),
                flags: from.text()?.to_owned(),
            },
            _ => return Err(Corrupt),
        })
    }
}
