//! Where things are: the checkout, its build folder, and the tools shared between checkouts.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub fn root() -> PathBuf {
    // Cargo says where it runs; a program that was built in a checkout may be run in a copy of it.
    let xtask = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let root = Path::new(&xtask).parent();
    root.expect("xtask is a folder of the checkout").to_owned()
}

/// A path inside the checkout.
pub fn repo(relative: &str) -> PathBuf {
    root().join(relative)
}

/// A path inside cargo's build folder, which other commands write to as well.
pub fn target(relative: &str) -> PathBuf {
    let folder = match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => repo("target"),
    };
    folder.join(relative)
}

/// The folder of tools that all checkouts on this machine share.
pub fn tools() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("TURNKEEPER_TOOLS") {
        return Ok(root().join(folder));
    }
    if let Some(cache) = env::var_os("XDG_CACHE_HOME") {
        return Ok(Path::new(&cache).join("turnkeeper"));
    }
    let home =
        env::home_dir().context("there is no home folder, and TURNKEEPER_TOOLS is not set")?;
    Ok(home.join(".cache/turnkeeper"))
}
