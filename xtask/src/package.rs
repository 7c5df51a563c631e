//! The npm package: Wasm and glue, then everything that `js/build.mjs` makes of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::Result;

use crate::wasm::{self, Effort, Module};
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

    fn effort(self) -> Effort {
        match self {
            Self::Published => Effort::Full,
            Self::Quick | Self::Demo => Effort::Quick,
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
            Self::Quick | Self::Demo => paths::target("glue-quick"),
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

    /// A platform package as `npm pack` writes it, beside the package.
    pub fn program_tarball(self, name: &str) -> PathBuf {
        self.tarball().with_file_name(format!("{name}.tgz"))
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

/// The published package, or with `is_quick` one whose module is not optimised.
pub fn build(is_quick: bool) -> Result<()> {
    if !is_quick {
        make(Flavour::Published)?;
        pack::pack(Flavour::Published)?;
        return program::pack_here(Flavour::Published).map(drop);
    }
    glue_types()?;
    assemble(&Flavour::Quick.glue(), &Flavour::Published.folder(), &[])
}

/// The quick package without declarations, where its app has it installed.
pub fn make_in_app() -> Result<()> {
    let quick = Flavour::Quick;
    make_glue(quick)?;
    let folder = quick.app().join("node_modules/turnkeeper");
    assemble(&quick.glue(), &folder, &["--no-types"])?;
    program::make_in_app(&quick.app())
}

/// The types of the glue, which the TypeScript imports. They are the same however the module was compiled.
pub fn glue_types() -> Result<()> {
    make_glue(Flavour::Quick)?;
    declare_glue()
}

fn declare_glue() -> Result<()> {
    for module in ["", "watch", "sessions"] {
        let folder = Flavour::Published.glue().join(module);
        let from = fs::read(Flavour::Quick.glue().join(module).join(DECLARATIONS))?;
        let to = folder.join(DECLARATIONS);
        // Another job may be reading it.
        if fs::read(&to).is_ok_and(|there| there == from) {
            continue;
        }
        fs::create_dir_all(folder)?;
        fs::write(to, from)?;
    }
    Ok(())
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
    make_glue(flavour)?;
    if flavour == Flavour::Quick {
        declare_glue()?;
    }
    assemble(&flavour.glue(), &flavour.folder(), flavour.left_out())
}

/// Whether the glue of each flavour is made: several jobs need the types while the package is made.
static GLUE: [Mutex<bool>; 3] = [const { Mutex::new(false) }; 3];

/// The modules of a flavour, and what JavaScript calls them by.
pub fn make_glue(flavour: Flavour) -> Result<()> {
    let mut is_made = step::lock(&GLUE[flavour as usize]);
    if !*is_made {
        wasm::build(flavour.modules(), flavour.effort(), &flavour.glue())?;
        *is_made = true;
    }
    Ok(())
}

/// The glue and the module that the page has inside, and the package does not.
pub fn make_page_glue(effort: Effort) -> Result<()> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = step::lock(&TURN);
    wasm::build(&[wasm::ANALYSIS], effort, &Flavour::Published.glue())
}

/// The JavaScript half alone.
fn assemble(glue: &Path, folder: &Path, options: &[&str]) -> Result<()> {
    // The declarations need all packages of `js`.
    if options.contains(&"--no-types") {
        npm::ci_least("js")?;
    } else {
        npm::ci("js")?;
    }
    let mut node = Command::new("node");
    node.arg(paths::repo("js/build.mjs"));
    node.arg("--glue").arg(glue).arg("--out").arg(folder);
    node.args(options);
    step::run(&format!("bundle into {}", folder.display()), &mut node)
}
