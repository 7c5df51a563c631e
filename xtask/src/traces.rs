//! `cargo xtask traces`: records what a change that is meant has altered, from the package.

use anyhow::Result;

use crate::package::{self, Flavour};
use crate::{npm, step};

/// The tests that write what they compare with when they are told to.
const RECORDED_BY: [&str; 3] = ["agent-session", "snapshot-forms", "traces"];

pub fn run() -> Result<()> {
    package::make_in_app()?;
    npm::ci("tests/js")?;
    let files = RECORDED_BY.map(|name| format!("tests/js/node/{name}.test.mjs"));
    let mut node = step::command("node", &["--test"]);
    node.args(files)
        .env("TURNKEEPER_WRITE", "1")
        .env("TURNKEEPER_APP", Flavour::Quick.app());
    step::run("record", &mut node)?;
    let changed = ["diff", "--stat", "--", "tests/data"];
    step::show("what has changed", &mut step::command("git", &changed))
}
