//! Checks that run nothing: formatting, lints, types, generated files, licences.

use std::process::Command;

use anyhow::Result;

use crate::packed::Depth;
use crate::wasm::Effort;
use crate::{api, npm, package, paths, reproduce, shapes, step, tools};

pub struct Check {
    pub name: &'static str,
    pub run: fn() -> Result<()>,
    depth: Depth,
    /// It asks cargo to compile.
    pub compiles: bool,
}

const CHECKS: [Check; 10] = [
    Check::new("formatting", formatting),
    Check::new("typescript", typescript),
    Check::new("api", api::check),
    Check::new("lints", lints),
    Check::compiling("shapes", shapes::check),
    Check::compiling("clippy", clippy),
    Check::compiling("clippy-wasm", clippy_wasm).deep(),
    Check::compiling("rust-version", rust_version).deep(),
    Check::compiling("reproduce", reproduce::check).deep(),
    Check::new("licences", licences).deep(),
];

pub fn of(depth: Depth) -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(move |check| check.depth == depth)
}

impl Check {
    const fn new(name: &'static str, run: fn() -> Result<()>) -> Check {
        Check {
            name,
            run,
            depth: Depth::Short,
            compiles: false,
        }
    }

    const fn compiling(name: &'static str, run: fn() -> Result<()>) -> Check {
        Check {
            compiles: true,
            ..Check::new(name, run)
        }
    }

    const fn deep(self) -> Check {
        Check {
            depth: Depth::Deep,
            ..self
        }
    }
}

fn formatting() -> Result<()> {
    step::run(
        "cargo fmt --check",
        tools::cargo().args(["fmt", "--all", "--check"]),
    )?;
    npm::ci("js")?;
    step::run(
        "prettier --check",
        npm::tool("prettier")
            .args(["--check", "--log-level", "warn", "."])
            // A file that was in order stays so until its content, prettier or its configuration changes.
            .args(["--cache", "--cache-strategy", "content"])
            .arg("--cache-location")
            .arg(paths::target("xtask/prettier-cache")),
    )
}

/// As the native tests are compiled.
fn clippy() -> Result<()> {
    let mut clippy = shapes::cargo("clippy");
    clippy.args(["--all-targets", "--", "-D", "warnings"]);
    tools::run_cargo("clippy", &mut clippy)
}

/// What converts for JavaScript is compiled for Wasm alone.
fn clippy_wasm() -> Result<()> {
    tools::wasm_target()?;
    let mut clippy = tools::cargo();
    clippy
        .args(["clippy", "--package", "turnkeeper-*wasm", "--all-features"])
        .args(["--target", tools::WASM_TARGET]);
    tools::run_cargo("clippy for Wasm", clippy.args(["--", "-D", "warnings"]))
}

/// The crates compile with the oldest Rust that they say they do.
fn rust_version() -> Result<()> {
    const VERSION: &str = env!("CARGO_PKG_RUST_VERSION");
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", VERSION, "--profile", "minimal"]);
    step::run(&format!("install Rust {VERSION}"), &mut install)?;
    let mut check = tools::cargo();
    check
        .env("RUSTUP_TOOLCHAIN", VERSION)
        .args(["check", "--package", "turnkeeper-core", "--all-features"])
        .arg("--target-dir")
        .arg(paths::target("rust-version"));
    tools::run_cargo(&format!("cargo check with Rust {VERSION}"), &mut check)
}

/// `deny.toml` has those that are allowed.
fn licences() -> Result<()> {
    let mut deny = Command::new(tools::cargo_command("cargo-deny")?);
    deny.current_dir(paths::repo(""))
        .args(["--all-features", "check", "licenses", "bans", "sources"]);
    step::run("cargo deny", &mut deny)
}

fn typescript() -> Result<()> {
    npm::ci("js")?;
    // The TypeScript imports the types of the glue.
    package::glue_types()?;
    step::run(
        "tsgo --strict",
        npm::tool("tsgo").args(["--project", "js/tsconfig.json"]),
    )?;
    package::make_page_glue(Effort::Quick)?;
    npm::ci("www")?;
    step::run(
        "tsgo --strict, the page",
        npm::tool("tsgo").args(["--project", "www/tsconfig.json"]),
    )
}

/// They need the declarations of the glue, too.
fn lints() -> Result<()> {
    step::run(
        "layers",
        Command::new("node").arg(paths::repo("lint/layers.mjs")),
    )?;
    package::glue_types()?;
    package::make_page_glue(Effort::Quick)?;
    for folder in ["js", "www", "lint"] {
        npm::ci(folder)?;
    }
    let mut eslint = npm::tool_of("lint", "eslint");
    eslint
        .args(["--config", "lint/eslint.config.mjs", "--max-warnings", "0"])
        .args(["js/src/**/*.ts", "www/src/**/*.{ts,tsx}"]);
    step::run("eslint", &mut eslint)
}
