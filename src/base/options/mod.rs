//! Options, read the same way for every machine.
//!
//! A machine's options are one serde struct, for native users and for JavaScript alike. What a host
//! hands over is a [`Value`]; [`read`] makes the struct of it and is stricter than serde is by itself:
//!
//! - an option that does not exist is an error (`deny_unknown_fields` on the struct);
//! - `null` is not the same as leaving an option out;
//! - an array is not a struct.
//!
//! Every error is an `invalid_config` that names the path of the option (`modelCheck.interval`,
//! `tools[1]`), the value that was wrong, and what is allowed. What a number may be is its type: a count is a
//! [`Count`], a threshold a [`Threshold`]. So a native user's struct cannot hold what JSON may
//! not.

mod numbers;
mod strict;
pub mod table;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use self::numbers::json_number;
pub use self::numbers::{AtLeastZero, Count, MAX_SAFE_INTEGER, Share, Threshold, limit};
use self::strict::{Refusal, Strict};

use crate::error::{Error, ErrorCode};

/// The name in errors of the whole of a machine's options.
pub const OPTIONS: &str = "options";

/// Reads a struct. An error's code is `code`; a field at fault is named by its path, and the whole by
/// `name`.
pub fn read_as<'de, T: Deserialize<'de>>(
    machine: &'static str,
    code: ErrorCode,
    name: &str,
    value: &'de Value,
) -> Result<T, Error> {
    T::deserialize(Strict(value)).map_err(|refusal| refused(machine, code, name, refusal))
}

fn refused(machine: &'static str, code: ErrorCode, name: &str, refusal: Refusal) -> Error {
    let (message, path) = refusal.into_parts();
    let field = match (name, path.is_empty()) {
        (_, true) => name.to_owned(),
        (OPTIONS, false) => path,
        (_, false) if path.starts_with('[') => format!("{name}{path}"),
        (_, false) => format!("{name}.{path}"),
    };
    Error::new(code, machine, message).at(field)
}

/// Reads a machine's options.
///
/// # Errors
/// `invalid_config`, naming the option.
pub fn read<T: DeserializeOwned>(machine: &'static str, value: &Value) -> Result<T, Error> {
    read_as(machine, ErrorCode::InvalidConfig, OPTIONS, value)
}

/// Reads a machine's options out of a JSON object.
///
/// # Errors
/// `invalid_config`, naming the option, or `options` for what is not JSON.
pub fn from_json<T: DeserializeOwned>(machine: &'static str, json: &str) -> Result<T, Error> {
    let value: Value = serde_json::from_str(json).map_err(|error| {
        Error::new(ErrorCode::InvalidConfig, machine, "must be a JSON object")
            .at(OPTIONS)
            .caused_by(error)
    })?;
    read(machine, &value)
}

/// The options that are set, as JSON has them.
pub fn to_value<T: Serialize>(options: &T) -> Value {
    let mut value = serde_json::to_value(options).expect("options are plain data");
    drop_nulls(&mut value);
    value
}

fn drop_nulls(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.retain(|_, field| !field.is_null());
        fields.values_mut().for_each(drop_nulls);
    }
}

