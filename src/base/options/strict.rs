//! Reads JSON values more strictly than serde does by itself, and says what is wrong with one in words
//! that a host's developer understands.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use super::numbers::is_integer;

/// An error shows at most this many characters of a wrong string.
const SHOWN_CHARACTERS: usize = 40;
/// An unknown option is answered with the list of all options if there are at most this many, and otherwise with the
/// one that was probably meant.
const LISTED_OPTIONS: usize = 12;
/// A name is taken for a misspelt option if it differs by at most this many letters: missing, extra, wrong or
/// swapped.
const SLIPS: usize = 2;

/// The reason why a value was refused.
#[derive(Debug)]
pub(super) struct Refusal(Box<Reason>);

#[derive(Debug)]
struct Reason {
    /// The rest of an error's message, after the name of the option.
    message: String,
    /// The refused value, seen from the one that is read: `modelCheck.interval`, `tools[1]`, or empty for itself.
    path: String,
}

impl Refusal {
    fn new(message: String) -> Self {
        let path = String::new();
        Self(Box::new(Reason { message, path }))
    }

    /// The message and the path.
    pub(super) fn into_parts(self) -> (String, String) {
        (self.0.message, self.0.path)
    }

    /// The same, seen from the object whose field it is about.
    fn in_field(mut self, name: &str) -> Self {
        let path = &mut self.0.path;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, name);
        self
    }

    /// The same, seen from the array whose item it is about.
    fn in_item(self, place: usize) -> Self {
        self.in_field(&format!("[{place}]"))
    }

    /// The message about a name that no option has.
    pub(super) fn unknown(found: &str, allowed: &[&str]) -> String {
        if (1..=LISTED_OPTIONS).contains(&allowed.len()) {
            return format!("is not an option; it must be {}", one_of(allowed));
        }
        match meant(found, allowed) {
            Some(option) => format!("is not an option; did you mean {option}?"),
            None => "is not an option".to_owned(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Refusal {}

impl de::Error for Refusal {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(found: Unexpected, allowed: &dyn de::Expected) -> Self {
        Self::new(format!("must be {}, not {}", plain(allowed), shown(&found)))
    }

    fn invalid_value(found: Unexpected, allowed: &dyn de::Expected) -> Self {
        Self::invalid_type(found, allowed)
    }

    fn unknown_variant(found: &str, allowed: &'static [&'static str]) -> Self {
        let found = shown(&Unexpected::Str(found));
        Self::new(format!("must be {}, not {found}", one_of(allowed)))
    }

    fn unknown_field(found: &str, allowed: &'static [&'static str]) -> Self {
        Self::new(Self::unknown(found, allowed))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new("must be given".to_owned()).in_field(name)
    }
}

/// The option that differs least from a name, if it differs little.
fn meant<'a>(found: &str, options: &[&'a str]) -> Option<&'a str> {
    let longest = options.iter().map(|option| option.len()).max()?;
    if found.len() > longest + SLIPS {
        return None;
    }
    let slips = |option: &str| {
        strsim::osa_distance(&found.to_ascii_lowercase(), &option.to_ascii_lowercase())
    };
    let by_slips = options.iter().map(|option| (slips(option), *option));
    let (slips, option) = by_slips.min_by_key(|(slips, _)| *slips)?;
    (slips <= SLIPS && slips * 2 < option.len()).then_some(option)
}

/// The allowed values, in words that JavaScript has, too.
fn plain(allowed: &dyn de::Expected) -> String {
    let allowed = allowed.to_string();
    match allowed.as_str() {
        "a sequence" => "an array".to_owned(),
        "a map" => "an object".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "u64" => "an integer of at least 0".to_owned(),
        _ if allowed.starts_with("struct ") => "an object".to_owned(),
        _ if allowed.starts_with("enum ") => "a string".to_owned(),
        _ => allowed,
    }
}

fn shown(found: &Unexpected) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => in_javascript(*number),
        Unexpected::Str(text) => {
            let mut start: String = text.chars().take(SHOWN_CHARACTERS).collect();
            if start.len() < text.len() {
                start.push('…');
            }
            format!("{start:?}")
        }
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        // JSON has no more, and whatever else serde knows is shown without the printing of all of it.
        _ => "another value".to_owned(),
    }
}

/// A number as JavaScript prints it. Infinity, which JSON does not have, arrived as the largest number that
/// there is.
fn in_javascript(number: f64) -> String {
    if number == f64::MAX {
        "Infinity".to_owned()
    } else if number == f64::MIN {
        "-Infinity".to_owned()
    } else {
        ryu_js::Buffer::new().format(number).to_owned()
    }
}

