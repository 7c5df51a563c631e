//! Plugins that run in an agent's own process, and modules in a project's folder that load one.

use crate::watch::Mode;

/// A plugin of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// The name of its file in the package.
    pub name: &'static str,
    /// Whether the agent wants its address (`file:`) and not its path.
    pub is_address: bool,
}

impl Plugin {
    /// The name of its file beside the program.
    pub fn file(&self) -> String {
        format!("turnkeeper-{}", self.name)
    }
}

/// Whether a name in an agent's list is that of a plugin of ours, wherever the state folder is.
pub fn is_plugin(item: &str) -> bool {
    let item = item.replace('\\', "/");
    ["opencode.mjs", "pi.mjs"].iter().any(|name| {
        item.ends_with(&format!("/bin/turnkeeper-{name}"))
            || item.ends_with(&format!("/package/dist/{name}"))
    })
}

/// A module that loads the plugin of whoever runs the agent, and does nothing where there is none: those who share
/// the project get it as well.
pub fn module_text(plugin: Plugin, mode: Mode, body: &str) -> String {
    let body = body.replace("OPTIONS", &format!("{{ mode: \"{}\" }}", mode.name()));
    MODULE
        .replace("PLUGIN", &plugin.file())
        .replace("BODY", &body)
}

const MODULE: &str = r#"// Turnkeeper: written by "turnkeeper install --project", and taken out by "turnkeeper uninstall".
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** The plugin of whoever runs this; nothing where Turnkeeper is not installed. */
async function plugin() {
  const { TURNKEEPER_STATE, XDG_STATE_HOME = "", LOCALAPPDATA = "" } = process.env;
  const usual = [XDG_STATE_HOME, path.join(homedir(), ".local/state"), LOCALAPPDATA];
  const folders = [...usual, path.join(homedir(), "Library/Application Support")];
  const files = [TURNKEEPER_STATE, ...folders.map((it) => it && path.join(it, "turnkeeper"))]
    .filter(Boolean)
    .map((folder) => path.join(folder, "bin/PLUGIN"));
  const found = files.find((it) => existsSync(it));
  try {
    return found ? await import(pathToFileURL(found).href) : {};
  } catch {
    return {};
  }
}

BODY
"#;
