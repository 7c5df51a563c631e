//! A real VS Code without a download: the server out of code-server's npm tarball, run by Node 24
//! and shown in Chromium.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{nodes, npm, step, tools};

/// The newest that runs here.
pub const NEWEST: &str = "4.139.1";
/// The oldest that is supported is VS Code 1.93, which brought the events of shells that the adapter for terminals needs.
pub const OLDEST: &str = "4.93.1";

pub struct VsCode {
    pub code_server: PathBuf,
    pub node: PathBuf,
}

/// The server of a version of code-server, and the Node that runs it.
pub fn installed(version: &str) -> Result<VsCode> {
    let node = nodes::newest()?.context("the VS Code suite needs Node 24")?;
    let home = tools::install_once(
        &format!("vscode-{version}"),
        "code-server/lib/vscode/out/server-main.js",
        |folder| install(folder, version, &node),
    )?;
    Ok(VsCode {
        code_server: home.join("code-server"),
        node,
    })
}

fn install(folder: &Path, version: &str, node: &Path) -> Result<()> {
    let mut pack = npm::command(folder);
    pack.args(["pack", "--silent", &format!("code-server@{version}")]);
    step::run(&format!("fetch VS Code (code-server {version})"), &mut pack)?;

    let tarball = folder.join(format!("code-server-{version}.tgz"));
    let code_server = folder.join("code-server");
    fs::create_dir_all(&code_server)?;
    let mut unpack = step::command("tar", &["xz", "--strip-components=1", "-f"]);
    unpack.arg(&tarball).arg("-C").arg(&code_server);
    step::run("unpack VS Code", &mut unpack)?;
    fs::remove_file(tarball)?;

    // `npm ci` refuses: the lock file inside is out of step with its package.json.
    let mut install = npm::command(&code_server.join("lib/vscode"));
    let node_folder = node.parent().context("a Node binary lies in a folder")?;
    let path = std::env::var("PATH").unwrap_or_default();
    install
        .env("PATH", format!("{}:{path}", node_folder.display()))
        .args([
            "install", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund",
            // Versions of its xterm are betas, which satisfy no range of their neighbours.
            "--legacy-peer-deps",
        ]);
    step::run("install VS Code's own packages", &mut install)
}
