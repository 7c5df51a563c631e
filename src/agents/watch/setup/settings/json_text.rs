//! JSON with comments, changed in place: comments, order, indentation and line ends stay.

use jsonc_parser::ast;
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Value, json};

use super::Unchangeable;
use super::layout::{Layout, with_item, without_item};

/// The keys below which something of ours is written.
const WRITTEN: &[&str] = &["hooks", "plugin", "plugins", "extensions", "version"];

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A step on the way to a value.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The property of a name.
    Key(&'a str),
    /// The item at a place.
    At(usize),
}

/// The way to a value, along keys.
pub fn keys<'a>(keys: &[&'a str]) -> Vec<Step<'a>> {
    keys.iter().copied().map(Step::Key).collect()
}

/// The text of a settings file, whose value is an object.
pub struct JsonText {
    start: &'static str,
    text: String,
}

impl JsonText {
    /// Refuses text that is no JSON object, comments and final commas aside.
    pub fn read(content: &str) -> Result<Self, Unchangeable> {
        let (start, text) = match content.strip_prefix(BYTE_ORDER_MARK) {
            Some(text) => (BYTE_ORDER_MARK, text),
            None => ("", content),
        };
        let tree = parsed(text).map_err(|error| Unchangeable(why_not(&error)))?;
        let text = match tree {
            Some(ast::Value::Object(object)) => {
                if let Some(key) = doubled(&object) {
                    return Err(Unchangeable(format!("has \"{key}\" twice")));
                }
                text.to_owned()
            }
            Some(_) => return Err(Unchangeable("is no JSON object".into())),
            // Comments alone, or nothing.
            None => {
                let is_open = !text.is_empty() && !text.ends_with('\n');
                format!("{text}{}{{}}\n", if is_open { "\n" } else { "" })
            }
        };
        Ok(JsonText { start, text })
    }

    /// The value at a path, if there is one.
    pub fn get(&self, path: &[Step<'_>]) -> Option<Value> {
        let tree = self.tree();
        Some(ValueInTree::of(&tree, path)?.value.clone().into())
    }

    /// The list at a path, empty if there is none.
    pub fn list(&self, path: &[&str]) -> Result<Vec<Value>, Unchangeable> {
        match self.get(&keys(path)) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(no("list", path)),
        }
    }

    /// Puts a value at a path of keys, at the end of its object if it is not there.
    ///
    /// # Errors
    /// If something else than an object is on the way.
    pub fn set(&mut self, path: &[&str], value: &Value) -> Result<(), Unchangeable> {
        let Some((key, above)) = path.split_last() else {
            return Ok(());
        };
        let tree = self.tree();
        let text = if let Some(place) = ValueInTree::of(&tree, &keys(path)) {
            let Range { start, end } = place.value.range();
            let value = Layout::at(&self.text, start).pretty(value);
            format!("{}{value}{}", &self.text[..start], &self.text[end..])
        } else if let Some(object) = ValueInTree::of(&tree, &keys(above)) {
            if !matches!(object.value, ast::Value::Object(_)) {
                return Err(no("object", above));
            }
            let items = items_of(object.value);
            with_item(&self.text, object.value.range(), &items, Some(key), value)
        } else {
            return self.set(above, &json!({ *key: value }));
        };
        self.text = text;
        Ok(())
    }

    /// Puts a value at the end of the list at a path of keys, which is made if there is none.
    ///
    /// # Errors
    /// If something else than a list is there, or than an object on the way.
    pub fn append(&mut self, path: &[&str], value: &Value) -> Result<(), Unchangeable> {
        let tree = self.tree();
        let Some(list) = ValueInTree::of(&tree, &keys(path)) else {
            return self.set(path, &json!([value]));
        };
        if !matches!(list.value, ast::Value::Array(_)) {
            return Err(no("list", path));
        }
        let items = items_of(list.value);
        let text = with_item(&self.text, list.value.range(), &items, None, value);
        self.text = text;
        Ok(())
    }

