//! `cargo xtask traces`: records what a change that is meant has altered, from the package.

use std::process::Command;

use anyhow::{Result, bail};

use crate::package::{self, Flavour};
use crate::{npm, paths, step};

/// The tests that write what they compare with when they are told to.
const RECORDED_BY: [&str; 3] = ["agent-session", "snapshot-forms", "traces"];

pub fn run() -> Result<()> {
    package::make_in_app()?;
    npm::ci("tests/js")?;
    let files = RECORDED_BY.map(|name| format!("tests/js/node/{name}.test.mjs"));
    let mut node = Command::new("node");
    node.current_dir(paths::repo(""))
        .arg("--test")
        .args(files)
        .env("TURNKEEPER_WRITE", "1")
        .env("TURNKEEPER_APP", Flavour::Quick.app());
    step::run("record", &mut node)?;
    let mut changed = Command::new("git");
    changed
        .current_dir(paths::repo(""))
        .args(["diff", "--stat", "--", "tests/data"]);
    match step::show("what has changed", &mut changed)? {
        0 => Ok(()),
        code => bail!("git ended with {code}"),
    }
}
