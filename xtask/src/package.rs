//! The npm package: Wasm and glue, then everything that `js/build.mjs` makes of them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::wasm::{self, Effort, Module};
use crate::{npm, pack, paths, step};

/// The package as it is published, and the same with a panic that tests can reach.
#[derive(Clone, Copy)]
pub enum Flavour {
    Published,
    PanicProbe,
}

impl Flavour {
    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Published => &[],
            Self::PanicProbe => &["panic-probe"],
        }
    }

    /// Tests of a panic need no more than the module of all machines.
    fn modules(self) -> &'static [Module] {
        match self {
            Self::Published => &wasm::MODULES,
            Self::PanicProbe => &[wasm::ALL, wasm::PEERS],
        }
    }

    fn effort(self) -> Effort {
        match self {
            Self::Published => Effort::Full,
            Self::PanicProbe => Effort::Compiler,
        }
    }

    pub fn glue(self) -> PathBuf {
        match self {
            Self::Published => paths::repo("js/glue"),
            Self::PanicProbe => paths::target("glue-panic"),
        }
    }

    pub fn folder(self) -> PathBuf {
        match self {
            Self::Published => paths::repo("pkg"),
            Self::PanicProbe => paths::target("pkg-panic"),
        }
    }

    pub fn tarball(self) -> PathBuf {
        match self {
            Self::Published => paths::target("pack/turnkeeper.tgz"),
            Self::PanicProbe => paths::target("pack/turnkeeper-panic.tgz"),
        }
    }
}

/// `cargo xtask build [--quick]`
pub fn build(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => make(Flavour::Published),
        [quick] if quick == "--quick" => make_quickly(),
        _ => bail!("usage: cargo xtask build [--quick]"),
    }
}

/// The published package with one module for all machines, which is not optimised and carried by every entry.
pub fn make_quickly() -> Result<()> {
    let glue = Flavour::Published.glue();
    let _ = fs::remove_dir_all(&glue);
    wasm::build(&[wasm::ALL, wasm::PEERS], &[], Effort::Quick, &glue)?;
    assemble(Flavour::Published)
}

/// The glue of all machines alone, which has the types that the TypeScript imports.
pub fn glue() -> Result<()> {
    wasm::build(&[wasm::ALL], &[], Effort::Full, &Flavour::Published.glue())
}

/// `cargo xtask sizes`: builds and packs the package, and prints how large it is.
pub fn sizes() -> Result<()> {
    make(Flavour::Published)?;
    pack::pack(Flavour::Published)?;
    check_size()
}

/// Prints the size table, and fails if a size is over its limit.
pub fn check_size() -> Result<()> {
    let mut sizes = Command::new("node");
    sizes
        .arg(paths::repo("js/sizes.mjs"))
        .arg(Flavour::Published.folder());
    let tarball = Flavour::Published.tarball();
    if tarball.exists() {
        sizes.arg(tarball);
    }
    println!();
    match step::show("sizes", &mut sizes)? {
        0 => Ok(()),
        _ => anyhow::bail!("the package is larger than it may be"),
    }
}

/// Makes one flavour's folder, ready for `npm pack`.
pub fn make(flavour: Flavour) -> Result<()> {
    wasm::build(
        flavour.modules(),
        flavour.features(),
        flavour.effort(),
        &flavour.glue(),
    )?;
    assemble(flavour)
}

/// The JavaScript half alone.
fn assemble(flavour: Flavour) -> Result<()> {
    npm::ci("js")?;
    let mut node = Command::new("node");
    node.arg(paths::repo("js/build.mjs"))
        .arg("--glue")
        .arg(flavour.glue())
        .arg("--out")
        .arg(flavour.folder());
    step::run(
        &format!("bundle into {}", flavour.folder().display()),
        &mut node,
    )
}
