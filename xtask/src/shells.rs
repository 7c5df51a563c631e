//! The shells that command lines are run in, besides those that every Debian has.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::apt;

pub struct Shells {
    pub zsh: PathBuf,
    pub fish: PathBuf,
}

/// The shells named by `ZSH_PATH` and `FISH_PATH`, else Debian's, installed if need be.
pub fn shells() -> Result<Shells> {
    let shells = Shells {
        zsh: named("ZSH_PATH", "/usr/bin/zsh"),
        fish: named("FISH_PATH", "/usr/bin/fish"),
    };
    if !shells.zsh.exists() || !shells.fish.exists() {
        apt::install(
            "Z shell and fish",
            &["zsh", "fish"],
            "the suites with terminals need zsh and fish; set ZSH_PATH and FISH_PATH",
        )?;
    }
    for program in [&shells.zsh, &shells.fish] {
        if !program.exists() {
            bail!(
                "{} is not there; set ZSH_PATH and FISH_PATH",
                program.display()
            );
        }
    }
    Ok(shells)
}

fn named(variable: &str, usual: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| PathBuf::from(usual), PathBuf::from)
}
