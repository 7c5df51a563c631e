use std::path::Path;

use serde_json::{Value, json};
use turnkeeper_watch::setup::{Change, Wanted};

use super::json_text::{JsonText, keys};
use crate::problem::{Problem, Result};

/// A file with our part in it.
///
/// `content` is the file without our part, if there is such a file, and `hook` the name under which the agent's hook
/// runs. `plugin` is the name of its plugin in a list.
///
/// # Errors
/// For a file that is no such settings, or that is somebody else's.
pub fn added(
    change: &Change,
    file: &Path,
    content: Option<&str>,
    hook: &str,
    wanted: &Wanted<'_>,
    plugin: &str,
) -> Result<String> {
    match change {
        Change::Hooks { hooks, .. } => {
            let mut text = JsonText::read(file, content.unwrap_or_default())?;
            text.expect_object(&["hooks"])?;
            if let Some(version) = hooks.version
                && text.get(&keys(&["version"])).is_none()
            {
                text.set(&keys(&["version"]), &json!(version));
            }
            let line = wanted.line(hook);
            for event in hooks.wanted(wanted) {
                text.list(&["hooks", event])?;
                text.append(&keys(&["hooks", event]), &hooks.entry(event, &line));
            }
            Ok(text.to_string())
        }
        Change::Item { key, .. } => {
            let mut text = JsonText::read(file, content.unwrap_or_default())?;
            text.list(&[key])?;
            text.append(&keys(&[key]), &Value::from(plugin));
            Ok(text.to_string())
        }
        Change::Own { content: own, .. } => match content {
            None => Ok(own(wanted)),
            Some(_) => Err(Problem::new(
                file,
                "is there already, and is not Turnkeeper's",
            )),
        },
    }
}
