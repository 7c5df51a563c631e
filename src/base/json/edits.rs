//! Changes of a JSON value that leave everything else of it as it is, and as it is written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::places::{Key, elements_at, places_of_units, value_at};
use super::value::Json;
use super::written;
use crate::text::lossy;

/// The change of a value within another.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The keys that lead to it.
    pub keys: Vec<Key>,
    /// The change.
    pub change: Change,
}

/// The change of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A string becomes these pieces, one after the other.
    Text(Vec<Piece>),
    /// An array becomes a list of these. Other edits may change those of its elements that stay, by the indexes that they
    /// had.
    List(Vec<Element>),
    /// It becomes another value.
    Value(Json<'static>),
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// It was in the text, in UTF-16 units.
    Kept(Range<usize>),
    /// It is new.
    New(String),
}

/// An element of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// It had this index.
    Was(usize),
    /// It is new.
    New(Json<'static>),
}

/// The text of a value after the edits; it is known to be JSON. What they do not speak of keeps its bytes.
pub fn edited(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let Some(range) = value_at(text, &[]) else {
        return text.to_vec();
    };
    let mut out = text[..range.start].to_vec();
    write(&text[range.clone()], &Node::of(edits), &mut out);
    out.extend_from_slice(&text[range.end..]);
    out
}

/// A value after the edits.
pub fn applied<'a>(value: &Json<'a>, edits: &[Edit]) -> Json<'a> {
    with(value, &Node::of(edits))
}

/// The text that the pieces make.
pub fn text_of(text: &str, pieces: &[Piece]) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut made = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Kept(range) => made.extend(units.get(range.clone()).unwrap_or_default()),
            Piece::New(text) => made.extend(text.encode_utf16()),
        }
    }
    lossy(&made)
}

/// The pieces of a text that holds JSON, of whose strings one becomes those pieces; `string` are its bytes, with its
/// quotes.
pub fn within(text: &str, string: Range<usize>, pieces: &[Piece]) -> Vec<Piece> {
    let units = |end: usize| text.get(..end).unwrap_or_default().encode_utf16().count();
    let json = text[string.clone()].as_bytes();
    let place = |unit: usize| string.start + places_of_units(json, std::iter::once(unit))[0];
    let mut made = vec![Piece::Kept(0..units(string.start + 1))];
    made.extend(pieces.iter().map(|piece| match piece {
        Piece::Kept(range) => Piece::Kept(units(place(range.start))..units(place(range.end))),
        Piece::New(text) => Piece::New(inside(text)),
    }));
    made.push(Piece::Kept(units(string.end - 1)..units(text.len())));
    made
}

/// A text as it is written between the quotes of a JSON string.
fn inside(text: &str) -> String {
    let json = written(text);
    json[1..json.len() - 1].to_owned()
}

/// The changes of a value and of those within it.
#[derive(Default)]
struct Node<'e> {
    own: Option<&'e Change>,
    inner: BTreeMap<Key, Node<'e>>,
}

impl<'e> Node<'e> {
    fn of(edits: &'e [Edit]) -> Self {
        let mut root = Self::default();
        for edit in edits {
            let mut node = &mut root;
            for key in &edit.keys {
                node = node.inner.entry(*key).or_default();
            }
            node.own = Some(&edit.change);
        }
        root
    }
}

fn write(json: &[u8], node: &Node, out: &mut Vec<u8>) {
    match node.own {
        Some(Change::Value(value)) => out.extend(written(value).into_bytes()),
        Some(Change::Text(pieces)) if json.first() == Some(&b'"') => write_text(json, pieces, out),
        Some(Change::Text(_)) => out.extend_from_slice(json),
        Some(Change::List(elements)) => write_list(json, elements, node, out),
        None => {
            let mut at = 0;
            for (range, node) in places_of(json, node) {
                out.extend_from_slice(&json[at..range.start]);
                at = range.end;
                write(&json[range], node, out);
            }
            out.extend_from_slice(&json[at..]);
        }
    }
}

/// The inner values that change, in the order in which they are written.
fn places_of<'n, 'e>(json: &[u8], node: &'n Node<'e>) -> Vec<(Range<usize>, &'n Node<'e>)> {
    let elements = match node.inner.keys().next_back() {
        Some(Key::Index(_)) => elements_at(json, 0),
        _ => Vec::new(),
    };
    let place = |key: &Key| match key {
        Key::Index(at) => elements.get(*at).cloned(),
        Key::Name(_) => value_at(json, &[*key]),
    };
    let places = node.inner.iter();
    let places = places.filter_map(|(key, node)| Some((place(key)?, node)));
    let mut places: Vec<_> = places.collect();
    places.sort_by_key(|(range, _)| range.start);
    places
}

fn write_text(json: &[u8], pieces: &[Piece], out: &mut Vec<u8>) {
    out.push(b'"');
    for piece in pieces {
        match piece {
            Piece::Kept(range) => {
                let ends = [range.start, range.end].into_iter();
                let places = places_of_units(json, ends);
                out.extend_from_slice(&json[places[0]..places[1]]);
            }
            Piece::New(text) => out.extend(inside(text).into_bytes()),
        }
    }
    out.push(b'"');
}

