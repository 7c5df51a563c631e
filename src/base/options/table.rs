//! Options that are read over a table, for structs of many fields.
//!
//! For a struct serde derives one function with a copy of the same code for every field, and an engine
//! compiles a function whole when it is first called. Over a table the code is there once for each
//! kind of option.

use std::any::Any;

use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};

use super::strict::{Refusal, Strict};
use super::{Count, OPTIONS, Threshold};
use crate::error::{Error, ErrorCode};

/// A field of a struct of options.
pub struct Field<O> {
    /// The name in Rust. The option's name is the same in camel case.
    pub name: &'static str,
    /// The field of a struct.
    pub of: fn(&mut O) -> &mut dyn Setting,
}

/// An option of any kind, set or not.
pub trait Setting {
    /// Sets it to a value of a host's. An error names the option as `name`.
    fn read(&mut self, machine: &'static str, name: &str, value: &Value) -> Result<(), Error>;

    /// Its value, if it is set.
    fn write(&self) -> Option<Value>;

    /// Takes the value of another option of its kind, if it is not set.
    fn fill(&mut self, other: &mut dyn Setting);

    /// Itself, as the type that it is.
    fn as_any(&mut self) -> &mut dyn Any;
}

/// A kind of value that an option has.
pub trait Kind: DeserializeOwned + Serialize + Clone + 'static {
    /// The allowed values in the words of an error, for a kind that [`plain`](Self::plain) reads.
    const ALLOWED: Option<&'static str> = None;

    /// Reads a value that is one number or word.
    fn plain(_: &Value) -> Option<Self> {
        None
    }

    /// Adds what another value says and this one leaves out.
    fn fill(&mut self, _: &Self) {}
}

impl Kind for bool {}
impl<T: DeserializeOwned + Serialize + Clone + 'static> Kind for Vec<T> {}

impl Kind for Count {}
impl Kind for Threshold {}

impl<T: Kind> Setting for Option<T> {
    #[inline(never)]
    fn read(&mut self, machine: &'static str, name: &str, value: &Value) -> Result<(), Error> {
        let code = ErrorCode::InvalidConfig;
        let read = match T::ALLOWED {
            Some(allowed) => T::plain(value).ok_or_else(|| {
                let refusal = Refusal::invalid_type(Strict(value).unexpected(), &allowed);
                super::refused(machine, code, name, refusal)
            }),
            None => super::read_as(machine, code, name, value),
        };
        *self = Some(read?);
        Ok(())
    }

    #[inline(never)]
    fn write(&self) -> Option<Value> {
        self.as_ref().map(super::to_value)
    }

    fn fill(&mut self, other: &mut dyn Setting) {
        let Some(other) = other.as_any().downcast_ref::<Self>() else {
            return;
        };
        match (self, other) {
            (Some(value), Some(other)) => value.fill(other),
            (Some(_), None) => {}
            (empty, other) => empty.clone_from(other),
        }
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

/// Reads options by a table.
///
/// # Errors
/// `invalid_config`, naming the option.
pub fn read<O: Default>(
    machine: &'static str,
    table: &[Field<O>],
    value: &Value,
) -> Result<O, Error> {
    let mut options = O::default();
    let code = ErrorCode::InvalidConfig;
    let Value::Object(fields) = value else {
        let refusal = Refusal::invalid_type(Strict(value).unexpected(), &"an object");
        return Err(super::refused(machine, code, OPTIONS, refusal));
    };
    for (name, value) in fields {
        let Some(field) = find(table, name) else {
            let names = table.iter().map(|field| in_camel_case(field.name));
            let names: Vec<String> = names.collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(Error::new(code, machine, Refusal::unknown(name, &names)).at(name));
        };
        (field.of)(&mut options).read(machine, name, value)?;
    }
    Ok(options)
}

/// The option of a name in camel case.
pub fn find<'a, O>(table: &'a [Field<O>], name: &str) -> Option<&'a Field<O>> {
    table.iter().find(|field| in_camel_case(field.name) == name)
}

/// The options that are set, as JSON has them.
pub fn write<O: Clone>(table: &[Field<O>], options: &O) -> Value {
    let mut options = options.clone();
    let mut written = Map::new();
    for field in table {
        if let Some(value) = (field.of)(&mut options).write() {
            written.insert(in_camel_case(field.name), value);
        }
    }
    Value::Object(written)
}

/// Lays options over others: what is not set has the other's value.
pub fn fill<O>(table: &[Field<O>], options: &mut O, mut others: O) {
    for field in table {
        (field.of)(options).fill((field.of)(&mut others));
    }
}

fn in_camel_case(snake: &str) -> String {
    let mut camel = String::with_capacity(snake.len());
    for (at, word) in snake.split('_').enumerate() {
        let (first, rest) = word.split_at(word.len().min(1));
        match at {
            0 => camel.push_str(first),
            _ => camel.push_str(&first.to_ascii_uppercase()),
        }
        camel.push_str(rest);
    }
    camel
}

/// Declares a struct of options, and the table of its fields as `FIELDS`.
#[macro_export]
macro_rules! options_with_table {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* pub $field:ident: Option<$kind:ty>,)*
        }
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$of_field])* pub $field: Option<$kind>,)*
        }

        impl $name {
            pub(crate) const FIELDS: &[$crate::options::table::Field<Self>] = &[
                $($crate::options::table::Field {
                    name: stringify!($field),
                    of: |options| &mut options.$field,
                },)*
            ];
        }
    };
}

#[expect(unreachable_pub, reason = "structs with a table are public")]
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    options_with_table! {
        /// The options of a kettle.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct KettleOptions {
            /// The most cups that it makes.
            pub most_cups: Option<Count>,
            /// When.
            pub boils: Option<Threshold>,
            /// Whose.
            pub names: Option<Vec<String>>,
        }
    }

    fn read(value: &Value) -> Result<KettleOptions, Error> {
        super::read("kettle", KettleOptions::FIELDS, value)
    }

    #[test]
    fn options_are_read_and_written_over_the_table() {
        let given = json!({"names": ["a"], "boils": false, "mostCups": 3});
        let options = read(&given).expect("valid");
        assert_eq!(options.most_cups, Count::new(3));
        assert_eq!(write(KettleOptions::FIELDS, &options), given);
    }

    #[test]
    fn what_is_wrong_is_named_as_serde_would() {
        let table = [
            (json!([]), "options", "must be an object, not an array"),
            (
                json!({"most_cups": 1}),
                "most_cups",
                "is not an option; it must be mostCups, boils or names",
            ),
            (
                json!({"mostCups": 0}),
                "mostCups",
                "must be an integer of at least 1, not 0",
            ),
            (
                json!({"mostCups": null}),
                "mostCups",
                "must be an integer of at least 1, not null",
            ),
            (
                json!({"mostCups": 1.5}),
                "mostCups",
                "must be an integer of at least 1, not 1.5",
            ),
            (
                json!({"names": ["a", 1]}),
                "names[1]",
                "must be a string, not 1",
            ),
        ];
        for (options, field, message) in table {
            let error = read(&options).expect_err("wrong");
            assert_eq!(error.field(), Some(field), "{options}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn what_is_not_set_has_the_others_value() {
        let mut options = read(&json!({"boils": 2, "names": ["a"]})).expect("valid");
        let others = read(&json!({"boils": 9, "mostCups": 4})).expect("valid");
        fill(KettleOptions::FIELDS, &mut options, others);
        assert_eq!(
            write(KettleOptions::FIELDS, &options),
            json!({"mostCups": 4, "boils": 2, "names": ["a"]})
        );
    }
}
