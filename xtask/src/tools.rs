//! Tools that come from the Rust side: the Wasm target, wasm-bindgen, cargo-fuzz, geckodriver.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result, bail};

use crate::{paths, step};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
const CARGO_FUZZ: &str = "0.13.2";
const GECKODRIVER: &str = "0.37.1";

/// A command of the cargo that runs this program.
pub fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(paths::repo(""));
    cargo
}

/// Installs a tool into its own folder of the shared cache, once. `install` fills a temporary
/// folder, which gets its name only when it is complete: a half install is never used, and two
/// checkouts that install at the same time do not disturb each other.
pub fn install_once(
    folder: &str,
    proof: &str,
    install: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let tools = paths::tools()?;
    let home = tools.join(folder);
    if home.join(proof).exists() {
        return Ok(home);
    }
    let unfinished = tools.join(format!(".{folder}-{}", process::id()));
    fs::create_dir_all(&unfinished)
        .with_context(|| format!("cannot make {}", unfinished.display()))?;
    let installed = install(&unfinished).and_then(|()| {
        if unfinished.join(proof).exists() {
            Ok(())
        } else {
            bail!("{folder} has no {proof}")
        }
    });
    if let Err(error) = installed {
        let _ = fs::remove_dir_all(&unfinished);
        return Err(error);
    }
    if home.exists() && !home.join(proof).exists() {
        fs::remove_dir_all(&home)?;
    }
    if let Err(error) = fs::rename(&unfinished, &home) {
        let _ = fs::remove_dir_all(&unfinished);
        // Another checkout was quicker; what it installed is the same.
        if !home.join(proof).exists() {
            return Err(error).with_context(|| format!("cannot make {}", home.display()));
        }
    }
    Ok(home)
}

/// Adds the Wasm target to the toolchain if it is not there.
pub fn wasm_target() -> Result<()> {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output()
        .context("cannot start rustc")?;
    let libraries = PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim());
    if asked.status.success() && libraries.is_dir() {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", WASM_TARGET]);
    step::run("Rust for Wasm", &mut rustup).with_context(|| {
        format!("this needs Rust's standard library for {WASM_TARGET}: `rustup target add {WASM_TARGET}`")
    })
}

/// The folder of wasm-bindgen's commands, of the version that the crate is built with: the two
/// only understand each other when they are the same.
pub fn wasm_bindgen() -> Result<PathBuf> {
    let version = locked_version("wasm-bindgen")?;
    let mut folder = installed("wasm-bindgen-cli", &version, "wasm-bindgen-test-runner")?;
    folder.pop();
    Ok(folder)
}

/// The `cargo-fuzz` command.
pub fn cargo_fuzz() -> Result<PathBuf> {
    installed("cargo-fuzz", CARGO_FUZZ, "cargo-fuzz")
}

/// The program that drives Firefox.
pub fn geckodriver() -> Result<PathBuf> {
    installed("geckodriver", GECKODRIVER, "geckodriver")
}

/// A command of a package of the Rust registry, compiled once.
fn installed(package: &str, version: &str, command: &str) -> Result<PathBuf> {
    let command = format!("bin/{command}{EXE_SUFFIX}");
    let home = install_once(&format!("{package}-{version}"), &command, |folder| {
        cargo_install(package, version, folder)
    })?;
    Ok(home.join(command))
}

fn cargo_install(package: &str, version: &str, folder: &Path) -> Result<()> {
    // Away from the checkout, so that its flags are not used; without `--locked`, because the
    // lock file that wasm-bindgen-cli is published with does not resolve.
    let mut install = Command::new("cargo");
    install
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        // They run for seconds and compile for minutes.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .args(["install", package, "--version", version, "--root"])
        .arg(folder);
    step::run(
        &format!("install {package} {version}, some minutes"),
        &mut install,
    )
}

fn locked_version(package: &str) -> Result<String> {
    let lock = fs::read_to_string(paths::repo("Cargo.lock")).context("cannot read Cargo.lock")?;
    let name = format!("name = \"{package}\"");
    lock.lines()
        .skip_while(|line| *line != name)
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \""))
        .and_then(|line| line.strip_suffix('"'))
        .map(str::to_owned)
        .with_context(|| format!("Cargo.lock names no version of {package}"))
}
