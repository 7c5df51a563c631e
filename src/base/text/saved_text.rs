//! Texts in snapshots, which are written as they are kept, so an unpaired surrogate comes back as it was; and
//! texts on their way to a host, as strings.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Text;

#[derive(Serialize, Deserialize)]
enum SavedText<'a> {
    Ascii(Cow<'a, str>),
    Wide(Cow<'a, [u16]>),
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            #[cfg(feature = "wasm")]
            return crate::boundary::texts::JsText::from(self).serialize(serializer);
            #[cfg(not(feature = "wasm"))]
            return serializer.serialize_str(&self.to_lossy());
        }
        let saved = match self {
            Self::Ascii(bytes) => {
                SavedText::Ascii(str::from_utf8(bytes).expect("ASCII is UTF-8").into())
            }
            Self::Wide(units) => SavedText::Wide((&**units).into()),
        };
        saved.serialize(serializer)
    }
}

/// Writes JSON as the value that it is of.
pub fn serialize_json<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    #[cfg(feature = "wasm")]
    return crate::boundary::texts::serialize_json(json, serializer);
    #[cfg(not(feature = "wasm"))]
    serde_json::from_str::<serde_json::Value>(json)
        .unwrap_or_default()
        .serialize(serializer)
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match SavedText::deserialize(deserializer)? {
            SavedText::Ascii(text) => Self::from_ascii(text.as_bytes()),
            SavedText::Wide(units) => {
                Some(Self::from_units(&units)).filter(|text| matches!(text, Self::Wide(_)))
            }
        };
        // Equal texts are kept in the same form.
        text.ok_or_else(|| D::Error::custom("a text in the form of the other kind"))
    }
}
