//! The items that a conversation refers to, and their outcomes.

use turnkeeper_base::sorted_map::SortedMap;

use serde::{Deserialize, Serialize};

use super::origin::{ItemOrigin, Mention, OriginSource, saved};
use super::source::{Identity, Source, SourceKind};
use turnkeeper_base::text::Text;
use turnkeeper_base::text::hash::fingerprint;

/// The outcomes of sources, by their identity.
pub(crate) type Outcomes = SortedMap<Identity, Outcome>;

/// The outcomes of sources in earlier blocks, as numbers to compare.
pub(crate) type Sent = SortedMap<Identity, u64>;

/// The outcome of something that was referred to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    /// It is there. A file may have a version.
    Content { text: Text, version: Option<String> },
    /// An image: its type, and its bytes in base64.
    Image { media_type: String, data: Text },
    /// It failed, or is not allowed, and why.
    Failed { error: Text },
    /// The file is not there, which is an error, too.
    Missing,
}

impl Outcome {
    pub(crate) fn content(text: Text) -> Self {
        let version = None;
        Self::Content { text, version }
    }

    pub(crate) fn failed(error: impl AsRef<str>) -> Self {
        let error = Text::from(error.as_ref());
        Self::Failed { error }
    }

    pub(crate) fn denied(reason: impl AsRef<str>) -> Self {
        Self::failed(format!("denied: {}", reason.as_ref()))
    }

    pub(crate) fn is_content(&self) -> bool {
        matches!(self, Self::Content { .. })
    }

    /// The version of a file that has one.
    pub(crate) fn version(&self) -> Option<&str> {
        match self {
            Self::Content { version, .. } => version.as_deref(),
            _ => None,
        }
    }

    /// The content, or why there is none.
    pub(crate) fn as_result(&self) -> Result<&Text, Text> {
        match self {
            Self::Content { text, .. } => Ok(text),
            Self::Failed { error } => Err(error.clone()),
            Self::Missing => Err(Text::from(MISSING)),
            Self::Image { .. } => Err(Text::from("an image is no text")),
        }
    }

    /// A number to compare with what was said of the same source before.
    pub(crate) fn fingerprint(&self) -> u64 {
        let (kind, text) = match (self, self.as_result()) {
            (Self::Missing, _) => (2, Text::default()),
            (_, Ok(text)) => (0, text.clone()),
            (_, Err(error)) => (1, error),
        };
        let mut bytes = text.fingerprint().to_le_bytes().to_vec();
        bytes.push(kind);
        fingerprint(&bytes)
    }
}

/// The block's words for a file that is not there.
pub(crate) const MISSING: &str = "not found";

/// Something that the conversation referred to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) source: Source,
    /// Its outcome, once that is known.
    pub(crate) outcome: Option<Outcome>,
    /// The text of the conversation that mentioned it last, as [`Mention::order`] counts them.
    pub(crate) last_mention: u64,
    #[serde(with = "saved")]
    pub(crate) origin: ItemOrigin,
}

impl Item {
    /// A rule that speaks from one turn to another.
    pub(crate) fn rule(
        name: &str,
        content: Text,
        path: Option<String>,
        first_turn: u64,
        last_turn: u64,
    ) -> Self {
        Self {
            source: Source::rule(name),
            outcome: Some(Outcome::content(content)),
            last_mention: 0,
            origin: ItemOrigin {
                source: OriginSource::Rule,
                name: Some(name.to_owned()),
                path,
                first_turn,
                last_turn,
            },
        }
    }

    pub(crate) fn is_rule(&self) -> bool {
        self.source.kind == SourceKind::Rule
    }
}

/// The items of a conversation in order of first appearance, each once.
#[derive(Debug, Default)]
pub(crate) struct ItemList {
    items: Vec<Item>,
    /// The place of each item.
    places: SortedMap<Identity, usize>,
}

impl ItemList {
    /// Those items; of several with one identity, the first.
    pub(crate) fn new(items: Vec<Item>) -> Self {
        let mut list = Self::default();
        for item in items {
            if list.place_of(&item.source.identity) == list.items.len() {
                list.items.push(item);
            }
        }
        list
    }

    /// The place of the item with an identity; the next one if it is new.
    fn place_of(&mut self, identity: &Identity) -> usize {
        let next = self.items.len();
        *self.places.get_or_insert_with(identity.clone(), || next)
    }

    /// Adds an item, or puts it in the place of the one with its identity.
    pub(crate) fn set(&mut self, item: Item) {
        let place = self.place_of(&item.source.identity);
        if place == self.items.len() {
            self.items.push(item);
        } else {
            self.items[place] = item;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn into_items(self) -> Vec<Item> {
        self.items
    }

    /// Takes what a text mentions, and answers with the item.
    pub(crate) fn refer(&mut self, source: Source, mention: Mention) -> &mut Item {
        let place = self.place_of(&source.identity);
        if place == self.items.len() {
            self.items.push(Item {
                source,
                outcome: None,
                last_mention: mention.order,
                origin: ItemOrigin::of(mention),
            });
        }
        let item = &mut self.items[place];
        item.last_mention = mention.order;
        item.origin.last_turn = mention.turn;
        item
    }

    /// The items without the lines of files that are there as a whole, which inherit when the lines
    /// were mentioned.
    pub(crate) fn without_lines_of_whole_files(self) -> Vec<Item> {
        let Self { mut items, places } = self;
        let mut is_needless = vec![false; items.len()];
        for place in 0..items.len() {
            let whole = items[place].source.identity.whole();
            if let Some(&whole) = whole.and_then(|whole| places.get(&whole)) {
                is_needless[place] = true;
                let (last_mention, origin) =
                    (items[place].last_mention, items[place].origin.clone());
                let whole = &mut items[whole];
                whole.last_mention = whole.last_mention.max(last_mention);
                whole.origin.merge(origin);
            }
        }
        let mut needless = is_needless.into_iter();
        items.retain(|_| !needless.next().unwrap_or_default());
        items
    }
}

/// The items, each with its outcome, limits applied.
pub(crate) fn within_limits<'a>(
    items: impl Iterator<Item = &'a Item>,
    max_total_bytes: u64,
) -> impl Iterator<Item = (&'a Item, Outcome)> {
    let mut total_bytes: u64 = 0;
    items.map(move |item| {
        let Some(outcome) = &item.outcome else {
            return (item, Outcome::failed("not read yet"));
        };
        if let Outcome::Content { text, .. } = outcome {
            let bytes = text.utf8_len();
            if !item.is_rule() && total_bytes + bytes > max_total_bytes {
                let error =
                    format!("all items together exceed the limit of {max_total_bytes} bytes");
                return (item, Outcome::failed(error));
            }
            total_bytes += bytes;
        }
        (item, outcome.clone())
    })
}
