use std::path::{Path, PathBuf};

use serde_json::Value;

/// Files as a switch sees them; what cannot be read is not there.
pub trait Files {
    /// The text of a file.
    fn text(&self, file: &Path) -> Option<String>;
    /// The value at a path of keys in a settings file.
    fn value(&self, file: &Path, keys: &[&str]) -> Option<Value>;
    /// Whether something of ours stands in a file.
    fn has_ours(&self, file: &Path) -> bool;
}

/// A setting of an agent that may keep hooks from running: it says why they do not run.
pub type Switch = Box<dyn Fn(&dyn Files) -> Option<String>>;

/// Hooks do not run while this is true.
pub fn is_true(file: PathBuf, keys: &'static [&'static str]) -> Switch {
    is(file, keys, true)
}

/// Hooks do not run while this is false.
pub fn is_false(file: PathBuf, keys: &'static [&'static str]) -> Switch {
    is(file, keys, false)
}

fn is(file: PathBuf, keys: &'static [&'static str], value: bool) -> Switch {
    Box::new(move |files| {
        let is_so = files.value(&file, keys)? == Value::Bool(value);
        is_so.then(|| format!("\"{}\" is {value} in {}", keys.join("."), file.display()))
    })
}

/// Hooks of a name that this list has do not run.
pub fn is_listed(file: PathBuf, keys: &'static [&'static str], name: &'static str) -> Switch {
    Box::new(move |files| {
        let list = files.value(&file, keys)?;
        let is_there = list.as_array()?.iter().any(|it| it == name);
        is_there.then(|| {
            format!(
                "\"{}\" has \"{name}\" in {}",
                keys.join("."),
                file.display()
            )
        })
    })
}
