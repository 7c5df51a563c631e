//! Checks that run nothing: formatting, lints, types, generated files, licences.

use anyhow::Result;

use crate::package::{self, Flavour};
use crate::test::{Depth, Turn};
use crate::{api, npm, paths, reproduce, shapes, step, tools};

pub struct Check {
    pub name: &'static str,
    pub depth: Depth,
    /// Two that ask cargo to compile would wait for each other.
    pub turn: Turn,
    pub run: fn() -> Result<()>,
}

pub const CHECKS: [Check; 10] = [
    check("formatting", Depth::Short, Turn::Beside, formatting),
    check("typescript", Depth::Short, Turn::Beside, typescript),
    check("api", Depth::Short, Turn::Beside, api::check),
    check("lints", Depth::Short, Turn::Beside, lints),
    check("shapes", Depth::Short, Turn::Compiling, shapes::check),
    check("clippy", Depth::Short, Turn::Compiling, clippy),
    check("clippy-wasm", Depth::Deep, Turn::Compiling, clippy_wasm),
    check("rust-version", Depth::Deep, Turn::Compiling, rust_version),
    check("reproduce", Depth::Deep, Turn::Compiling, reproduce::check),
    check("licences", Depth::Deep, Turn::Beside, licences),
];

const fn check(name: &'static str, depth: Depth, turn: Turn, run: fn() -> Result<()>) -> Check {
    Check {
        name,
        depth,
        turn,
        run,
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
    tools::target(tools::WASM_TARGET)?;
    let mut clippy = tools::cargo();
    clippy
        .args(["clippy", "--package", "turnkeeper-*wasm", "--all-features"])
        .args(["--target", tools::WASM_TARGET]);
    tools::run_cargo("clippy for Wasm", clippy.args(["--", "-D", "warnings"]))
}

/// The crates compile with the oldest Rust that they say they do.
fn rust_version() -> Result<()> {
    const VERSION: &str = env!("CARGO_PKG_RUST_VERSION");
    let install = ["toolchain", "install", VERSION, "--profile", "minimal"];
    let mut install = step::command("rustup", &install);
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
    let checks = ["--all-features", "check", "licenses", "bans", "sources"];
    let deny = tools::cargo_command("cargo-deny")?;
    step::run("cargo deny", &mut step::command(deny, &checks))
}

fn typescript() -> Result<()> {
    npm::ci("js")?;
    // The TypeScript imports the types of the glue.
    package::make_glue(Flavour::Quick)?;
    step::run(
        "tsgo --strict",
        npm::tool("tsgo").args(["--project", "js/tsconfig.json"]),
    )?;
    package::make_page_glue(Flavour::Quick)?;
    npm::ci("www")?;
    step::run(
        "tsgo --strict, the page",
        npm::tool("tsgo").args(["--project", "www/tsconfig.json"]),
    )
}

/// They need the declarations of the glue, too.
fn lints() -> Result<()> {
    step::run("layers", &mut step::node("lint/layers.mjs"))?;
    package::make_glue(Flavour::Quick)?;
    package::make_page_glue(Flavour::Quick)?;
    for folder in ["js", "www", "lint"] {
        npm::ci(folder)?;
    }
    let mut eslint = npm::tool_of("lint", "eslint");
    eslint
        .args(["--config", "lint/eslint.config.mjs", "--max-warnings", "0"])
        .args(["js/src/**/*.ts", "www/src/**/*.{ts,tsx}"]);
    step::run("eslint", &mut eslint)
}
