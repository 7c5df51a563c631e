//! `cargo xtask soak [--short] [--turns]`: how much memory is in use while millions of events and thousands of
//! turns go through the packed package. `cargo xtask soak --vscode [--short | --count TURNS] [--minutes N]`: turns in the
//! Node extension host of a real VS Code.

use std::process::Command;

use anyhow::Result;

use crate::debian::CHROMIUM;
use crate::package::Flavour;
use crate::packed::packed;
use crate::{npm, paths, step, vscode};

/// Arguments go to `tests/js/memory/soak.mjs`, or to `tests/js/vscode/soak.mjs` after `--vscode`.
pub fn run(arguments: &[String]) -> Result<()> {
    let tarball = packed(Flavour::Published)?;
    let (mut node, script, arguments) = match arguments {
        [word, rest @ ..] if word == "--vscode" => {
            npm::ci("tests/js")?;
            npm::ci("tests/js/vscode")?;
            let vscode = vscode::installed(vscode::NEWEST)?;
            let mut node = Command::new(&vscode.node);
            node.env("TURNKEEPER_TARBALL", tarball)
                .env("TURNKEEPER_CODE_SERVER", &vscode.code_server)
                .env("TURNKEEPER_NODE24", &vscode.node)
                .env("TURNKEEPER_CHROME", CHROMIUM.find()?);
            (node, "tests/js/vscode/soak.mjs", rest)
        }
        _ => {
            let mut node = Command::new("node");
            node.arg("--expose-gc");
            (node, "tests/js/memory/soak.mjs", arguments)
        }
    };
    node.arg(paths::repo(script))
        .args(arguments)
        .env("TURNKEEPER_APP", Flavour::Published.app());
    step::show("soak", &mut node)
}
