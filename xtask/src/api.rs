//! The report of the package's public types, which is committed so that a review sees what changes.

use anyhow::Result;

use crate::package::{self, Flavour};
use crate::{npm, step};

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
    package::make_glue(Flavour::Quick)?;
    let mut node = step::node("js/build/api-report.mjs");
    step::run("report of the public types", node.args(arguments))
}
