//! The versions of an agent that are here: all of them read the same files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnkeeper_agents::watch::setup::{Version, Versions};

use super::asking::answer_of;
use crate::program::on_path;

/// The oldest version that is here; none, if none can be told.
pub(super) fn oldest_here(versions: &Versions) -> Option<Version> {
    let commands = versions.commands.iter().flat_map(|it| on_path(it));
    let mut programs: Vec<PathBuf> = commands
        .map(|it| fs::canonicalize(&it).unwrap_or(it))
        .collect();
    programs.sort();
    programs.dedup();
    let of_programs = programs
        .iter()
        .filter_map(|it| of_package(it, versions.packages).or_else(|| told_by(it)));
    let of_folders = versions.folders.iter().filter_map(|it| newest_of(it));
    of_programs.chain(of_folders).min()
}

/// The version of the npm package that a program is in, or that a script beside it starts. So it is not started, which
/// takes some agents seconds.
fn of_package(program: &Path, packages: &[&str]) -> Option<Version> {
    let folder = program.parent()?;
    let within = folder.ancestors().map(Path::to_owned);
    let beside = packages
        .iter()
        .map(|it| folder.join("node_modules").join(it));
    let mut found = within.chain(beside).filter_map(|it| {
        let content = fs::read(it.join("package.json")).ok()?;
        let content: Value = serde_json::from_slice(&content).ok()?;
        let text = |name: &str| content.get(name).and_then(Value::as_str);
        let is_named = packages.contains(&text("name")?);
        is_named.then(|| Version::of(text("version")?)).flatten()
    });
    found.next()
}

fn told_by(program: &Path) -> Option<Version> {
    Version::of(&answer_of(program, "--version")?)
}

/// The newest version among folders whose names begin alike: editors keep an old one until they are started again.
fn newest_of(folders: &Path) -> Option<Version> {
    let start = folders.file_name()?.to_string_lossy();
    let start = start.trim_end_matches('*');
    let entries = fs::read_dir(folders.parent()?).ok()?.flatten();
    let names = entries.map(|it| it.file_name().to_string_lossy().into_owned());
    let versions = names.filter_map(|name| Version::of(name.strip_prefix(start)?));
    versions.max()
}
