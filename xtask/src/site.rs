//! `cargo xtask site [--serve] [--published]`: the web page, with the packed package inside.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::package::Flavour;
use crate::packed::packed;
use crate::{npm, package, paths, step, wasm};

pub fn run(serve: bool, is_published: bool) -> Result<()> {
    let flavour = match is_published {
        true => Flavour::Published,
        false => Flavour::Quick,
    };
    build(flavour, flavour)?;
    if serve {
        step::show("serve", &mut node("www/serve.mjs"))?;
    }
    Ok(())
}

/// Makes `target/site` from a package and a module of the page's own.
pub fn build(package: Flavour, module: Flavour) -> Result<()> {
    let tarball = packed(package)?;
    package::make_page_glue(module)?;
    npm::ci("www")?;
    // What the modules of the page have inside.
    let licences = paths::target("page-licenses.txt");
    let inside = wasm::crates_of(&[wasm::ALL, wasm::ANALYSIS])?;
    fs::write(&licences, inside.licences()?)?;
    let mut command = node("www/build.mjs");
    command
        .env("TURNKEEPER_APP", package.app())
        .env("TURNKEEPER_TARBALL", tarball)
        .env("TURNKEEPER_LICENSES", licences);
    step::run("build the page", &mut command)
}

fn node(script: &str) -> Command {
    let mut node = step::node(script);
    node.env("TURNKEEPER_SITE", paths::target("site"));
    node
}
