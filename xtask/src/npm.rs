//! Packages from npm: exactly those of a folder's lock file, and none of their scripts.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};

use crate::{paths, step};

/// The oldest Node that the repository is built with; the package runs on older ones.
const OLDEST_NODE: u32 = 20;

/// Fails, and says what is missing, unless there are a Node that builds the package and its npm.
pub fn check_node() -> Result<()> {
    let wanted = format!("this needs Node {OLDEST_NODE} or newer, with npm, on the PATH");
    let node = step::said(Command::new("node").arg("--version"));
    let node = node.with_context(|| format!("{wanted}; there is no `node`"))?;
    let major = node.trim_start_matches('v').split('.').next();
    let major: u32 = major.and_then(|it| it.parse().ok()).unwrap_or(0);
    ensure!(major >= OLDEST_NODE, "{wanted}; `node` is {node}");
    let npm = step::said(command(&paths::root()).arg("--version"));
    npm.with_context(|| format!("{wanted}; there is no `npm`"))?;
    Ok(())
}

/// Installs what the lock file of a folder of the checkout names, unless it is there. One folder at a
/// time: suites that run at once need the same ones.
pub fn ci(folder: &str) -> Result<()> {
    install(folder, &[], ".installed-lock.json")
}

/// The same without packages for development, unless they are there.
pub fn ci_least(folder: &str) -> Result<()> {
    let all = paths::repo(folder).join("node_modules/.installed-lock.json");
    if all.exists() {
        return ci(folder);
    }
    install(folder, &["--omit=dev"], ".installed-least-lock.json")
}

fn install(folder: &str, arguments: &[&str], mark: &str) -> Result<()> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = step::lock(&TURN);
    let home = paths::repo(folder);
    let lock = fs::read(home.join("package-lock.json"))
        .with_context(|| format!("cannot read {folder}/package-lock.json"))?;
    // A copy of the lock file that was installed: comparing it needs no clock and no hash.
    let installed = home.join("node_modules").join(mark);
    if fs::read(&installed).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut npm = ci_command(&home);
    step::run(&format!("npm ci in {folder}"), npm.args(arguments))?;
    fs::create_dir_all(home.join("node_modules"))?;
    fs::write(installed, lock)?;
    Ok(())
}

/// `npm ci` in any folder with a `package.json` and a lock file.
pub fn ci_command(home: &Path) -> Command {
    let mut npm = command(home);
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    npm
}

pub fn command(home: &Path) -> Command {
    let mut npm = Command::new(script("npm"));
    npm.current_dir(home);
    npm
}

/// A program of a package that [`ci`] installed into `js`.
pub fn tool(name: &str) -> Command {
    tool_of("js", name)
}

/// A program of a package that [`ci`] installed into a folder of the checkout.
pub fn tool_of(folder: &str, name: &str) -> Command {
    let programs = paths::repo(folder).join("node_modules/.bin");
    step::command(programs.join(script(name)), &[])
}

/// The name that npm gives a program: Windows does not find a script without its extension.
pub fn script(name: &str) -> String {
    let extension = if cfg!(windows) { ".cmd" } else { "" };
    format!("{name}{extension}")
}
