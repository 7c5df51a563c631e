//! The models that are watched more strictly.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The models that are watched more strictly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum PreviewModel {
    /// Those whose name contains this, ASCII case ignored.
    Contains(String),
    /// Those that a regular expression matches. In JSON it is an object, as is what JavaScript hands
    /// over for a `RegExp`.
    Pattern {
        /// The expression. JavaScript matches it by its own syntax, a native user by that of the crate
        /// `regex`.
        source: String,
        /// JavaScript's flags, such as `i`.
        flags: String,
    },
}

impl<'de> Deserialize<'de> for PreviewModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Pattern {
            source: String,
            flags: String,
        }

        struct PreviewModelVisitor;
        impl<'de> Visitor<'de> for PreviewModelVisitor {
            type Value = PreviewModel;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string or a RegExp")
            }

            fn visit_str<E: de::Error>(self, part: &str) -> Result<PreviewModel, E> {
                Ok(PreviewModel::Contains(part.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PreviewModel, A::Error> {
                let Pattern { source, flags } =
                    Pattern::deserialize(MapAccessDeserializer::new(map))?;
                Ok(PreviewModel::Pattern { source, flags })
            }
        }
        deserializer.deserialize_any(PreviewModelVisitor)
    }
}
