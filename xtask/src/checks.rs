//! Checks that run nothing: formatting, lints, types, generated files.

use std::process::Command;

use anyhow::Result;

use crate::{api, licences, npm, package, paths, shapes, step, tools};

/// One check: its name, and how it is made.
pub type Check = (&'static str, fn() -> Result<()>);

pub const CHECKS: [Check; 8] = [
    ("Rust is formatted", rust_format),
    ("JavaScript is formatted", javascript_format),
    ("clippy", clippy),
    ("generated shapes", shapes::check),
    ("TypeScript types", typescript),
    ("report of the public types", api::check),
    ("TypeScript lints", typescript_lints),
    ("licences of the module's crates", licences::check),
];

fn rust_format() -> Result<()> {
    step::run(
        "cargo fmt --check",
        tools::cargo().args(["fmt", "--all", "--check"]),
    )
}

fn javascript_format() -> Result<()> {
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

/// With all features, so that what converts for JavaScript is looked at, too.
fn clippy() -> Result<()> {
    let mut clippy = tools::cargo();
    clippy.args([
        "clippy",
        "--workspace",
        "--all-features",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]);
    step::run("clippy", &mut clippy)
}

fn typescript() -> Result<()> {
    npm::ci("js")?;
    // The TypeScript imports the types of the glue.
    package::glue_types()?;
    step::run(
        "tsc --strict",
        npm::tool("tsc").args(["--project", "js/tsconfig.json"]),
    )?;
    npm::ci("www")?;
    step::run(
        "tsc --strict, the page",
        npm::tool("tsc").args(["--project", "www/tsconfig.json"]),
    )
}

/// After the types: it needs the same declarations of the glue.
fn typescript_lints() -> Result<()> {
    step::run(
        "layers",
        Command::new("node").arg(paths::repo("lint/layers.mjs")),
    )?;
    npm::ci("lint")?;
    let mut eslint = npm::tool_of("lint", "eslint");
    eslint
        .args(["--config", "lint/eslint.config.mjs", "--max-warnings", "0"])
        .args(["js/src/**/*.ts", "www/src/**/*.{ts,tsx}"]);
    step::run("eslint", &mut eslint)
}
