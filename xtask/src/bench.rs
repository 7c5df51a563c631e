//! `cargo xtask bench`: the speed table, this package beside the libraries that it stands in for.
//! `cargo xtask bench page`: the web page with a session of 20 MB.

use std::process::Command;

use anyhow::{Result, bail};

use crate::debian::{CHROMIUM, TIME};
use crate::package::{self, Flavour};
use crate::{npm, pack, paths, program, site, step};

/// Arguments go to `benches/run.mjs`, or to `benches/page.mjs` after the word `page`.
pub fn run(arguments: &[String]) -> Result<()> {
    if let [word, rest @ ..] = arguments
        && word == "page"
    {
        return page(rest);
    }
    package::make(Flavour::Published)?;
    let tarball = pack::pack(Flavour::Published)?;
    let program = program::here()?;
    npm::ci("benches")?;
    let mut node = Command::new("node");
    node.current_dir(paths::repo(""))
        .arg(paths::repo("benches/run.mjs"))
        .args(arguments)
        .env("TURNKEEPER_TARBALL", tarball)
        .env("TURNKEEPER_PROGRAM", program)
        .env("TIME_PATH", TIME.find()?)
        .env("TURNKEEPER_PACKAGE", Flavour::Published.folder());
    match step::show("bench", &mut node)? {
        0 => Ok(()),
        code => bail!("benches/run.mjs ended with exit code {code}"),
    }
}

/// The time until the page shows a long session, and the longest that it is ever busy.
fn page(arguments: &[String]) -> Result<()> {
    let chrome = CHROMIUM.find()?;
    site::run(false, true)?;
    npm::ci("tests/js")?;
    let mut node = Command::new("node");
    node.current_dir(paths::repo(""))
        .arg(paths::repo("benches/page.mjs"))
        .args(arguments)
        .env("TURNKEEPER_SITE", paths::target("site"))
        .env("TURNKEEPER_CHROME", chrome);
    match step::show("bench page", &mut node)? {
        0 => Ok(()),
        code => bail!("benches/page.mjs ended with exit code {code}"),
    }
}
