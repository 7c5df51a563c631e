//! The npm package: Wasm and glue, then everything that `js/build.mjs` makes of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::program::Platform;
use crate::wasm::{self, Module};
use crate::{npm, pack, paths, program, step};

/// The package as it is published, and the same as soon as it can be had.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Published,
    /// Not optimised, one module for all machines, and with a panic that a test can reach.
    Quick,
    /// Of the quick one what the demo shows: no entry over a module of the peers or of the watch, and no declarations.
    Demo,
}

const DECLARATIONS: &str = "turnkeeper.d.ts";

impl Flavour {
    /// Other entries carry the module of all machines where they have none of their own.
    fn modules(self) -> &'static [Module] {
        match self {
            Self::Published => &wasm::MODULES,
            Self::Quick => &[wasm::ALL, wasm::PEERS, wasm::WATCH, wasm::SESSIONS],
            Self::Demo => &[wasm::ALL, wasm::SESSIONS],
        }
    }

    /// Cargo's profile for its modules. That of the demo is the program's, so that what only compiles is compiled once.
    pub fn profile(self) -> &'static str {
        match self {
            Self::Published => "wasm",
            Self::Quick => "wasm-quick",
            Self::Demo => "dev",
        }
    }

    /// What `js/build.mjs` leaves out.
    fn left_out(self) -> &'static [&'static str] {
        match self {
            Self::Published | Self::Quick => &[],
            Self::Demo => &["--no-types", "--without", "peers", "--without", "watch"],
        }
    }

    pub fn glue(self) -> PathBuf {
        match self {
            Self::Published => paths::repo("js/glue"),
            _ => self.target("glue"),
        }
    }

    pub fn folder(self) -> PathBuf {
        match self {
            Self::Published => paths::repo("pkg"),
            _ => self.target("pkg"),
        }
    }

    /// As `npm pack` writes it.
    pub fn tarball(self) -> PathBuf {
        self.target("pack").join("turnkeeper.tgz")
    }

    /// The folders of platform packages: where the package looks for them, and npm packs nothing.
    pub fn programs(self) -> PathBuf {
        self.folder().join("node_modules")
    }

    /// An app that has it installed.
    pub fn app(self) -> PathBuf {
        self.target("app")
    }

    /// Its own among the folders of `target`.
    fn target(self, name: &str) -> PathBuf {
        paths::target(&match self {
            Self::Published => name.to_owned(),
            Self::Quick => format!("{name}-quick"),
            Self::Demo => format!("{name}-demo"),
        })
    }
}

/// Makes a flavour, and packs it and, but for the demo, this machine's program.
pub fn pack(flavour: Flavour) -> Result<PathBuf> {
    make(flavour)?;
    if flavour != Flavour::Demo {
        program::make(Platform::here()?, flavour)?;
    }
    pack::pack_folder(&flavour.folder(), &flavour.tarball())
}

/// The quick package without declarations, where its app has it installed.
pub fn make_in_app() -> Result<()> {
    let quick = Flavour::Quick;
    make_glue(quick)?;
    let folder = quick.app().join("node_modules/turnkeeper");
    assemble(&quick.glue(), &folder, &["--no-types"])?;
    program::make_in_app(quick)
}

/// `cargo xtask sizes`: builds and packs the package, and prints how large it is.
pub fn sizes() -> Result<()> {
    pack(Flavour::Published)?;
    check_size()
}

/// Prints the size table, and fails if a size is over its limit.
pub fn check_size() -> Result<()> {
    let mut sizes = step::node("js/sizes.mjs");
    sizes
        .arg(Flavour::Published.folder())
        .arg(Flavour::Published.tarball());
    println!();
    step::show("sizes", &mut sizes).context("the package is larger than it may be")
}

/// Makes one flavour's folder, ready for `npm pack`.
pub fn make(flavour: Flavour) -> Result<()> {
    make_glue(flavour)?;
    assemble(&flavour.glue(), &flavour.folder(), flavour.left_out())
}

/// The modules of a flavour, and what JavaScript calls them by. With the quick ones come the types that the TypeScript
/// imports, which are the same however a module was compiled.
pub fn make_glue(flavour: Flavour) -> Result<()> {
    wasm::build(flavour.modules(), flavour, &flavour.glue())?;
    let typed = match flavour {
        Flavour::Quick => &["", "watch", "sessions"][..],
        _ => &[],
    };
    for module in typed {
        let folder = Flavour::Published.glue().join(module);
        let from = fs::read(flavour.glue().join(module).join(DECLARATIONS))?;
        let to = folder.join(DECLARATIONS);
        // Another job may be reading it.
        if !fs::read(&to).is_ok_and(|there| there == from) {
            fs::create_dir_all(folder)?;
            fs::write(to, from)?;
        }
    }
    Ok(())
}

/// The glue and the module that the page has inside, and the package does not.
pub fn make_page_glue(flavour: Flavour) -> Result<()> {
    wasm::build(&[wasm::ANALYSIS], flavour, &Flavour::Published.glue())
}

/// The JavaScript half alone.
fn assemble(glue: &Path, folder: &Path, options: &[&str]) -> Result<()> {
    // The declarations need all packages of `js`.
    if options.contains(&"--no-types") {
        npm::ci_least("js")?;
    } else {
        npm::ci("js")?;
    }
    let mut node = step::node("js/build.mjs");
    node.arg("--glue").arg(glue).arg("--out").arg(folder);
    node.args(options);
    step::run(&format!("bundle into {}", folder.display()), &mut node)
}
