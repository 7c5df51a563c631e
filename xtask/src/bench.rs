//! `cargo xtask bench`: the speed table, this package beside the libraries that it stands in for.

use std::process::Command;

use anyhow::{Result, bail};

use crate::package::{self, Flavour};
use crate::{npm, pack, paths, step};

/// Arguments go to `benches/run.mjs`.
pub fn run(arguments: &[String]) -> Result<()> {
    package::make(Flavour::Published)?;
    let tarball = pack::pack(Flavour::Published)?;
    npm::ci("benches")?;
    let mut node = Command::new("node");
    node.current_dir(paths::repo(""))
        .arg(paths::repo("benches/run.mjs"))
        .args(arguments)
        .env("TURNKEEPER_TARBALL", tarball)
        .env("TURNKEEPER_PACKAGE", Flavour::Published.folder());
    match step::show("bench", &mut node)? {
        0 => Ok(()),
        code => bail!("benches/run.mjs ended with exit code {code}"),
    }
}
