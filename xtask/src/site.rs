//! `cargo xtask site [--serve] [--published]`: the web page, with the packed package inside.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::package::Flavour;
use crate::packed::Packed;
use crate::wasm::{self, Effort};
use crate::{npm, package, paths, step};

pub fn run(serve: bool, is_published: bool) -> Result<()> {
    let (flavour, effort) = match is_published {
        true => (Flavour::Published, Effort::Full),
        false => (Flavour::Quick, Effort::Quick),
    };
    build(&Packed::make(flavour)?, effort)?;
    if serve {
        step::show("serve", &mut node("www/serve.mjs"))?;
    }
    Ok(())
}

/// Makes `target/site` from the package.
pub fn build(packed: &Packed, effort: Effort) -> Result<()> {
    package::make_page_glue(effort)?;
    npm::ci("www")?;
    let mut command = node("www/build.mjs");
    command.env("TURNKEEPER_APP", packed.app());
    command.env("TURNKEEPER_TARBALL", packed.tarball());
    command.env("TURNKEEPER_LICENSES", licences()?);
    step::run("build the page", &mut command)
}

/// Writes what the modules of the page have inside.
fn licences() -> Result<PathBuf> {
    let inside = wasm::crates_of(&[wasm::ALL, wasm::ANALYSIS])?;
    let file = paths::target("page-licenses.txt");
    fs::write(&file, inside.licences()?)?;
    Ok(file)
}

fn node(script: &str) -> Command {
    let mut node = Command::new("node");
    node.current_dir(paths::repo("")).arg(paths::repo(script));
    node.env("TURNKEEPER_SITE", paths::target("site"));
    node
}