    /// Takes a property or an item out, with its comma and its lines. Comments beside it stay.
    pub fn remove(&mut self, path: &[Step<'_>]) {
        let tree = self.tree();
        let Some(place) = ValueInTree::of(&tree, path) else {
            return;
        };
        let text = without_item(&self.text, place.range, place.before);
        self.text = text;
    }

    /// The same for a property that is an empty list or object. One with a comment in it stays.
    pub fn remove_empty(&mut self, path: &[Step<'_>]) {
        let tree = self.tree();
        let Some(place) = ValueInTree::of(&tree, path) else {
            return;
        };
        let Range { start, end } = place.value.range();
        let is_list = matches!(place.value, ast::Value::Array(_) | ast::Value::Object(_));
        let is_empty = is_list && self.text[start + 1..end - 1].trim().is_empty();
        let head = self.text[place.range.start..start].trim_end();
        let key = head.strip_suffix(':').map(str::trim_end);
        // A comment may stand beside the colon.
        if is_empty && key.is_some_and(|key| serde_json::from_str::<String>(key).is_ok()) {
            self.remove(path);
        }
    }

    /// The tree of a text that was parsed before, or that an edit made of such a one.
    fn tree(&self) -> ast::Value<'_> {
        let tree = parsed(&self.text).expect("an edit leaves valid JSON valid");
        tree.expect("a text of comments alone has got an object")
    }
}

impl std::fmt::Display for JsonText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}{}", self.start, self.text)
    }
}

fn no(what: &str, path: &[&str]) -> Unchangeable {
    Unchangeable(format!("has no {what} as \"{}\"", path.join(".")))
}

/// A value in its tree, with what the edits need to know.
struct ValueInTree<'a, 'b> {
    value: &'b ast::Value<'a>,
    /// The whole property, or the item.
    range: Range,
    /// The property or the item before it in its object or list.
    before: Option<Range>,
}

impl<'a, 'b> ValueInTree<'a, 'b> {
    fn of(tree: &'b ast::Value<'a>, path: &[Step<'_>]) -> Option<Self> {
        let mut place = ValueInTree {
            value: tree,
            range: tree.range(),
            before: None,
        };
        for step in path {
            let items = items_of(place.value);
            let (at, value) = match (step, place.value) {
                (Step::Key(key), ast::Value::Object(object)) => {
                    let at = object
                        .properties
                        .iter()
                        .rposition(|it| it.name.as_str() == *key)?;
                    (at, &object.properties[at].value)
                }
                (Step::At(at), ast::Value::Array(array)) => (*at, array.elements.get(*at)?),
                _ => return None,
            };
            let before = at.checked_sub(1).map(|it| items[it]);
            place = ValueInTree {
                value,
                range: items[at],
                before,
            };
        }
        Some(place)
    }
}

/// The ranges of an object's properties, or of a list's items.
fn items_of(value: &ast::Value<'_>) -> Vec<Range> {
    match value {
        ast::Value::Object(object) => object
            .properties
            .iter()
            .map(|it| Range::new(it.range.start, it.value.range().end))
            .collect(),
        ast::Value::Array(array) => array.elements.iter().map(Ranged::range).collect(),
        _ => Vec::new(),
    }
}

/// Agents read the last of two equal keys, and an editor the first: neither is sure to be the right one.
fn doubled(object: &ast::Object<'_>) -> Option<String> {
    let twice = |object: &ast::Object<'_>, counts: &dyn Fn(&str) -> bool| {
        let names: Vec<&str> = object
            .properties
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        let found = names
            .iter()
            .enumerate()
            .find(|(at, it)| counts(it) && names[..*at].contains(it));
        found.map(|(_, name)| (*name).to_owned())
    };
    twice(object, &|name| WRITTEN.contains(&name)).or_else(|| {
        object
            .get_object("hooks")
            .and_then(|hooks| twice(hooks, &|_| true))
    })
}

fn parsed(text: &str) -> Result<Option<ast::Value<'_>>, ParseError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    Ok(parse_to_ast(text, &CollectOptions::default(), &options)?.value)
}

fn why_not(error: &ParseError) -> String {
    match error.kind() {
        ParseErrorKind::NestingDepthExceeded => "is nested too deeply".into(),
        kind => format!("is no valid JSON (line {}: {kind})", error.line_display()),
    }
}