/// For `#[serde(with = "…")]` in a snapshot's state: options as JSON text, without those that are not
/// set, and read as strictly as a host's. What else leaves out fields that have no value is saved so, too:
/// postcard cannot read it.
pub mod saved {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Strict, to_value};
    use crate::json;

    /// Writes the options.
    pub fn serialize<T: Serialize, S: Serializer>(
        options: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        json::written(&to_value(options)).serialize(serializer)
    }

    /// Reads what [`serialize`] wrote.
    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let json = String::deserialize(deserializer)?;
        let value = serde_json::from_str(&json).map_err(D::Error::custom)?;
        T::deserialize(Strict(&value)).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    const MACHINE: &str = "kettle";

    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Whistle {
        Loud,
        VeryQuiet,
    }

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
    struct Lid {
        open: Option<Share>,
        tight: Option<bool>,
    }

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
    struct KettleOptions {
        cups: Option<Count>,
        #[serde(deserialize_with = "limit")]
        max_tea: Option<u32>,
        boils: Option<Threshold>,
        whistle: Option<Whistle>,
        names: Option<Vec<String>>,
        lid: Option<Lid>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Registration {
        #[allow(dead_code)]
        serial_number: String,
    }

    #[test]
    fn options_are_read() {
        let options: KettleOptions = read(
            MACHINE,
            &json!({"cups": 3.0, "maxTea": 1e300, "boils": false,
                "whistle": "very_quiet", "names": ["a"], "lid": {"open": 0.5, "tight": true}}),
        )
        .expect("valid");
        let expected = KettleOptions {
            cups: Count::new(3),
            max_tea: Some(u32::MAX),
            boils: Some(Threshold::Off),
            whistle: Some(Whistle::VeryQuiet),
            names: Some(vec!["a".to_owned()]),
            lid: Some(Lid {
                open: Share::new(0.5),
                tight: Some(true),
            }),
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn an_error_names_the_option_the_value_and_what_is_allowed() {
        let table = [
            (json!([]), "options", "must be an object, not an array"),
            (json!(null), "options", "must be an object, not null"),
            (
                json!({"cup": 1}),
                "cup",
                "is not an option; it must be cups, maxTea, boils, whistle, names or lid",
            ),
            (
                json!({"cups": 0}),
                "cups",
                "must be an integer of at least 1, not 0",
            ),
            (
                json!({"cups": 1.5}),
                "cups",
                "must be an integer of at least 1, not 1.5",
            ),
            (
                json!({"cups": 1e300}),
                "cups",
                "must be an integer of at least 1, not 1e+300",
            ),
            (
                json!({"cups": f64::MAX}),
                "cups",
                "must be an integer of at least 1, not Infinity",
            ),
            (
                json!({"cups": null}),
                "cups",
                "must be an integer of at least 1, not null",
            ),
            (
                json!({"cups": true}),
                "cups",
                "must be an integer of at least 1, not true",
            ),
            (
                json!({"cups": "3"}),
                "cups",
                "must be an integer of at least 1, not \"3\"",
            ),
            (
                json!({"maxTea": -1}),
                "maxTea",
                "must be an integer of at least 0, not -1",
            ),
            (
                json!({"boils": true}),
                "boils",
                "must be an integer of at least 1 or false, not true",
            ),
            (
                json!({"boils": 0}),
                "boils",
                "must be an integer of at least 1 or false, not 0",
            ),
            (
                json!({"whistle": "Loud"}),
                "whistle",
                "must be loud or very_quiet, not \"Loud\"",
            ),
            (
                json!({"whistle": {"loud": 1}}),
                "whistle",
                "must be loud or very_quiet, not an object",
            ),
            (
                json!({"names": "a"}),
                "names",
                "must be an array, not \"a\"",
            ),
            (
                json!({"names": ["a", 1]}),
                "names[1]",
                "must be a string, not 1",
            ),
            (json!({"lid": []}), "lid", "must be an object, not an array"),
            (
                json!({"lid": {"open": 2}}),
                "lid.open",
                "must be a number from 0 to 1, not 2",
            ),
            (
                json!({"lid": {"tight": 1}}),
                "lid.tight",
                "must be true or false, not 1",
            ),
            (
                json!({"lid": {"tigth": 1}}),
                "lid.tigth",
                "is not an option; it must be open or tight",
            ),
        ];
        for (value, field, message) in table {
            let error = read::<KettleOptions>(MACHINE, &value).expect_err(&value.to_string());
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{value}");
            let said = error.to_string();
            let expected = format!("{MACHINE}: {field} {message}");
            assert!(said.starts_with(&expected), "{said}\n{expected}");
        }
    }

    #[test]
    fn a_field_of_an_argument_is_named_with_the_argument() {
        for (value, field) in [
            (json!({}), "terminal.serialNumber"),
            (json!({"serialNumber": 1}), "terminal.serialNumber"),
            (json!(1), "terminal"),
        ] {
            let code = ErrorCode::InvalidArgument;
            let error = read_as::<Registration>(MACHINE, code, "terminal", &value);
            assert_eq!(error.expect_err("wrong").field(), Some(field));
        }
    }
}