/// An element that stays has before it what it had; a new one, or one that was the first, what is between the first two.
fn write_list(json: &[u8], elements: &[Element], node: &Node, out: &mut Vec<u8>) {
    let had = elements_at(json, 0);
    let between = match &had[..] {
        [first, second, ..] => &json[first.end..second.start],
        _ => b", ",
    };
    let open = had.first().map_or(&b"["[..], |first| &json[..first.start]);
    let close = had.last().map_or(&b"]"[..], |last| &json[last.end..]);
    out.extend_from_slice(open);
    for (at, element) in elements.iter().enumerate() {
        let was = match element {
            Element::Was(was) => had.get(*was).map(|range| (*was, range)),
            Element::New(_) => None,
        };
        if at > 0 {
            let own = was.filter(|(was, _)| *was > 0);
            let own = own.map(|(was, range)| &json[had[was - 1].end..range.start]);
            out.extend_from_slice(own.unwrap_or(between));
        }
        match (element, was) {
            (Element::New(value), _) => out.extend(written(value).into_bytes()),
            (_, Some((was, range))) => match node.inner.get(&Key::Index(was)) {
                Some(node) => write(&json[range.clone()], node, out),
                None => out.extend_from_slice(&json[range.clone()]),
            },
            _ => {}
        }
    }
    out.extend_from_slice(close);
}

fn with<'a>(value: &Json<'a>, node: &Node) -> Json<'a> {
    let element = |at: usize, value: &Json<'a>| match node.inner.get(&Key::Index(at)) {
        Some(node) => with(value, node),
        None => value.clone(),
    };
    match (node.own, value) {
        (Some(Change::Value(value)), _) => value.clone(),
        (Some(Change::Text(pieces)), Json::Text(text)) => text_of(text, pieces).into(),
        (Some(Change::List(elements)), Json::List(had)) => {
            let made = elements.iter().filter_map(|one| match one {
                Element::Was(was) => Some(element(*was, had.get(*was)?)),
                Element::New(value) => Some(value.clone()),
            });
            Json::List(made.collect())
        }
        (None, Json::List(had)) => {
            let made = had.iter().enumerate();
            Json::List(made.map(|(at, value)| element(at, value)).collect())
        }
        (None, Json::Object(fields)) => {
            let mut fields: Vec<(Cow<'a, str>, Json<'a>)> = fields.clone();
            for (key, node) in &node.inner {
                let Key::Name(name) = key else { continue };
                if let Some((_, field)) = fields.iter_mut().rfind(|(field, _)| field == name) {
                    *field = with(field, node);
                }
            }
            Json::Object(fields)
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::parse;
    use super::*;

    fn edit<const N: usize>(keys: [Key; N], change: Change) -> Edit {
        let keys = keys.to_vec();
        Edit { keys, change }
    }

    /// The text after the edits, which is the value after the edits, too.
    fn both(text: &str, edits: &[Edit]) -> String {
        let made = String::from_utf8(edited(text.as_bytes(), edits)).expect("UTF-8");
        let (mut room, mut other) = (Vec::new(), Vec::new());
        let value = parse(text.as_bytes(), &mut room).expect("JSON");
        let read = parse(made.as_bytes(), &mut other).expect("JSON");
        assert_eq!(applied(&value, edits), read);
        made
    }

    #[test]
    fn everything_else_keeps_its_bytes() {
        let text = r#"{ "n":1.0, "a":[ "\u00e9x\n" , {"b":1e2},3 ],"c":"\ud83d!","c":"😀yz"}"#;
        let kept = |range| Piece::Kept(range);
        let edits = [
            edit(
                ["a".into(), 0.into()],
                Change::Text(vec![kept(0..1), kept(2..3)]),
            ),
            edit(
                ["a".into()],
                Change::List(vec![
                    Element::Was(2),
                    Element::New("new".into()),
                    Element::Was(0),
                ]),
            ),
            edit(
                ["c".into()],
                Change::Text(vec![kept(0..2), Piece::New("\"".to_owned()), kept(3..4)]),
            ),
            edit(["n".into()], Change::Value(Json::Null)),
        ];
        assert_eq!(
            both(text, &edits),
            r#"{ "n":null, "a":[ 3 , "new" , "\u00e9\n" ],"c":"\ud83d!","c":"😀\"z"}"#
        );
        assert_eq!(both(text, &[]), text);
    }

    #[test]
    fn json_within_a_text_changes_in_its_string_alone() {
        let args = r#"{"path": "a", "content":"é\n\"x\"", "n":1.0}"#;
        let string = value_at(args.as_bytes(), &["content".into()]).expect("it is there");
        let pieces = [Piece::New("\"1\"".to_owned()), Piece::Kept(3..4)];
        let made = text_of(args, &within(args, string, &pieces));
        assert_eq!(made, r#"{"path": "a", "content":"\"1\"x", "n":1.0}"#);
    }

    proptest! {
        #[test]
        fn a_text_that_is_cut_reads_as_one_that_is_cut_before(
            text in r#"[a-c"\\\n é😀]{0,12}"#,
            escapes in any::<bool>(),
            at in 0_usize..12,
        ) {
            let json = written(&text);
            let json = if escapes {
                json.replace('é', "\\u00e9").replace('😀', "\\ud83d\\ude00")
            } else {
                json
            };
            let units: Vec<u16> = text.encode_utf16().collect();
            let is_half = |at: usize| matches!(units.get(at), Some(0xdc00..=0xdfff));
            let at = at.min(units.len());
            let at = at + usize::from(is_half(at));
            let pieces = vec![Piece::Kept(at..units.len()), Piece::New("é\"".to_owned()), Piece::Kept(0..at)];
            let made = edited(json.as_bytes(), &[edit([], Change::Text(pieces.clone()))]);
            let made: String = serde_json::from_slice(&made).expect("JSON");
            prop_assert_eq!(made, text_of(&text, &pieces));
        }
    }
}
