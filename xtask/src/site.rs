//! `cargo xtask site [--serve]`: the web page, with the packed package inside.

use std::process::Command;

use anyhow::{Result, bail};

use crate::package::{self, Flavour};
use crate::{npm, pack, paths, step};

pub fn run(arguments: &[String]) -> Result<()> {
    let serve = match arguments {
        [] => false,
        [flag] if flag == "--serve" => true,
        _ => bail!("usage: cargo xtask site [--serve]"),
    };
    if !paths::repo("www/build.mjs").exists() {
        bail!("this checkout has no web page (www/build.mjs)");
    }
    package::make(Flavour::Published)?;
    build(&pack::pack()?)?;
    if serve {
        step::show("serve", &mut node("www/serve.mjs"))?;
    }
    Ok(())
}

/// Makes `target/site` from a tarball.
pub fn build(tarball: &std::path::Path) -> Result<()> {
    if paths::repo("www/package-lock.json").exists() {
        npm::ci("www")?;
    }
    let mut command = node("www/build.mjs");
    command.env("TURNKEEPER_TARBALL", tarball);
    step::run("build the page", &mut command)
}

fn node(script: &str) -> Command {
    let mut node = Command::new("node");
    node.current_dir(paths::repo("")).arg(paths::repo(script));
    node.env("TURNKEEPER_SITE", paths::target("site"));
    node
}
