//! JSON of what crosses to JavaScript. It knows the few shapes that do, and takes a third of the
//! room of a printer that knows them all.

use std::fmt;

use serde::Serialize;
use serde::ser::{self, Impossible};

use super::print_number;
use crate::text::{push_number, push_quoted};

/// Prints a value; nothing if it has a shape that does not cross.
pub(crate) fn print(value: &impl Serialize) -> String {
    let mut json = Json(String::new());
    match value.serialize(&mut json) {
        Ok(()) => json.0,
        Err(NoJson) => String::new(),
    }
}

struct Json(String);

/// The value has a shape that does not cross.
#[derive(Debug)]
struct NoJson;

impl fmt::Display for NoJson {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for NoJson {}

impl ser::Error for NoJson {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Done = Result<(), NoJson>;

impl Json {
    /// What stands before the next item of a list or an object.
    fn separate(&mut self) {
        if !self.0.ends_with(['[', '{']) {
            self.0.push(',');
        }
    }

    fn name(&mut self, name: &str) {
        self.separate();
        // Names are those of fields, in which there is nothing to escape.
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
    }

    fn word(&mut self, word: &str) -> Done {
        self.0.push_str(word);
        Ok(())
    }
}

impl<'a> ser::Serializer for &'a mut Json {
    type Ok = ();
    type Error = NoJson;
    type SerializeSeq = Inside<'a>;
    type SerializeTuple = Inside<'a>;
    type SerializeTupleStruct = Impossible<(), NoJson>;
    type SerializeTupleVariant = Impossible<(), NoJson>;
    type SerializeMap = Impossible<(), NoJson>;
    type SerializeStruct = Inside<'a>;
    type SerializeStructVariant = Impossible<(), NoJson>;

    fn serialize_bool(self, value: bool) -> Done {
        self.word(if value { "true" } else { "false" })
    }

    fn serialize_i8(self, value: i8) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Done {
        if value < 0 {
            self.0.push('-');
        }
        self.serialize_u64(value.unsigned_abs())
    }

    fn serialize_u8(self, value: u8) -> Done {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Done {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Done {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Done {
        push_number(&mut self.0, value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.word(&print_number(value))
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        push_quoted(&mut self.0, value);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Done {
        Err(NoJson)
    }

    fn serialize_none(self) -> Done {
        self.word("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.word("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.word("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Done {
        Err(NoJson)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Inside<'a>, NoJson> {
        self.0.push('[');
        Ok(Inside(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<Inside<'a>, NoJson> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, NoJson> {
        Err(NoJson)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NoJson> {
        Err(NoJson)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, NoJson> {
        Err(NoJson)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Inside<'a>, NoJson> {
        self.0.push('{');
        Ok(Inside(self))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NoJson> {
        Err(NoJson)
    }
}

/// Within a list or an object.
struct Inside<'a>(&'a mut Json);

impl ser::SerializeSeq for Inside<'_> {
    type Ok = ();
    type Error = NoJson;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.0.separate();
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Done {
        self.0.word("]")
    }
}

impl ser::SerializeTuple for Inside<'_> {
    type Ok = ();
    type Error = NoJson;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Done {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeStruct for Inside<'_> {
    type Ok = ();
    type Error = NoJson;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
        self.0.name(name);
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Done {
        self.0.word("}")
    }
}
