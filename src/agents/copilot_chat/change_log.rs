//! The log that VS Code writes of an object (`objectMutationLog.ts`): a line a change, with `kind` 0 for the whole
//! object (`v`), 1 to set and 3 to delete what is at the path `k`, and 2 to put `v` at the end of the list at `k`, of which
//! only the first `i` elements stay if there is an `i`.

use turnkeeper_base::json::{Json, written};

use crate::sessions::given::{at, list_at, number_at};
use crate::sessions::record::Unreadable;

/// Whether it is a line of such a log.
pub(crate) fn is_change(value: &Json) -> bool {
    let has_path = matches!(value.get("k"), Some(Json::List(_)));
    is_initial_change(value) || (number_at(value, &["kind"]).is_some() && has_path)
}

/// Whether it is the line with the whole object.
pub(crate) fn is_initial_change(value: &Json) -> bool {
    let whole = value.get("v");
    number_at(value, &["kind"]) == Some(0.0)
        && matches!(whole, Some(Json::Object(_) | Json::List(_)))
}

/// An object, as the changes so far have made it.
#[derive(Debug, Default)]
pub(crate) struct ChangeLog {
    state: Json<'static>,
}

impl ChangeLog {
    /// The object.
    pub(crate) fn state(&self) -> &Json<'static> {
        &self.state
    }

    /// Makes a change. It costs as much as what is changed is long, however long the rest is.
    ///
    /// # Errors
    /// For a change of what is not there.
    pub(crate) fn apply(&mut self, change: &Json) -> Result<(), Unreadable> {
        let kind = number_at(change, &["kind"]).unwrap_or(f64::NAN);
        let value = || at(change, &["v"]).cloned().map(Json::into_owned);
        if kind == 0.0 {
            self.state = value().unwrap_or_default();
            return Ok(());
        }
        let path = list_at(change, &["k"]);
        let is_key = |key: &Json| matches!(key, Json::Text(_) | Json::Number(_));
        if !path.iter().all(is_key) {
            let reason = "has a path of more than names and indexes";
            return Err(Unreadable::new(reason));
        }
        let missing = || missing(path);
        let (key, holders) = path.split_last().ok_or_else(missing)?;
        let mut holders = holders.iter();
        let holder = holders
            .try_fold(&mut self.state, place)
            .ok_or_else(missing)?;
        match kind {
            1.0 => set(holder, key, value().unwrap_or_default()).ok_or_else(missing),
            2.0 => {
                let more = list_at(change, &["v"]).iter().cloned();
                let more = more.map(Json::into_owned).collect();
                push(holder, key, number_at(change, &["i"]), more).ok_or_else(missing)
            }
            3.0 => delete(holder, key).ok_or_else(missing),
            _ => {
                let kind = change.get("kind").map_or("undefined".into(), written);
                let reason = format!("is a change of a kind that is not known: {kind}");
                Err(Unreadable::new(reason))
            }
        }
    }
}

fn index_of(key: &Json) -> Option<usize> {
    match key {
        Json::Number(index) if index.fract() == 0.0 && *index >= 0.0 => Some(*index as usize),
        _ => None,
    }
}

/// The place of a key in an object or a list.
fn place<'s>(holder: &'s mut Json<'static>, key: &Json) -> Option<&'s mut Json<'static>> {
    match holder {
        Json::List(items) => items.get_mut(index_of(key)?),
        Json::Object(fields) => {
            let key = key.as_text()?;
            let mut fields = fields.iter_mut().rev();
            fields.find(|(name, _)| name == key).map(|(_, value)| value)
        }
        _ => None,
    }
}

/// A list takes an index up to its end, an object every name.
fn set(holder: &mut Json<'static>, key: &Json, value: Json<'static>) -> Option<()> {
    if let Some(there) = place(holder, key) {
        *there = value;
        return Some(());
    }
    match holder {
        Json::List(items) if index_of(key)? == items.len() => items.push(value),
        Json::Object(fields) => fields.push((key.as_text()?.to_owned().into(), value)),
        _ => return None,
    }
    Some(())
}

fn delete(holder: &mut Json<'static>, key: &Json) -> Option<()> {
    match holder {
        // The others keep their indexes.
        Json::List(items) if index_of(key)? < items.len() => items[index_of(key)?] = Json::Null,
        Json::List(items) if index_of(key)? == items.len() => {}
        Json::Object(fields) => {
            let key = key.as_text()?;
            fields.retain(|(name, _)| name != key);
        }
        _ => return None,
    }
    Some(())
}

