//! From Rust to the `.wasm` and the glue that the TypeScript imports.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::nodes::fingerprint;
use crate::tools::{self, WASM_TARGET};
use crate::{npm, paths, step};

/// Writes `turnkeeper.js`, `turnkeeper.d.ts` and `turnkeeper_bg.wasm` into `glue`.
pub fn build(features: &[&str], glue: &Path) -> Result<()> {
    tools::wasm_target()?;
    let compiled = compile(features)?;
    let commands = tools::wasm_bindgen()?;
    npm::ci("js")?;

    let stamp = stamp(&compiled, &commands)?;
    let stamp_file = glue.join(".stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|last| last == stamp) {
        step::skip("wasm-bindgen and wasm-opt", "the module has not changed");
        return Ok(());
    }
    let _ = fs::remove_dir_all(glue);
    fs::create_dir_all(glue)?;
    bind(&commands, &compiled, glue)?;
    // Nobody waits for the speed of the flavour that tests alone use, and wasm-opt takes most of a minute.
    if features.is_empty() {
        optimise(glue)?;
    }
    fs::write(stamp_file, stamp)?;
    Ok(())
}

fn compile(features: &[&str]) -> Result<PathBuf> {
    let mut cargo = tools::cargo();
    cargo
        .args(["rustc", "--lib", "--package", "turnkeeper-core"])
        .args([
            "--crate-type",
            "cdylib",
            "--profile",
            "wasm",
            "--target",
            WASM_TARGET,
        ])
        .args(["--config", &same_everywhere()?])
        // These would replace the flags in .cargo/config.toml instead of joining them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.args(["--features", &[&["wasm"], features].concat().join(",")]);
    let label = match features {
        [] => "compile to Wasm".to_owned(),
        _ => format!("compile to Wasm with {}", features.join(", ")),
    };
    step::run(&label, &mut cargo)?;
    Ok(paths::target(WASM_TARGET).join("wasm/turnkeeper_core.wasm"))
}

/// Compiler flags that give the files of this machine, which panics name, the same names on every
/// machine, so that every checkout builds the same bytes. Cargo joins them to those of
/// .cargo/config.toml.
fn same_everywhere() -> Result<String> {
    let mut renamed = vec![(paths::repo(""), "/turnkeeper".to_owned())];
    if let Some(sources) = registry_sources() {
        for index in fs::read_dir(&sources)? {
            renamed.push((index?.path(), "/registry".to_owned()));
        }
    }
    renamed.push(standard_library()?);
    let flags: Vec<String> = renamed
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .collect();
    let flags = serde_json::to_string(&flags)?;
    Ok(format!("target.{WASM_TARGET}.rustflags={flags}"))
}

fn registry_sources() -> Option<PathBuf> {
    let home = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => Path::new(&env::var_os("HOME")?).join(".cargo"),
    };
    Some(home.join("registry/src")).filter(|sources| sources.is_dir())
}

/// Where the standard library's sources are if they are installed, and what the compiler calls them
/// if they are not.
fn standard_library() -> Result<(PathBuf, String)> {
    let sysroot = rustc(&["--print", "sysroot"])?;
    let version = rustc(&["--version", "--verbose"])?;
    let commit = version
        .lines()
        .find_map(|line| line.strip_prefix("commit-hash: "))
        .context("rustc does not say which commit it was built from")?;
    let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    Ok((sources, format!("/rustc/{commit}")))
}

fn rustc(arguments: &[&str]) -> Result<String> {
    let answered = Command::new("rustc")
        .current_dir(paths::repo(""))
        .args(arguments)
        .output()
        .context("cannot start rustc")?;
    Ok(String::from_utf8(answered.stdout)?)
}

fn bind(commands: &Path, compiled: &Path, glue: &Path) -> Result<()> {
    let mut bindgen = Command::new(commands.join("wasm-bindgen"));
    // The glue must not mention `import.meta`: it is empty in a CommonJS bundle.
    bindgen
        .args([
            "--target",
            "web",
            "--omit-default-module-path",
            "--out-name",
            "turnkeeper",
        ])
        .arg("--out-dir")
        .arg(glue)
        .arg(compiled);
    step::run("wasm-bindgen", &mut bindgen)
}

fn optimise(glue: &Path) -> Result<()> {
    let module = glue.join("turnkeeper_bg.wasm");
    let mut optimiser = npm::tool("wasm-opt");
    optimiser.arg("-O3").arg(&module).arg("-o").arg(&module);
    step::run("wasm-opt", &mut optimiser)
}

/// Everything that the glue is made from.
fn stamp(compiled: &Path, commands: &Path) -> Result<String> {
    let module =
        fs::read(compiled).with_context(|| format!("cargo built no {}", compiled.display()))?;
    let packages = fs::read(paths::repo("js/package-lock.json"))?;
    Ok(format!(
        "module {:016x}\npackages {:016x}\nbuilt by {:016x}\nwasm-bindgen {}\n",
        fingerprint(&module),
        fingerprint(&packages),
        fingerprint(include_bytes!("wasm.rs")),
        commands.display(),
    ))
}
