//! `cargo xtask soak [--short] [--turns]`: how much memory is in use while millions of events and thousands of
//! turns go through the packed package. With `--vscode` it is turns in the Node extension host of a real VS Code.

use std::process::Command;

use anyhow::{Result, bail};

use crate::suites::Packed;
use crate::{browser, npm, paths, step, vscode};

const IN_VSCODE: &str = "--vscode";

pub fn run(arguments: &[String]) -> Result<()> {
    const OPTIONS: [&str; 3] = ["--short", "--turns", IN_VSCODE];
    let is_unknown = |argument: &&String| !OPTIONS.contains(&argument.as_str());
    if let Some(unknown) = arguments.iter().find(is_unknown) {
        bail!("soak has no option `{unknown}`");
    }
    let packed = Packed::make()?;
    if arguments.iter().any(|argument| argument == IN_VSCODE) {
        return in_vscode(arguments, &packed);
    }
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

fn in_vscode(arguments: &[String], packed: &Packed) -> Result<()> {
    npm::ci("tests")?;
    npm::ci("tests/vscode")?;
    let vscode = vscode::vscode()?;
    let is_short = arguments.iter().any(|argument| argument == "--short");
    let mut node = Command::new(&vscode.node);
    node.arg(paths::repo("tests/vscode/soak.mjs"))
        .args(is_short.then_some("--short"))
        .env("TURNKEEPER_APP", packed.app())
        .env("TURNKEEPER_TARBALL", packed.tarball())
        .env("TURNKEEPER_CODE_SERVER", &vscode.code_server)
        .env("TURNKEEPER_NODE24", &vscode.node)
        .env("TURNKEEPER_CHROME", browser::chromium()?);
    match step::show("soak in VS Code", &mut node)? {
        0 => Ok(()),
        _ => bail!("something grows"),
    }
}
