use std::path::Path;
use std::{env, fs};

use turnkeeper_agents::watch::setup::is_plugin;

/// The name of the file beside the plugins that they import: the judge as WebAssembly.
pub(super) const MODULE: &str = "turnkeeper-watch.mjs";

/// Whether it is the name of a file that is put beside the program for a plugin.
pub(super) fn is_file(name: &str) -> bool {
    name == MODULE || is_plugin(&format!("/bin/{name}"))
}

/// A plugin that an agent loads into its own process.
pub(super) fn plugin(name: &str) -> Option<Vec<u8>> {
    in_package(&["plugins", name])
}

/// The file that plugins import.
pub(super) fn module() -> Option<Vec<u8>> {
    in_package(&["modules", "watch.mjs"])
}

/// A file of the npm package, whose launcher says where it is.
fn in_package(below: &[&str]) -> Option<Vec<u8>> {
    let package = env::var_os("TURNKEEPER_PACKAGE")?;
    let file = Path::new(&package).join("dist");
    fs::read(below.iter().fold(file, |file, part| file.join(part))).ok()
}
