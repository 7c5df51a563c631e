//! `cargo xtask reproduce`: a second checkout, in another folder, builds the same package to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Result, bail, ensure};

use crate::package::{self, Flavour};
use crate::{paths, step, tools};

pub fn run() -> Result<()> {
    let changes = uncommitted()?;
    ensure!(
        changes.trim().is_empty(),
        "commit first: the second checkout has only what is committed\n{changes}"
    );
    package::make(Flavour::Published)?;
    compare()
}

/// The same after the package has been built; what is not committed is not compared.
pub fn check() -> Result<()> {
    if !uncommitted()?.trim().is_empty() {
        step::skip("reproduce", "there are changes that are not committed");
        return Ok(());
    }
    compare()
}

fn uncommitted() -> Result<String> {
    let mut changes = Command::new("git");
    changes
        .current_dir(paths::repo(""))
        .args(["status", "--porcelain"]);
    step::output("git status", &mut changes)
}

fn compare() -> Result<()> {
    let checkout = Checkout::of_this_one()?;
    let mut build = tools::cargo();
    build
        .current_dir(&checkout.0)
        .args(["xtask", "build"])
        .env_remove("CARGO_TARGET_DIR");
    tools::run_cargo("build the second checkout, some minutes", &mut build)?;

    let here = contents(&Flavour::Published.folder())?;
    let there = contents(&checkout.0.join("pkg"))?;
    let differing: Vec<&str> = here
        .keys()
        .chain(there.keys().filter(|name| !here.contains_key(*name)))
        .filter(|name| here.get(*name) != there.get(*name))
        .map(String::as_str)
        .collect();
    if !differing.is_empty() {
        bail!("two checkouts differ in {}", differing.join(", "));
    }
    println!(
        "\n{} files of the package are the same to the byte.",
        here.len()
    );
    Ok(())
}

/// A clone in a folder that is removed in the end.
struct Checkout(PathBuf);

impl Checkout {
    fn of_this_one() -> Result<Self> {
        let name = format!("turnkeeper-second-checkout-{}", process::id());
        let folder = std::env::temp_dir().join(name);
        let mut clone = Command::new("git");
        clone
            .args(["clone", "--quiet"])
            .arg(paths::repo(""))
            .arg(&folder);
        step::run("git clone", &mut clone)?;
        Ok(Self(folder))
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file of a folder by its path there.
fn contents(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.display().to_string();
                files.insert(name, fs::read(path)?);
            }
        }
    }
    Ok(files)
}
