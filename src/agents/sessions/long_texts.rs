//! The long texts of a message, which events have again.

use rustc_hash::FxHashMap;
use turnkeeper_base::json::Json;

/// Keys that lead to a text take as much room as a shorter one.
const LONG: usize = 48;

/// No message has texts of the model's or of tools deeper.
const DEPTH: usize = 8;

/// The long texts of a message, each known by its address.
#[derive(Debug, Default)]
pub(crate) struct LongTexts<'m> {
    message: Option<&'m Json<'m>>,
    keys: FxHashMap<Address, Vec<Json<'m>>>,
}

/// The place where a text begins, and its length.
type Address = (usize, usize);

fn address(text: &str) -> Address {
    (text.as_ptr().addr(), text.len())
}

/// Whether there is a U+FFFD. Most texts do not even have its second byte.
fn has_replacement(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut middles = memchr::memchr_iter(0xbf, bytes);
    middles.any(|at| bytes[..at].ends_with(b"\xef") && bytes[at..].starts_with(b"\xbf\xbd"))
}

impl<'m> LongTexts<'m> {
    pub(crate) fn of(message: &'m Json<'m>) -> Self {
        let mut texts = Self {
            message: Some(message),
            keys: FxHashMap::default(),
        };
        texts.note(message, &mut Vec::new());
        texts
    }

    fn note(&mut self, value: &'m Json<'m>, keys: &mut Vec<Json<'m>>) {
        if let Json::Text(text) = value {
            if text.len() >= LONG {
                self.keys.insert(address(text), keys.clone());
            }
            return;
        }
        if keys.len() == DEPTH {
            return;
        }
        let mut within = |key, value| {
            keys.push(key);
            self.note(value, keys);
            keys.pop();
        };
        match value {
            Json::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    within(Json::Number(index as f64), item);
                }
            }
            Json::Object(fields) => {
                for (name, value) in fields {
                    within(Json::from(name.as_ref()), value);
                }
            }
            _ => {}
        }
    }

    /// The keys that lead JavaScript to this very text in the message as it is written. What is U+FFFD here may be half
    /// of a character there.
    pub(crate) fn keys_to(&self, text: &str) -> Option<&[Json<'m>]> {
        let keys = self.keys.get(&address(text))?;
        // Of fields with one name the last counts.
        let found = keys.iter().try_fold(self.message?, |value, key| match key {
            Json::Number(index) => value.items().get(*index as usize),
            name => value.get(name.as_text()?),
        });
        let is_it = found.and_then(Json::as_text).map(address) == Some(address(text));
        (is_it && !has_replacement(text)).then_some(keys)
    }
}
