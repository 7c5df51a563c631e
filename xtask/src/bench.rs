//! `cargo xtask bench`: the speed table, this package beside the libraries that it stands in for.
//! `cargo xtask bench page`: the web page with a session of 20 MB.

use anyhow::Result;

use crate::debian::{CHROMIUM, TIME};
use crate::package::{self, Flavour};
use crate::{npm, paths, program, site, step};

/// Arguments go to `benches/run.mjs`, or to `benches/page.mjs` after the word `page`.
pub fn run(arguments: &[String]) -> Result<()> {
    if let [word, rest @ ..] = arguments
        && word == "page"
    {
        return page(rest);
    }
    let tarball = package::pack(Flavour::Published)?;
    let program = program::here()?;
    npm::ci("benches")?;
    let mut node = step::node("benches/run.mjs");
    node.args(arguments)
        .env("TURNKEEPER_TARBALL", tarball)
        .env("TURNKEEPER_PROGRAM", program)
        .env("TIME_PATH", TIME.find()?)
        .env("TURNKEEPER_PACKAGE", Flavour::Published.folder());
    step::show("bench", &mut node)
}

/// The time until the page shows a long session, and the longest that it is ever busy.
fn page(arguments: &[String]) -> Result<()> {
    let chrome = CHROMIUM.find()?;
    site::run(false, true)?;
    npm::ci("tests/js")?;
    let mut node = step::node("benches/page.mjs");
    node.args(arguments)
        .env("TURNKEEPER_SITE", paths::target("site"))
        .env("TURNKEEPER_CHROME", chrome);
    step::show("bench page", &mut node)
}
