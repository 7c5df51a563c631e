//! The packages that tests look at, each made when it is first asked for.

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Result, anyhow};

use crate::package::{self, Flavour};
use crate::program::Platform;
use crate::{pack, paths, program, step};

/// The packages of a run by their flavours.
static MADE: [Mutex<Option<Result<PathBuf, String>>>; 3] = [const { Mutex::new(None) }; 3];

/// The tarball of a flavour, as it is uploaded; its app has it installed.
pub fn packed(flavour: Flavour) -> Result<PathBuf> {
    let mut made = step::lock(&MADE[flavour as usize]);
    let made = made.get_or_insert_with(|| make(flavour).map_err(|error| format!("{error:#}")));
    made.clone()
        .map_err(|error| anyhow!("there is no package: {error}"))
}

/// Makes the quick package where its app has it, without packing it: sooner there for who works on a machine.
pub fn make_in_app() -> Result<()> {
    package::make_in_app()?;
    *step::lock(&MADE[Flavour::Quick as usize]) = Some(Ok(Flavour::Quick.tarball()));
    Ok(())
}

/// Builds and packs a flavour; instead of the published one, a tarball that was built before may be named.
fn make(flavour: Flavour) -> Result<PathBuf> {
    let given = std::env::var_os("TURNKEEPER_TARBALL").map(|file| paths::root().join(file));
    let tarball = match given {
        Some(tarball) if flavour == Flavour::Published => {
            step::skip("build the package", "TURNKEEPER_TARBALL names one");
            tarball
        }
        _ => package::pack(flavour)?,
    };
    if flavour == Flavour::Demo {
        // Packing a program that is not optimised takes longer than all else here.
        pack::install(&[&tarball], &flavour.app())?;
        program::make_in_app(flavour)?;
    } else {
        let program = Platform::here()?.tarball_beside(&tarball);
        pack::install(&[&tarball, &program], &flavour.app())?;
    }
    Ok(tarball)
}
