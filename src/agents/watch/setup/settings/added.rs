use serde_json::{Value, json};

use super::Unchangeable;
use super::json_text::{JsonText, keys};
use crate::watch::setup::{Change, Wanted};

impl Change {
    /// A file with our part in it.
    ///
    /// `content` is the file without our part, if there is such a file, `hook` the name under which the agent's hook
    /// runs, and `plugin` what stands for its plugin in a list.
    ///
    /// # Errors
    /// If the file cannot be changed without a risk for what is in it.
    pub fn added(
        &self,
        content: Option<&str>,
        hook: &str,
        wanted: &Wanted<'_>,
        plugin: &str,
    ) -> Result<String, Unchangeable> {
        match self {
            Change::Hooks { hooks, .. } => {
                let mut text = JsonText::read(content.unwrap_or_default())?;
                if let Some(version) = hooks.version
                    && text.get(&keys(&["version"])).is_none()
                {
                    text.set(&["version"], &json!(version))?;
                }
                let line = wanted.line(hook);
                for event in hooks.wanted(wanted) {
                    text.append(&["hooks", event], &hooks.entry(event, &line))?;
                }
                Ok(text.to_string())
            }
            Change::Item { lists, .. } => {
                let mut text = JsonText::read(content.unwrap_or_default())?;
                let known = lists.iter().rev();
                let of_version = known
                    .clone()
                    .find(|(_, since)| *since <= wanted.agent_version);
                // Whoever has a list under one of the names has an agent that reads it.
                let is_there = |(list, _): &&(&str, _)| text.get(&keys(&[list])).is_some();
                let list = of_version.filter(is_there);
                let list = list.or(known.clone().find(is_there)).or(of_version);
                let (list, _) = list.unwrap_or(&lists[0]);
                text.append(&[list], &Value::from(plugin))?;
                Ok(text.to_string())
            }
            Change::Own { content: own, .. } => match content {
                None => Ok(own(wanted)),
                Some(_) => Err(Unchangeable(
                    "is there already, and is not Turnkeeper's".into(),
                )),
            },
        }
    }
}