fn push(
    holder: &mut Json<'static>,
    key: &Json,
    from: Option<f64>,
    more: Vec<Json<'static>>,
) -> Option<()> {
    let Some(list) = place(holder, key) else {
        let is_all = from.is_none_or(|from| from == 0.0);
        return is_all.then(|| set(holder, key, Json::List(more)))?;
    };
    let Json::List(items) = list else {
        return None;
    };
    if let Some(from) = from {
        let from = index_of(&Json::Number(from)).filter(|from| *from <= items.len())?;
        items.truncate(from);
    }
    items.extend(more);
    Some(())
}

fn missing(path: &[Json]) -> Unreadable {
    let keys = path.iter().map(|key| match key {
        Json::Text(text) => text.clone().into_owned(),
        other => written(other),
    });
    let path = written(&keys.collect::<Vec<_>>().join("."));
    Unreadable::new(format!("changes {path}, which is not there"))
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    fn after(lines: &[&str]) -> Result<String, Unreadable> {
        let mut log = ChangeLog::default();
        for line in lines {
            let mut room = Vec::new();
            log.apply(&parse(line.as_bytes(), &mut room).expect("JSON"))?;
        }
        Ok(written(log.state()))
    }

    const BEGINNING: &str = r#"{"kind":0,"v":{"a":{"b":1},"list":[1,2,3]}}"#;

    #[test]
    fn changes_make_the_object_that_the_host_has() {
        for (change, expected) in [
            (
                r#"{"kind":1,"k":["a","b"],"v":2}"#,
                r#"{"a":{"b":2},"list":[1,2,3]}"#,
            ),
            (
                r#"{"kind":1,"k":["c"],"v":null}"#,
                r#"{"a":{"b":1},"list":[1,2,3],"c":null}"#,
            ),
            (
                r#"{"kind":1,"k":["list",3],"v":4}"#,
                r#"{"a":{"b":1},"list":[1,2,3,4]}"#,
            ),
            (
                r#"{"kind":2,"k":["list"],"v":[4,5]}"#,
                r#"{"a":{"b":1},"list":[1,2,3,4,5]}"#,
            ),
            (
                r#"{"kind":2,"k":["list"],"v":[4],"i":1}"#,
                r#"{"a":{"b":1},"list":[1,4]}"#,
            ),
            (
                r#"{"kind":2,"k":["list"],"i":0}"#,
                r#"{"a":{"b":1},"list":[]}"#,
            ),
            (
                r#"{"kind":2,"k":["new"],"v":[1]}"#,
                r#"{"a":{"b":1},"list":[1,2,3],"new":[1]}"#,
            ),
            (r#"{"kind":3,"k":["a","b"]}"#, r#"{"a":{},"list":[1,2,3]}"#),
            (
                r#"{"kind":3,"k":["list",0]}"#,
                r#"{"a":{"b":1},"list":[null,2,3]}"#,
            ),
            (r#"{"kind":0,"v":[1]}"#, "[1]"),
        ] {
            assert_eq!(after(&[BEGINNING, change]), Ok(expected.into()), "{change}");
        }
    }

    #[test]
    fn a_change_of_what_is_not_there_is_said() {
        for (change, reason) in [
            (
                r#"{"kind":1,"k":["x","y"],"v":1}"#,
                r#"changes "x.y", which is not there"#,
            ),
            (
                r#"{"kind":1,"k":[],"v":1}"#,
                r#"changes "", which is not there"#,
            ),
            (
                r#"{"kind":1,"k":["list",5],"v":1}"#,
                r#"changes "list.5", which is not there"#,
            ),
            (
                r#"{"kind":1,"k":["list","0"],"v":1}"#,
                r#"changes "list.0", which is not there"#,
            ),
            (
                r#"{"kind":2,"k":["a"],"v":[1]}"#,
                r#"changes "a", which is not there"#,
            ),
            (
                r#"{"kind":2,"k":["list"],"v":[1],"i":4}"#,
                r#"changes "list", which is not there"#,
            ),
            (
                r#"{"kind":1,"k":[null],"v":1}"#,
                "has a path of more than names and indexes",
            ),
            (
                r#"{"kind":9,"k":["a"]}"#,
                "is a change of a kind that is not known: 9",
            ),
        ] {
            assert_eq!(
                after(&[BEGINNING, change]),
                Err(Unreadable::new(reason)),
                "{change}"
            );
        }
    }
}
