//! The entries of ours in the files of agents, told by what stands there and by no record.

use std::path::Path;

use serde_json::Value;

use super::Unchangeable;
use super::json_text::{JsonText, Step, keys};
use crate::watch::setup::{is_hook_line, is_plugin};

/// Lists of plugins, by the names that agents give them.
const LISTS: &[&str] = &["plugin", "plugins", "extensions"];

/// The command lines and the plugins of ours in a file.
pub fn ours_in(file: &Path, content: &str) -> Result<Vec<String>, Unchangeable> {
    if !may_have_ours(content) {
        return Ok(Vec::new());
    }
    if is_own_file(file, content) {
        return Ok(lines_of(content));
    }
    let text = JsonText::read(content)?;
    let mut found = Vec::new();
    if let Some(hooks) = text.get(&keys(&["hooks"])) {
        found.extend(lines_within(&hooks));
    }
    for list in LISTS {
        found.extend(items_of(&text, &keys(&[list])).iter().filter_map(plugin_of));
    }
    Ok(found)
}

/// A file without what is ours; nothing if the whole of it is.
pub fn without_ours(file: &Path, content: &str) -> Result<Option<String>, Unchangeable> {
    if !may_have_ours(content) {
        return Ok(Some(content.to_owned()));
    }
    if is_script(content) {
        return Ok(script_without_ours(content));
    }
    if is_own_file(file, content) {
        return Ok(None);
    }
    let mut text = JsonText::read(content)?;
    let events = match text.get(&keys(&["hooks"])) {
        Some(Value::Object(hooks)) => hooks.into_iter().map(|(event, _)| event).collect(),
        _ => Vec::new(),
    };
    let hooks = events.iter().map(|event| keys(&["hooks", event]));
    let mut is_changed = false;
    for list in hooks.chain(LISTS.iter().map(|it| keys(&[it]))) {
        let items = items_of(&text, &list);
        let mut is_less = false;
        for (at, item) in items.iter().enumerate().rev() {
            is_less |= take_out(&mut text, &list, at, item);
        }
        if is_less {
            text.remove_empty(&list);
        }
        is_changed |= is_less;
    }
    if !is_changed {
        return Ok(Some(content.to_owned()));
    }
    text.remove_empty(&keys(&["hooks"]));
    Ok(Some(text.to_string()))
}

/// Whether nothing is in a file that somebody would miss.
pub fn is_bare(content: &str) -> bool {
    let text = content.trim_start_matches('\u{feff}').trim();
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object.iter().all(|(key, value)| {
            matches!(key.as_str(), "version" | "$version") && value.is_number()
        }),
        _ => text.is_empty(),
    }
}

/// Others' files, which may be no JSON at all, are looked at no further.
fn may_have_ours(content: &str) -> bool {
    is_hook_line(content) || is_own(content) || {
        let quoted = content.split('"').map(|it| it.replace(r"\\", r"\"));
        quoted.into_iter().any(|it| is_plugin(&it))
    }
}

/// Files that have our name, and scripts that an agent looks for by an event's.
fn is_own_file(file: &Path, content: &str) -> bool {
    let is_json = file.extension().is_some_and(|it| it == "json");
    let is_named = file.file_stem().is_some_and(|it| it == "turnkeeper");
    let in_plugin = file
        .ancestors()
        .any(|it| it.ends_with("plugins/turnkeeper"));
    is_script(content) || is_own(content) || is_json && (is_named || in_plugin)
}

fn is_script(content: &str) -> bool {
    content.starts_with("#!")
}

/// A script without our lines; nothing if no other does anything in it.
fn script_without_ours(content: &str) -> Option<String> {
    let lines = content.split_inclusive('\n');
    let left: String = lines.filter(|line| !is_hook_line(line)).collect();
    let is_left = left
        .lines()
        .any(|line| !line.trim().is_empty() && !line.starts_with("#!"));
    is_left.then_some(left)
}

/// A module or a manifest of ours.
fn is_own(content: &str) -> bool {
    content.starts_with("// Turnkeeper")
        || content
            .strip_prefix('{')
            .is_some_and(|it| it.trim_start().starts_with(r#""name": "turnkeeper""#))
}

fn lines_of(content: &str) -> Vec<String> {
    if is_script(content) {
        return content
            .lines()
            .filter(|it| is_hook_line(it))
            .map(str::to_owned)
            .collect();
    }
    serde_json::from_str(content)
        .map(|value: Value| lines_within(&value))
        .unwrap_or_default()
}

/// Every string below a value that starts our program.
fn lines_within(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if is_hook_line(text) => vec![text.clone()],
        Value::Array(list) => list.iter().flat_map(lines_within).collect(),
        Value::Object(object) => object.values().flat_map(lines_within).collect(),
        _ => Vec::new(),
    }
}

/// The list at a path; none where there is something else, which is somebody else's.
fn items_of(text: &JsonText, path: &[Step<'_>]) -> Vec<Value> {
    match text.get(path) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// A group may have got hooks of others, which stay.
fn take_out(text: &mut JsonText, list: &[Step<'_>], at: usize, item: &Value) -> bool {
    if plugin_of(item).is_none() && lines_within(item).is_empty() {
        return false;
    }
    let mut path = list.to_vec();
    path.push(Step::At(at));
    let hooks = item.get("hooks").and_then(Value::as_array);
    let is_mine = |it: &Value| !lines_within(it).is_empty();
    match hooks {
        Some(hooks) if !hooks.iter().all(is_mine) => {
            path.push(Step::Key("hooks"));
            for at in (0..hooks.len()).rev().filter(|at| is_mine(&hooks[*at])) {
                path.push(Step::At(at));
                text.remove(&path);
                path.pop();
            }
        }
        _ => text.remove(&path),
    }
    true
}

/// The file of our plugin in an item, which may have options beside it.
fn plugin_of(item: &Value) -> Option<String> {
    let name = match item {
        Value::Array(list) => list.first()?,
        Value::Object(fields) => fields.get("package")?,
        _ => item,
    };
    name.as_str().filter(|it| is_plugin(it)).map(str::to_owned)
}
