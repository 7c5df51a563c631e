//! `cargo xtask soak [--short] [--turns]`: how much memory is in use while millions of events and thousands of
//! turns go through the packed package. `cargo xtask soak --vscode [--short | --count TURNS] [--minutes N]`: turns in the
//! Node extension host of a real VS Code.

use std::process::Command;

use anyhow::{Result, bail};

use crate::debian::CHROMIUM;
use crate::package::Flavour;
use crate::packed::Packed;
use crate::{npm, paths, step, vscode};

const IN_VSCODE: &str = "--vscode";

pub fn run(arguments: &[String]) -> Result<()> {
    if let [word, rest @ ..] = arguments
        && word == IN_VSCODE
    {
        return in_vscode(rest);
    }
    let packed = Packed::make(Flavour::Published)?;
    let mut node = Command::new("node");
    node.arg("--expose-gc")
        .arg(paths::repo("tests/js/memory/soak.mjs"))
        .args(arguments)
        .env("TURNKEEPER_APP", packed.app());
    match step::show("soak", &mut node)? {
        0 => Ok(()),
        _ => bail!("something grows"),
    }
}

/// Arguments go to `tests/js/vscode/soak.mjs`.
fn in_vscode(arguments: &[String]) -> Result<()> {
    let packed = Packed::make(Flavour::Published)?;
    npm::ci("tests/js")?;
    npm::ci("tests/js/vscode")?;
    let vscode = vscode::vscode()?;
    let mut node = Command::new(&vscode.node);
    node.arg(paths::repo("tests/js/vscode/soak.mjs"))
        .args(arguments)
        .env("TURNKEEPER_APP", packed.app())
        .env("TURNKEEPER_TARBALL", packed.tarball())
        .env("TURNKEEPER_CODE_SERVER", &vscode.code_server)
        .env("TURNKEEPER_NODE24", &vscode.node)
        .env("TURNKEEPER_CHROME", CHROMIUM.find()?);
    match step::show("soak in VS Code", &mut node)? {
        0 => Ok(()),
        _ => bail!("something grows"),
    }
}
