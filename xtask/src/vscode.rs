//! A real VS Code without a download: the server out of code-server's npm tarball, run by Node 24
//! and shown in Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{nodes, npm, step, tools};

const NEWEST: &str = "4.139.1";
/// VS Code 1.93, which brought the events of shells that the adapter for terminals needs.
const OLDEST: &str = "4.93.1";

pub struct VsCode {
    pub code_server: PathBuf,
    pub node: PathBuf,
}

/// The newest that runs here.
pub fn vscode() -> Result<VsCode> {
    installed(
        NEWEST,
        "code-server/lib/vscode/out/server-main.js",
        |_, _| Ok(()),
    )
}

/// The oldest that is supported. Its terminals come without a binary, so a C++ compiler and Python make one.
pub fn oldest_vscode() -> Result<VsCode> {
    installed(
        OLDEST,
        "code-server/lib/vscode/node_modules/node-pty/build/Release/pty.node",
        |code, path| {
            let mut rebuild = npm::command(code);
            rebuild.env("PATH", path).args(["rebuild", "node-pty"]);
            step::run("compile the terminals of VS Code", &mut rebuild)
        },
    )
}

/// Installs a version once; `finish` gets the folder of VS Code itself and the `PATH` that leads to its Node.
fn installed(
    version: &str,
    proof: &str,
    finish: impl FnOnce(&Path, &str) -> Result<()>,
) -> Result<VsCode> {
    let node = nodes::binary("24")?.context("the VS Code suite needs Node 24")?;
    let home = tools::install_once(&format!("vscode-{version}"), proof, |folder| {
        let path = install(folder, version, &node)?;
        finish(&folder.join("code-server/lib/vscode"), &path)
    })?;
    Ok(VsCode {
        code_server: home.join("code-server"),
        node,
    })
}

/// Fetches a version and its own packages; the `PATH` that leads to its Node.
fn install(folder: &Path, version: &str, node: &Path) -> Result<String> {
    let mut pack = npm::command(folder);
    pack.args(["pack", "--silent", &format!("code-server@{version}")]);
    step::run(&format!("fetch VS Code (code-server {version})"), &mut pack)?;

    let tarball = folder.join(format!("code-server-{version}.tgz"));
    let code_server = folder.join("code-server");
    fs::create_dir_all(&code_server)?;
    let mut unpack = Command::new("tar");
    unpack
        .arg("xzf")
        .arg(&tarball)
        .arg("-C")
        .arg(&code_server)
        .arg("--strip-components=1");
    step::run("unpack VS Code", &mut unpack)?;
    fs::remove_file(tarball)?;

    // `npm ci` refuses: the lock file inside is out of step with its package.json.
    let mut install = npm::command(&code_server.join("lib/vscode"));
    let node_folder = node.parent().context("a Node binary lies in a folder")?;
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", node_folder.display());
    install.env("PATH", &path).args([
        "install",
        "--ignore-scripts",
        "--omit=dev",
        "--no-audit",
        "--no-fund",
        // Versions of its xterm are betas, which satisfy no range of their neighbours.
        "--legacy-peer-deps",
    ]);
    step::run("install VS Code's own packages", &mut install)?;
    Ok(path)
}
