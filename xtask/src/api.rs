//! The report of the package's public types, which is committed so that a review sees what changes.

use std::process::Command;

use anyhow::Result;

use crate::{npm, package, paths, step};

/// Writes the report.
pub fn write() -> Result<()> {
    report(&[])
}

/// Fails if the committed report is not what the entries export now.
pub fn check() -> Result<()> {
    report(&["--check"])
}

fn report(arguments: &[&str]) -> Result<()> {
    npm::ci("js")?;
    // The TypeScript imports the types of the glue.
    package::glue_types()?;
    let mut node = Command::new("node");
    node.current_dir(paths::repo(""))
        .arg("js/build/api-report.mjs")
        .args(arguments);
    step::run("report of the public types", &mut node)
}
