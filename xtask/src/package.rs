//! The npm package: Wasm and glue, then everything that `js/build.mjs` makes of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};

use crate::wasm::{self, Effort, Module};
use crate::{npm, pack, paths, step};

/// The package as it is published, and the same as soon as it can be had: not optimised, without declarations,
/// installed where it is made, and with a panic that a test can reach.
#[derive(Clone, Copy)]
pub enum Flavour {
    Published,
    Quick,
}

pub const QUICK_FEATURES: &[&str] = &["panic-probe"];

impl Flavour {
    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Published => &[],
            Self::Quick => QUICK_FEATURES,
        }
    }

    /// Other entries carry the module of all machines where they have none of their own.
    fn modules(self) -> &'static [Module] {
        match self {
            Self::Published => &wasm::MODULES,
            Self::Quick => &[wasm::ALL, wasm::PEERS],
        }
    }

    fn effort(self) -> Effort {
        match self {
            Self::Published => Effort::Full,
            Self::Quick => Effort::Quick,
        }
    }

    pub fn glue(self) -> PathBuf {
        match self {
            Self::Published => paths::repo("js/glue"),
            Self::Quick => paths::target("glue-quick"),
        }
    }

    pub fn folder(self) -> PathBuf {
        match self {
            Self::Published => paths::repo("pkg"),
            Self::Quick => quick_app().join("node_modules/turnkeeper"),
        }
    }
}

/// The published package, as `npm pack` writes it.
pub fn tarball() -> PathBuf {
    paths::target("pack/turnkeeper.tgz")
}

/// An app that has the quick package installed.
pub fn quick_app() -> PathBuf {
    paths::target("app-quick")
}

/// `cargo xtask build [--quick]`
pub fn build(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => make(Flavour::Published),
        [quick] if quick == "--quick" => make_quickly(),
        _ => bail!("usage: cargo xtask build [--quick]"),
    }
}

/// The published package with modules that are not optimised, one for all machines but the peers.
fn make_quickly() -> Result<()> {
    make_glue(Flavour::Quick)?;
    declare_glue()?;
    assemble(&Flavour::Quick.glue(), &Flavour::Published.folder(), &[])
}

/// The types of the glue, which the TypeScript imports.
pub fn glue_types() -> Result<()> {
    make_glue(Flavour::Quick)?;
    declare_glue()
}

/// They are the same however the module was compiled.
fn declare_glue() -> Result<()> {
    let _turn = GLUE.lock().unwrap_or_else(PoisonError::into_inner);
    let file = "turnkeeper.d.ts";
    let to = Flavour::Published.glue();
    fs::create_dir_all(&to)?;
    fs::copy(Flavour::Quick.glue().join(file), to.join(file))?;
    Ok(())
}

/// `cargo xtask sizes`: builds and packs the package, and prints how large it is.
pub fn sizes() -> Result<()> {
    make(Flavour::Published)?;
    pack::pack()?;
    check_size()
}

/// Prints the size table, and fails if a size is over its limit.
pub fn check_size() -> Result<()> {
    let mut sizes = Command::new("node");
    sizes
        .arg(paths::repo("js/sizes.mjs"))
        .arg(Flavour::Published.folder());
    let tarball = tarball();
    if tarball.exists() {
        sizes.arg(tarball);
    }
    println!();
    match step::show("sizes", &mut sizes)? {
        0 => Ok(()),
        _ => anyhow::bail!("the package is larger than it may be"),
    }
}

/// Makes one flavour's folder: ready for `npm pack`, or in the app that uses it.
pub fn make(flavour: Flavour) -> Result<()> {
    make_glue(flavour)?;
    let options: &[&str] = match flavour {
        Flavour::Published => &[],
        Flavour::Quick => &["--no-types"],
    };
    assemble(&flavour.glue(), &flavour.folder(), options)
}

/// One at a time: the checks need the types while the package is made.
static GLUE: Mutex<()> = Mutex::new(());

fn make_glue(flavour: Flavour) -> Result<()> {
    let _turn = GLUE.lock().unwrap_or_else(PoisonError::into_inner);
    let (modules, features) = (flavour.modules(), flavour.features());
    wasm::build(modules, features, flavour.effort(), &flavour.glue())
}

/// The JavaScript half alone.
fn assemble(glue: &Path, folder: &Path, options: &[&str]) -> Result<()> {
    npm::ci("js")?;
    let mut node = Command::new("node");
    node.arg(paths::repo("js/build.mjs"));
    node.arg("--glue").arg(glue).arg("--out").arg(folder);
    node.args(options);
    step::run(&format!("bundle into {}", folder.display()), &mut node)
}
