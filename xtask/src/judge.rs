//! `cargo xtask judge [FOLDER…]`: how the loop detector does on labelled sessions; see `xtask/judge`.

use std::process::Command;

use anyhow::{Result, bail};

/// Arguments go to the program, which is built for release: it plays thousands of sessions.
pub fn run(arguments: &[String]) -> Result<()> {
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--release", "--package", "judge", "--"])
        .args(arguments)
        .status()?;
    match status.code() {
        Some(0) => Ok(()),
        code => bail!("judge ended with exit code {code:?}"),
    }
}
