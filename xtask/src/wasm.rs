//! From Rust to the `.wasm` and the glue that the TypeScript imports.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::nodes::fingerprint;
use crate::tools::{self, WASM_TARGET};
use crate::{npm, order, paths, step};

/// What the compiler and wasm-bindgen may use, and nothing newer: all of it is in Node 18 and in the
/// Chromium of VS Code 1.100.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Most passes that make the module smaller make it larger once it is compressed.
const OPTIMISE: [&str; 3] = ["-O1", "--rse", "--vacuum"];

/// Two switches of the compiler that are not stable yet, for which there is no other way and which
/// change nothing that the module does: it does not keep the file and line of every check that may
/// fail (a panic's words and its stack are told all the same), nor share with the standard library what
/// it has as well. Together 3 KB of the compressed module.
const SMALLER: [&str; 2] = ["-Zlocation-detail=none", "-Zshare-generics=no"];
/// The one crate that may use them.
const CRATE: &str = "turnkeeper_core";

/// Then come the functions in the order of their names; see order.rs.
const FINISH: [&str; 5] = [
    "--reorder-functions-by-name",
    // Prints the names that imports and exports had, and the short ones that they get.
    "--minify-imports-and-exports-and-modules",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// Writes `turnkeeper.js`, `turnkeeper.d.ts`, `turnkeeper_bg.wasm` and `names.json` into `glue`: the
/// script still has the names that `names.json` gives shorter ones for.
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
    optimise(glue)?;
    fs::write(stamp_file, stamp)?;
    Ok(())
}

fn compile(features: &[&str]) -> Result<PathBuf> {
    let mut cargo = tools::cargo();
    cargo
        .args(["rustc", "--lib", "--package", "turnkeeper-core"])
        // Built as a Rust library as well, it would keep every public function as it is for crates
        // that might use it, and be 5 % larger.
        .args(["--crate-type", "cdylib"])
        .args(["--profile", "wasm", "--target", WASM_TARGET])
        .args(["--config", &same_everywhere()?])
        // These would replace the flags in .cargo/config.toml instead of joining them.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    if !features.is_empty() {
        cargo.args(["--features", &features.join(",")]);
    }
    cargo.env("RUSTC_BOOTSTRAP", CRATE).arg("--").args(SMALLER);
    let label = match features {
        [] => "compile to Wasm".to_owned(),
        _ => format!("compile to Wasm with {}", features.join(", ")),
    };
    step::run(&label, &mut cargo)?;
    Ok(paths::target(WASM_TARGET).join("wasm/turnkeeper_core.wasm"))
}

/// Compiler flags that keep the names of this machine's folders out of the module, so that every
/// checkout builds the same bytes. Cargo joins them to those of .cargo/config.toml.
fn same_everywhere() -> Result<String> {
    let mut renamed = vec![(paths::repo(""), "/turnkeeper")];
    if let Some(sources) = registry_sources() {
        for index in fs::read_dir(&sources)? {
            renamed.push((index?.path(), "/registry"));
        }
    }
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

fn bind(commands: &Path, compiled: &Path, glue: &Path) -> Result<()> {
    let mut bindgen = std::process::Command::new(commands.join("wasm-bindgen"));
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
    let changed = glue.join("changed.wasm");
    let run = |label: &str, passes: &[&str]| {
        let mut optimiser = npm::tool("wasm-opt");
        optimiser.args(passes).args(FEATURES);
        optimiser.arg(&module).arg("-o").arg(&changed);
        let printed = step::output(label, &mut optimiser)?;
        fs::rename(&changed, &module)?;
        Ok::<_, anyhow::Error>(printed)
    };
    run("wasm-opt", &OPTIMISE)?;
    fs::write(&module, order::named_in_order(&fs::read(&module)?)?)?;
    fs::write(
        glue.join("names.json"),
        run("order of the functions", &FINISH)?,
    )?;
    Ok(())
}

/// Everything that the glue is made from.
fn stamp(compiled: &Path, commands: &Path) -> Result<String> {
    let module =
        fs::read(compiled).with_context(|| format!("cargo built no {}", compiled.display()))?;
    let packages = fs::read(paths::repo("js/package-lock.json"))?;
    Ok(format!(
        "module {:016x}\npackages {:016x}\norder {:016x}\nwasm-bindgen {}\nwasm-opt {} {} {}\n",
        fingerprint(&module),
        fingerprint(&packages),
        fingerprint(include_bytes!("order.rs")),
        commands.display(),
        OPTIMISE.join(" "),
        FINISH.join(" "),
        FEATURES.join(" "),
    ))
}
