//! The packages that tests look at, each made when it is first asked for.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Result, anyhow};

use crate::package::{self, Flavour};
use crate::{pack, paths, program, step};

/// The short way finds in minutes what a change breaks; the deep one is everything else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Short,
    Deep,
}

impl Depth {
    /// The package that is tested from outside: the published one takes minutes more.
    pub fn flavour(self) -> Flavour {
        match self {
            Self::Short => Flavour::Quick,
            Self::Deep => Flavour::Published,
        }
    }
}

/// The package, packed, and an app that has it installed.
#[derive(Clone)]
pub struct Packed {
    tarball: PathBuf,
    app: PathBuf,
}

/// The packages of a run, each made when it is first asked for.
static MADE: [Mutex<Option<Result<Packed, String>>>; 2] = [Mutex::new(None), Mutex::new(None)];

/// The package that the suites of a depth look at.
pub fn packed(depth: Depth) -> Result<Packed> {
    let mut made = step::lock(&MADE[usize::from(depth == Depth::Deep)]);
    let made = made.get_or_insert_with(|| {
        step::heading("package");
        Packed::make(depth.flavour()).map_err(|error| format!("{error:#}"))
    });
    made.clone()
        .map_err(|error| anyhow!("there is no package: {error}"))
}

/// Makes the quick package where its app has it, without packing it: sooner there for who works on a machine.
pub fn make_in_app() -> Result<()> {
    package::make_in_app()?;
    let (tarball, app) = (Flavour::Quick.tarball(), Flavour::Quick.app());
    *step::lock(&MADE[0]) = Some(Ok(Packed { tarball, app }));
    Ok(())
}

impl Packed {
    /// The app that has it installed.
    pub fn app(&self) -> &Path {
        &self.app
    }

    /// As it is uploaded.
    pub fn tarball(&self) -> &Path {
        &self.tarball
    }

    /// Builds and packs a flavour; instead of the published one, a tarball that was built before may be named.
    pub fn make(flavour: Flavour) -> Result<Packed> {
        let given = std::env::var_os("TURNKEEPER_TARBALL").map(|file| paths::repo("").join(file));
        let tarball = match given {
            Some(tarball) if flavour == Flavour::Published => {
                step::skip("build the package", "TURNKEEPER_TARBALL names one");
                tarball
            }
            _ => {
                package::make(flavour)?;
                program::pack_here(flavour)?;
                pack::pack(flavour)?
            }
        };
        let app = flavour.app();
        let program = program::tarball_beside(&tarball)?;
        pack::install(&[&tarball, &program], &app)?;
        Ok(Packed { tarball, app })
    }
}