/// Such as `a, b or c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Reads a [`Value`] as serde does, but for what the [module](super) says.
#[derive(Clone, Copy)]
pub(super) struct Strict<'de>(pub(super) &'de Value);

impl<'de> Strict<'de> {
    pub(super) fn unexpected(self) -> Unexpected<'de> {
        match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }

    fn refused(self, allowed: &dyn de::Expected) -> Refusal {
        de::Error::invalid_type(self.unexpected(), allowed)
    }
}

/// Declares methods that read a kind of value and refuse all others. In `deserialize_any` each would compile
/// the code for all kinds.
macro_rules! deserialize_only {
    ($($pattern:pat => $visit:expr, $($method:ident)*;)*) => {
        $($(
            #[inline(never)]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
                match self.0 {
                    $pattern => $visit(visitor),
                    _ => Err(self.refused(&visitor)),
                }
            }
        )*)*
    };
}

/// The readers of one value are never inlined into those of a struct's fields: an engine compiles a function
/// whole when it is first called, and forty copies made the first `new LoopDetector()` wait for 20 KB more.
impl<'de> Deserializer<'de> for Strict<'de> {
    type Error = Refusal;

    #[inline(never)]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match number.as_f64() {
                // JavaScript has one kind of number.
                Some(float) if is_integer(float) && float >= 0.0 => visitor.visit_u64(float as u64),
                Some(float) if is_integer(float) => visitor.visit_i64(float as i64),
                Some(float) => visitor.visit_f64(float),
                None => Err(self.refused(&visitor)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items::of(items)),
            Value::Object(fields) => visitor.visit_map(Fields::of(fields)),
        }
    }

    /// An option that is there has a value; `null` is none.
    #[inline(never)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_some(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields::of(fields)),
            _ => Err(self.refused(&visitor)),
        }
    }

    #[inline(never)]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(name.as_str().into_deserializer()),
            _ => Err(self.refused(&one_of(variants).as_str())),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    deserialize_only! {
        Value::Bool(value) => |visitor: V| visitor.visit_bool(*value), deserialize_bool;
        Value::String(text) => |visitor: V| visitor.visit_borrowed_str(text),
            deserialize_str deserialize_string;
        Value::Array(items) => |visitor: V| visitor.visit_seq(Items::of(items)), deserialize_seq;
        Value::Object(fields) => |visitor: V| visitor.visit_map(Fields::of(fields)), deserialize_map;
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

/// The fields of an object. An error of one is told with its name.
struct Fields<'de> {
    rest: serde_json::map::Iter<'de>,
    /// The one whose name was read.
    open: Option<(&'de str, &'de Value)>,
}

impl<'de> Fields<'de> {
    fn of(fields: &'de Map<String, Value>) -> Self {
        let rest = fields.iter();
        Self { rest, open: None }
    }
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refusal> {
        let Some((name, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.open = Some((name, value));
        match seed.deserialize(BorrowedStrDeserializer::<Refusal>::new(name)) {
            Ok(key) => Ok(Some(key)),
            Err(refusal) => Err(refusal.in_field(name)),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Refusal> {
        let (name, value) = self.open.expect("a value is read after its name");
        seed.deserialize(Strict(value))
            .map_err(|refusal: Refusal| refusal.in_field(name))
    }
}

/// The items of an array. An error of one is told with its place.
struct Items<'de>(std::iter::Enumerate<std::slice::Iter<'de, Value>>);

impl<'de> Items<'de> {
    fn of(items: &'de [Value]) -> Self {
        Self(items.iter().enumerate())
    }
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Refusal> {
        let Some((place, value)) = self.0.next() else {
            return Ok(None);
        };
        match seed.deserialize(Strict(value)) {
            Ok(item) => Ok(Some(item)),
            Err(refusal) => Err(refusal.in_item(place)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_is_answered_with_the_option_that_was_meant() {
        const OPTIONS: &[&str] = &["identicalCalls", "repeatedWaits", "unit", "history"];
        let expected = [
            ("identicalCall", Some("identicalCalls")),
            ("identical_calls", Some("identicalCalls")),
            ("identicalcalls", Some("identicalCalls")),
            ("repaetedWait", Some("repeatedWaits")),
            ("units", Some("unit")),
            ("init", Some("unit")),
            ("it", None),
            ("histogram", None),
            ("", None),
        ];
        for (found, option) in expected {
            assert_eq!(meant(found, OPTIONS), option, "{found}");
        }
        assert_eq!(meant(&"identicalCalls".repeat(1_000), OPTIONS), None);
        assert_eq!(meant("unit", &[]), None);
    }
}
