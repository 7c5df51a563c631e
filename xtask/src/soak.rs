//! `cargo xtask soak [--short]`: how much memory is in use while millions of events go through the packed
//! package.

use std::process::Command;

use anyhow::{Result, bail};

use crate::suites::Packed;
use crate::{paths, step};

pub fn run(arguments: &[String]) -> Result<()> {
    if let Some(unknown) = arguments.iter().find(|argument| *argument != "--short") {
        bail!("soak has no option `{unknown}`");
    }
    let packed = Packed::make()?;
    let mut node = Command::new("node");
    node.arg("--expose-gc")
        .arg(paths::repo("tests/memory/soak.mjs"))
        .args(arguments)
        .env("TURNKEEPER_APP", packed.app());
    match step::show("soak", &mut node)? {
        0 => Ok(()),
        _ => bail!("something grows"),
    }
}
